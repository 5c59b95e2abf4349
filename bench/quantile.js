/**
 * @param {readonly number[]} sorted - Ascending.
 * @param {number} share - 0.5 for the median, 0.99 for p99.
 * @returns {number} the nearest value that is not below the share; 0 of no values
 */
export function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
