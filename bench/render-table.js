import { isMet, measuredOf } from './figure.js';
import { formatNumber } from './format-number.js';

/** @import { Figure } from './figure.js' */

/**
 * Renders figures as a Markdown table, padded so that it can be read as it is.
 * @param {readonly Figure[]} figures
 * @param {Readonly<Record<string, unknown>>} before - the last line of the history
 */
export function renderTable(figures, before) {
  const rows = [
    ['figure', 'measured', 'spread', 'bar', '', 'before', 'medians'],
    ...figures.map((figure) => {
      const { name, values, unit, key, bar, raw } = figure;
      const render = (/** @type {number} */ value) => renderMeasure(value, unit);
      const last = before[key];
      return [
        name,
        render(measuredOf(figure)),
        `${render(Math.min(...values))} to ${render(Math.max(...values))}`,
        'atLeast' in bar ? `≥ ${render(bar.atLeast)}` : `≤ ${render(bar.atMost)}`,
        isMet(figure) ? 'met' : '**missed**',
        typeof last === 'number' ? render(last) : '',
        raw,
      ];
    }),
  ];
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

/**
 * @param {number} value
 * @param {Figure['unit']} unit
 */
function renderMeasure(value, unit) {
  return unit === 'times' ? `${formatNumber(value, 2)} ×` : `${formatNumber(value)} µs`;
}
