/** One byte as a backslash and three octal digits, which bash and its printf both read. */
export function octalEscape(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
