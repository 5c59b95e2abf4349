// Prints the bill of materials of the package as CycloneDX: the dependencies, as npm lists them, and the packages that are
// bundled into dist/, as the last build wrote them into its licences. Usage: node scripts/sbom.js > cloche.cdx.json
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Lists the packages whose licences are quoted in a text of scripts/build/quote-licences.js.
 *
 * @param {string} licences - dist/THIRD-PARTY-LICENSES.txt
 * @returns {{ name: string, version: string, license: string }[]}
 */
function listBundled(licences) {
  const titles = licences.matchAll(/^-{80}\n(\S+) (\S+) \((.+)\)$/gmu);
  return [...titles].map(([, name, version, license]) => ({ name, version, license }));
}

/**
 * Adds bundled packages to a CycloneDX 1.5 document. A package that is a dependency too, of the same version, stays one component.
 *
 * @param {object} sbom - of `npm sbom`
 * @param {{ name: string, version: string, license: string }[]} bundled
 * @returns {object}
 */
function addBundled(sbom, bundled) {
  const own = sbom.metadata.component['bom-ref'];
  const known = new Set(sbom.components.map((component) => component['bom-ref']));
  const added = bundled.map(({ name, version, license }) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license }],
    properties: [{ name: 'cloche:bundled', value: 'dist' }],
  }));
  const refs = added.map((component) => component['bom-ref']);
  const isNew = (ref) => !known.has(ref);
  return {
    ...sbom,
    components: [...sbom.components, ...added.filter((component) => isNew(component['bom-ref']))],
    dependencies: [
      ...sbom.dependencies.map((entry) =>
        entry.ref === own ? { ...entry, dependsOn: [...new Set([...entry.dependsOn, ...refs])] } : entry,
      ),
      ...refs.filter(isNew).map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** Removes the packages for development. `npm sbom --omit dev` removes some dependencies too. */
function withoutDevelopment(sbom) {
  const isUsed = ({ properties = [] }) =>
    properties.every(({ name }) => name !== 'cdx:npm:package:development');
  const components = sbom.components.filter(isUsed);
  const refs = new Set([sbom.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((entry) => ({ ...entry, dependsOn: entry.dependsOn.filter((ref) => refs.has(ref)) }));
  return { ...sbom, components, dependencies };
}

function readSbom(folder) {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const text = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });
  return withoutDevelopment(JSON.parse(text));
}

const root = new URL('../', import.meta.url);
const bundled = listBundled(readFileSync(new URL('dist/THIRD-PARTY-LICENSES.txt', root), 'utf8'));
process.stdout.write(`${JSON.stringify(addBundled(readSbom(fileURLToPath(root)), bundled), undefined, 2)}\n`);
