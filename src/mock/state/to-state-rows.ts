import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Collections } from './create-collections.ts';
import type { StateRows } from './mock-state.ts';
import { fileOfRow } from './row-places.ts';

/** Rows by the path of their collection; or alone, where there is one collection that they can belong to. */
export type GivenRows = StateRows | readonly JsonObject[];

/** `as` cannot be spared: Array.isArray does not tell a read-only list. */
function isList(rows: GivenRows): rows is readonly JsonObject[] {
  return Array.isArray(rows);
}

function unusable(subject: string, reason: string, names: readonly string[]): ClocheError {
  const [name = '/orders'] = names;
  return new ClocheError('DATA_INVALID', {
    attempt: 'take the data of',
    subject,
    reason,
    remedy: `Give rows by the path of their collection: { "${name}": [ … ] }`,
  });
}

/**
 * Rows by the path of their collection.
 *
 * @param given - may be anything that came from outside
 * @throws ClocheError DATA_INVALID where it has another shape, or where rows alone may belong to several collections
 */
export function toStateRows(given: GivenRows, { names }: Collections): StateRows {
  if (isList(given)) {
    const [name] = names;
    if (name !== undefined && names.length === 1) {
      return { [name]: given };
    }
    const reason =
      names.length === 0
        ? 'they are rows alone, and the contract has no collection without parameters'
        : `they are rows alone, and may belong to ${names.slice(0, 10).join(' or ')}`;
    throw unusable(fileOfRow(given[0]) ?? 'a list of rows', reason, names);
  }
  if (typeof given !== 'object' || given === null) {
    throw unusable(String(given), 'it is neither a list of rows nor an object of such lists', names);
  }
  for (const [path, list] of Object.entries(given)) {
    if (!Array.isArray(list)) {
      throw unusable(path, 'it is not a list of rows', names);
    }
  }
  return given;
}
