/**
 * The code of an error of Node or of a library on it, such as `ECONNREFUSED`.
 *
 * @returns an empty string where it has none
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
