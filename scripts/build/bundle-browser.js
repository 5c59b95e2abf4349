import { generateFiles } from './generate-files.js';

/** The entries that run in a browser too, by their path without extension. */
export const browserEntries = ['src/browser', 'src/msw'];

/**
 * Bundles the entries that run in a browser too, packages and all, so that a page can load them as they are. They share
 * no file with the code for Node, which would bring Node's modules in. MSW stays outside: the app has its own.
 *
 * @returns {Promise<{ path: string, text: string, modules: string[] }[]>} files of dist/, and the modules that each
 * is made of, as paths
 * @throws Error for whatever the bundler warns of, a module of Node that is imported among it
 */
export async function bundleBrowser({ rolldown, folder }) {
  return generateFiles({
    rolldown,
    options: {
      cwd: folder,
      input: Object.fromEntries(browserEntries.map((entry) => [entry, `${entry}.ts`])),
      platform: 'browser',
      external: ['msw'],
    },
    output: { chunkFileNames: 'chunks/browser/[name]-[hash].js' },
  });
}
