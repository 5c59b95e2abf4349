/** The mask of a question whose answer always shows. */
export function neverMasked(): undefined {
  return undefined;
}
