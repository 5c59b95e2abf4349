import type { TextLocation } from '../../document/located-problem.ts';

const places = new WeakMap<object, TextLocation>();

/** Notes where a row was read, so that whoever finds it wrong can say so. */
export function notePlace(row: object, place: TextLocation): void {
  places.set(row, place);
}

/** Where a row was read: `orders.yaml:12:3`; undefined where it comes from no text. */
export function placeOfRow(row: unknown): string | undefined {
  const place = typeof row === 'object' && row !== null ? places.get(row) : undefined;
  return place === undefined ? undefined : `${place.file}:${place.line}:${place.column}`;
}

/** The file that a row was read from. */
export function fileOfRow(row: unknown): string | undefined {
  return typeof row === 'object' && row !== null ? places.get(row)?.file : undefined;
}
