/**
 * How many columns what reads standard output has: those of the terminal, or what COLUMNS says.
 *
 * @returns undefined where nothing says, as for a file or a pipe
 */
export function terminalWidth(): number | undefined {
  const told = Number(process.env['COLUMNS']);
  return process.stdout.columns ?? (Number.isInteger(told) && told > 0 ? told : undefined);
}
