/**
 * Bundles entries as modules, unminified: a stack names functions as they are called in the source, and each module is
 * headed by its path.
 *
 * @param input.options - of rolldown
 * @param input.output - further options of its output, the names of chunks among them
 * @returns {Promise<{ path: string, text: string, modules: string[] }[]>} files of dist/, and the modules that each
 * is made of, as paths
 * @throws Error for whatever the bundler warns of
 */
export async function generateFiles({ rolldown, options, output }) {
  const bundler = await rolldown({
    ...options,
    // What one entry loads at once, another may load late.
    checks: { ineffectiveDynamicImport: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const generated = await bundler.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    minify: false,
    ...output,
  });
  return generated.output.map(({ fileName, code, modules }) => ({
    path: fileName,
    text: code,
    modules: Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([path]) => path),
  }));
}
