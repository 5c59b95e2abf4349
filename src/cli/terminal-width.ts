/**
 * How many columns what reads a stream has: those of the terminal, or what COLUMNS says.
 *
 * @param stream - standard output, or standard error
 * @returns undefined where nothing says, as for a file or a pipe
 */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number | undefined {
  // A terminal that nobody gave a size, as in a container, has none.
  return [stream.columns, Number(process.env['COLUMNS'])].find(
    (columns) => columns !== undefined && Number.isInteger(columns) && columns > 0,
  );
}
