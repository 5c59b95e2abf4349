import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';

const minute = 60_000;
const script = fileURLToPath(new URL('sbom.js', import.meta.url));
// `as`: npm writes its manifests, which have these members.
const readManifest = (path: string): { version: string; dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(new URL(`../${path}package.json`, import.meta.url), 'utf8')) as {
    version: string;
    dependencies?: Record<string, string>;
  };

beforeAll(() => buildWhenStale(), 2 * minute);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

test(
  'lists dependencies and bundled packages with versions, and nothing for development',
  { timeout: minute },
  () => {
    // `as`: CycloneDX 1.5 has these members.
    const sbom = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as {
      readonly bomFormat: string;
      readonly components: readonly Component[];
      readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    const purls = sbom.components.map(({ purl }) => purl);
    for (const name of ['yargs', 'ajv', 'preact', ...Object.keys(readManifest('').dependencies ?? {})]) {
      const { version } = readManifest(`node_modules/${name}/`);
      expect(purls).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
    expect(sbom.components.map(({ name }) => name)).not.toContain('vitest');
    expect(new Set(purls).size).toBe(purls.length);
    const direct = sbom.dependencies.find(({ ref }) => ref === `cloche@${readManifest('').version}`);
    expect(direct?.dependsOn).toContain(`yargs@${readManifest('node_modules/yargs/').version}`);
  },
);
