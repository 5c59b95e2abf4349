/**
 * Bundles entries as modules. Lines and names stay: a stack names functions as they are called in the source, and each
 * module is headed by its path. Comments go, and characters past ASCII are escaped, as one of them doubles the memory
 * that a file takes. A mock has 2.5 MB less to hold.
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
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    // Licences stay.
    comments: { jsdoc: false },
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
