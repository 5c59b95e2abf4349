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
  const bundler = await rolldown({
    cwd: folder,
    input: Object.fromEntries(browserEntries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'browser',
    external: ['msw'],
    // What one entry loads at once, another may load late.
    checks: { ineffectiveDynamicImport: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await bundler.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/browser/[name]-[hash].js',
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
