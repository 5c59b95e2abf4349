import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  scarfSettings?: { enabled: boolean };
}

interface LockEntry extends Manifest {
  version: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const readJson = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
// Both are written by npm, which keeps to these shapes.
const manifest = readJson('package.json') as Manifest;
const lock = readJson('package-lock.json') as { packages: Record<string, LockEntry> };
const { '': self, ...installed } = lock.packages;
const entries = Object.entries(installed);

/** The paths of the entries that are as told. */
function pathsWhere(isSo: (entry: LockEntry, path: string) => boolean): string[] {
  return entries.filter(([path, entry]) => isSo(entry, path)).map(([path]) => path);
}

/** What a package says of itself; undefined where it is not installed, being for another platform. */
function readManifest(path: string): { scripts?: Record<string, string> } | undefined {
  const file = `${path}/package.json`;
  if (!existsSync(new URL(`../${file}`, import.meta.url))) return undefined;
  // A manifest that npm has installed has this shape.
  return readJson(file) as { scripts?: Record<string, string> };
}

/** Whether a range of versions, as `engines` writes it, holds this version. What it cannot read, it denies. */
function accepts(range: string, version: readonly [number, number, number]): boolean {
  return range.split('||').some((alternative) => {
    const [, operator, major, minor = '*', patch = '*'] =
      /^\s*(>=|\^|)\s*(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?\s*$/.exec(alternative) ?? [];
    if (major === undefined) return alternative.trim() === '*';
    const least = [major, minor, patch].map((part) => Number.parseInt(part, 10) || 0);
    const [isMajor, ...rest] = least.map((part, index) => Math.sign((version[index] ?? 0) - part));
    const isEnough = [isMajor, ...rest].find((sign) => sign !== 0) !== -1;
    if (operator === '>=') return isEnough;
    if (operator === '^') return isMajor === 0 && isEnough;
    return [major, minor, patch].every((part, index) => /[x*]/.test(part) || Number(part) === version[index]);
  });
}

/** For development alone: it copies a service worker where the user's package.json has a folder for it, and ours has none. */
const copiesAWorker = 'node_modules/msw';

/** For development alone, and optional: it picks a build of msgpackr, which BullMQ depends on. */
const picksABuild = 'node_modules/msgpackr-extract';

const running = [picksABuild, copiesAWorker];

test('no package runs a script when it is installed', () => {
  expect(entries.length).toBeGreaterThan(100);
  expect(pathsWhere((entry) => entry.hasInstallScript === true)).toEqual(running);
  const manifests = entries.map(([path]) => ({ path, scripts: readManifest(path)?.scripts ?? {} }));
  const found = manifests.filter(({ scripts }) => /"(pre|post)?install":/.test(JSON.stringify(scripts)));
  expect(found.map(({ path }) => path).filter((path) => path !== picksABuild)).toEqual([copiesAWorker]);
});

test('the packages that do are for development, and do nothing here', () => {
  expect(installed[picksABuild]).toMatchObject({ dev: true, optional: true });
  expect(installed[copiesAWorker]).toMatchObject({ dev: true });
  expect(manifest).not.toHaveProperty('msw');
  expect(readManifest(copiesAWorker)?.scripts).toMatchObject({
    postinstall: `node -e "import('./config/scripts/postinstall.js').catch(() => void 0)"`,
  });
});

test('no package counts installations', () => {
  expect(manifest.scarfSettings).toEqual({ enabled: false });
  expect(pathsWhere((_entry, path) => /scarf/i.test(path))).toEqual([]);
});

test('the lock file names no host', () => {
  expect(pathsWhere((entry) => entry.resolved !== undefined)).toEqual([]);
  expect(JSON.stringify(lock.packages)).not.toMatch(/"resolved"|registry\./);
});

test('the lock file is the one that npm ci accepts', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  expect({
    dependencies: self?.dependencies,
    devDependencies: self?.devDependencies,
    optionalDependencies: self?.optionalDependencies,
  }).toEqual({ dependencies, devDependencies, optionalDependencies });
});

test('the lock file holds every optional platform package: see scripts/complete-lock.js', () => {
  const missing = entries.flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !(`node_modules/${name}` in installed || `${path}/node_modules/${name}` in installed),
    ),
  );
  expect(missing).toEqual([]);
});

test('only optional packages lack a checksum', () => {
  expect(pathsWhere((entry) => entry.integrity === undefined && entry.optional !== true)).toEqual([]);
});

/** MSW 3 asks for Node 22.12. It is here to be tested with, and ours works with MSW 2 on older Nodes. */
const forLaterNode = /^node_modules\/msw-3(?:\/|$)/u;

test('every package runs on Node 20.19', () => {
  const refusing = entries.filter(([path, { engines, optional }]) => {
    const range = engines?.node;
    const isAsked = range !== undefined && optional !== true && !forLaterNode.test(path);
    return isAsked && !accepts(range, [20, 19, 0]);
  });
  expect(refusing.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

test.each([
  ['>=20.19.0', true],
  ['^20.19.0 || >=22.12.0', true],
  ['6.* || 8.* || >= 10.*', true],
  ['20.x', true],
  ['18 || 20', true],
  ['20.18', false],
  ['*', true],
  ['>=20.19.1', false],
  ['>=22', false],
  ['^18.0.0 || ^22.0.0', false],
  ['18.x', false],
  ['<20', false],
])('the range %s holds 20.19.0: %s', (range, isHeld) => {
  expect(accepts(range, [20, 19, 0])).toBe(isHeld);
});

test('the packages that later versions would break are pinned', () => {
  expect(installed).toMatchObject({
    'node_modules/@apidevtools/swagger-parser': { version: '13.0.0' },
  });
});

test('the development packages are pinned, as the build makes some of them part of the code', () => {
  const ranges = Object.entries(manifest.devDependencies ?? {});
  expect(ranges.length).toBeGreaterThan(10);
  expect(ranges.filter(([, range]) => !/^(?:npm:msw@)?\d+\.\d+\.\d+$/u.test(range))).toEqual([]);
});
