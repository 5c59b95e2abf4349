import { median } from './median.js';

/**
 * One line of the table.
 * @typedef {object} Figure
 * @property {string} key - Its name in history.jsonl.
 * @property {string} name
 * @property {readonly number[]} values - One for each round.
 * @property {'times' | 'microseconds'} unit
 * @property {{ atLeast: number } | { atMost: number }} bar
 * @property {string} raw - The medians that it was made of.
 */

/**
 * The median of the rounds.
 * @param {Figure} figure
 */
export const measuredOf = ({ values }) => median([...values]);

/**
 * Whether a figure holds its bar.
 * @param {Figure} figure
 */
export function isMet(figure) {
  const { bar } = figure;
  return 'atLeast' in bar ? measuredOf(figure) >= bar.atLeast : measuredOf(figure) <= bar.atMost;
}
