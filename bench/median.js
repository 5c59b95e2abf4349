import { quantile } from './quantile.js';

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}
