/**
 * @param {number} value
 * @param {number} [digits] - after the point
 */
export function formatNumber(value, digits = 0) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
