/**
 * One line of the table.
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} measured
 * @property {'times' | 'seconds' | 'microseconds' | 'count'} unit
 * @property {{ atLeast: number } | { atMost: number }} [bar] - Left out where the design sets none.
 * @property {string} raw - The medians that it was made of.
 */

/**
 * Whether a figure holds its bar; undefined where it has none.
 * @param {Figure} figure
 */
export function isMet({ measured, bar }) {
  if (bar === undefined) return undefined;
  return 'atLeast' in bar ? measured >= bar.atLeast : measured <= bar.atMost;
}
