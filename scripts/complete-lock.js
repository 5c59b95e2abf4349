// Adds to package-lock.json the optional platform packages that npm left out of it.
//
// Where the registry at hand does not carry the build of a tool for another platform, `npm install`
// drops that optional package from the lock file, and `npm ci` then refuses the file everywhere
// ("Missing: … from lock file"). The version is exact in the tool's own optionalDependencies and the
// platform is in the package's name, so the entry can be written without the package.
// An entry made so has no integrity: it is only ever used on that platform.
//
// Run it after each `npm install`: node scripts/complete-lock.js
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const systems = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const processors = new Set(['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64']);

let added = 0;
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(owner, name)) continue;
    lock.packages[`node_modules/${name}`] = toLockEntry({ name, version, isDev: entry.dev === true });
    added += 1;
  }
}

if (added > 0) {
  const [root, ...rest] = Object.entries(lock.packages);
  // npm's own order, so that its next write changes nothing.
  rest.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries([root, ...rest]);
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(`package-lock.json: ${added} optional platform packages added\n`);

/** Looks for a package as Node does: in the owner's own node_modules, then in each folder above. */
function isLocked(owner, name) {
  for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in lock.packages) return true;
    if (at === '') return false;
  }
}

/** Writes the lock entry of a package that was never fetched, its platform read from its name. */
function toLockEntry({ name, version, isDev }) {
  const words = name.split('/').at(-1).split('-');
  const os = words.filter((word) => systems.has(word));
  const cpu = words.filter((word) => processors.has(word));
  if (!/^\d+\.\d+\.\d+$/.test(version) || os.length !== 1 || cpu.length !== 1) {
    throw new Error(
      `Failed to complete "package-lock.json": the platform or version of ${name}@${version} is not exact. ` +
        'Run npm install where the registry carries it.',
    );
  }
  const libc = words.includes('musl') || words.includes('musleabihf') ? 'musl' : 'glibc';
  return {
    version,
    cpu,
    ...(isDev ? { dev: true } : {}),
    ...(os[0] === 'linux' ? { libc: [libc] } : {}),
    optional: true,
    os,
  };
}
