import { fileURLToPath } from 'node:url';
import { browserEntries } from './bundle-browser.js';
import { generateFiles } from './generate-files.js';
import { bundleLatePackages, latePackages } from './late-packages.js';
import { listChunkGroups } from './list-chunk-groups.js';
import { listEntries } from './list-entries.js';

/**
 * Bundles the entries of the package that run in Node alone. A dependency or peer of package.json stays outside and is loaded from
 * node_modules; any other package that is imported is one for development, and becomes part of the code.
 * What is imported dynamically stays a file that is loaded when it is needed.
 *
 * @returns {Promise<{ path: string, text: string, modules: string[] }[]>} the files of dist/, and the
 * modules that each is made of, as paths
 * @throws Error for whatever the bundler warns of, an import that cannot be resolved among it
 */
export async function bundle({ rolldown, manifest, folder }) {
  const outside = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
  const entries = listEntries(manifest, '.js').filter((entry) => !browserEntries.includes(entry));
  const code = await generateFiles({
    rolldown,
    options: {
      cwd: folder,
      input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
      platform: 'node',
      plugins: [plainWidth, yamlAsModules, latePackages],
      external: (specifier) => outside.has(toPackageName(specifier)),
    },
    output: {
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups: listChunkGroups(folder) },
    },
  });
  return [...code, ...(await bundleLatePackages({ rolldown, folder }))];
}

/**
 * Measures the help, which is English, by its characters. The package that yargs measures it with knows every script and
 * emoji, for which it loads so much of Unicode that each start would take a tenth longer.
 */
const plainWidth = {
  name: 'plain-width',
  resolveId: (specifier) => (specifier === 'string-width' ? 'plain-width' : null),
  load: (id) =>
    id === 'plain-width'
      ? `import { stripVTControlCharacters } from 'node:util';
export default (text) => stripVTControlCharacters(text).length;`
      : null,
};

/**
 * Takes the package yaml as it is made for browsers: modules, of which only what is needed becomes part of the code. For Node it
 * has CommonJS, each file of which is a function that runs at the start.
 */
const yamlAsModules = {
  name: 'yaml-as-modules',
  resolveId: (specifier) =>
    specifier === 'yaml'
      ? fileURLToPath(import.meta.resolve('yaml').replace('/dist/', '/browser/dist/'))
      : null,
};

/** Reads `name` or `@scope/name` off an import; of a path it makes no package's name. */
function toPackageName(specifier) {
  return /^(@[^/]+\/)?[^/]+/u.exec(specifier)?.[0];
}
