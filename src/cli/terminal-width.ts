/**
 * How many columns what reads a stream has: those of the terminal, or what COLUMNS says.
 *
 * @param stream - standard output, or standard error
 * @returns undefined where nothing says, as for a file or a pipe
 */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number | undefined {
  const told = Number(process.env['COLUMNS']);
  return stream.columns ?? (Number.isInteger(told) && told > 0 ? told : undefined);
}
