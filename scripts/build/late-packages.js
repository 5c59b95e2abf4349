import { generateFiles } from './generate-files.js';

/** What `src/schema/late-packages.ts` gives out: the exports of a file of dist/ each, as code. */
const packages = {
  ajv: `export { Ajv2020, Name, _ } from 'ajv/dist/2020.js';
export { callRef } from 'ajv/dist/vocabularies/core/ref.js';`,
  re2js: `export { RE2JS } from 're2js';`,
};

/** A plugin by which `src/schema/late-packages.ts` loads its packages on the first call. Its callers cannot wait, so it requires them. */
export const latePackages = {
  name: 'late-packages',
  load: (id) =>
    /[\\/]src[\\/]schema[\\/]late-packages\.ts$/u.test(id)
      ? `import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export const loadAjv = () => load('./ajv.cjs');
export const loadRe2 = () => load('./re2js.cjs').RE2JS;`
      : null,
};

/**
 * Bundles those packages, beside the chunks that load them.
 *
 * @returns {Promise<{ path: string, text: string, modules: string[] }[]>} files of dist/, as of generateFiles
 * @throws Error as generateFiles does
 */
export async function bundleLatePackages({ rolldown, folder }) {
  return generateFiles({
    rolldown,
    options: {
      cwd: folder,
      input: Object.fromEntries(Object.keys(packages).map((name) => [`chunks/${name}`, `late:${name}`])),
      platform: 'node',
      plugins: [
        {
          name: 'late-package',
          // Relative to the folder, so that it finds node_modules.
          resolveId: (specifier) =>
            specifier.startsWith('late:') ? `${folder}${specifier.slice(5)}.js` : null,
          load: (id) => packages[id.startsWith(folder) ? id.slice(folder.length, -3) : ''] ?? null,
        },
      ],
    },
    output: { format: 'cjs', entryFileNames: '[name].cjs' },
  });
}
