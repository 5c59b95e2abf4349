import { browserEntries } from './bundle-browser.js';
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
  const bundler = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    external: (specifier) => outside.has(toPackageName(specifier)),
    // What one command loads at once, another may load late.
    checks: { ineffectiveDynamicImport: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await bundler.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: listChunkGroups(folder) },
    // A stack names functions as they are called in the source, and each module is headed by its path.
    minify: false,
  });
  return output.map(({ fileName, code, modules }) => ({
    path: fileName,
    text: code,
    modules: Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([path]) => path),
  }));
}

/** Reads `name` or `@scope/name` off an import; of a path it makes no package's name. */
function toPackageName(specifier) {
  return /^(@[^/]+\/)?[^/]+/u.exec(specifier)?.[0];
}
