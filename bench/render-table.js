import { isMet } from './figure.js';
import { formatNumber } from './format-number.js';

/** @import { Figure } from './figure.js' */

const verdicts = new Map([
  [true, 'met'],
  [false, '**missed**'],
  [undefined, ''],
]);

/**
 * Renders figures as a Markdown table, padded so that it can be read as it is.
 * @param {readonly Figure[]} figures
 */
export function renderTable(figures) {
  const rows = [
    ['figure', 'measured', 'bar', '', 'medians'],
    ...figures.map((figure) => [
      figure.name,
      renderMeasure(figure.measured, figure.unit),
      renderBar(figure),
      verdicts.get(isMet(figure)) ?? '',
      figure.raw,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

/** @param {Figure} figure */
function renderBar({ bar, unit }) {
  if (bar === undefined) return '';
  return 'atLeast' in bar ? `≥ ${renderMeasure(bar.atLeast, unit)}` : `≤ ${renderMeasure(bar.atMost, unit)}`;
}

/**
 * @param {number} value
 * @param {Figure['unit']} unit
 */
function renderMeasure(value, unit) {
  switch (unit) {
    case 'times':
      return `${formatNumber(value, 2)} ×`;
    case 'seconds':
      return `${formatNumber(value, 1)} s`;
    case 'microseconds':
      return `${formatNumber(value)} µs`;
    case 'count':
      return formatNumber(value);
  }
}
