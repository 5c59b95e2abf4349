import {
  type BodyEdit,
  editedTokens,
  isEditedTo,
  isIdPlace,
  type PlainBody,
  put,
  putNumber,
  uniqueWords,
} from '../src/arbitrary/plain-body.ts';
import { numbersOf } from '../src/arbitrary/plain-number.ts';
import { type Body, joinParts } from '../src/arbitrary/request-case.ts';
import { plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import { requestPath } from '../src/contract/item-properties.ts';
import { appendPointer, memberAt } from '../src/json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonValue } from '../src/json/value.ts';
import { schemaAt } from '../src/schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../src/schema/walk.ts';

/** The length of a text without a declared limit, and the longest that is sent. */
const [usualLength, longest] = [300, 2_000];

/** A property of a representation, by its names from the outermost object. */
interface Place {
  readonly names: readonly string[];
  readonly value: JsonValue;
}

/** Returns the properties of a representation, those of nested objects too. */
function placesIn(value: JsonValue | undefined, names: readonly string[] = []): readonly Place[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    { names: [...names, name], value: member },
    ...placesIn(member, [...names, name]),
  ]);
}

function representationOf(operation: Operation) {
  const { body } = plainRequest(operation);
  if (body?.kind !== 'body' || body.body.notation !== undefined) return undefined;
  const path = requestPath(operation);
  return { body: body.body, path, places: placesIn(memberAt(body.body.fullest, path)) };
}

/** Returns edits to values that programs cut or round; the first that is valid is sent. */
function boundaryEdits(at: string, { value }: Place, schema: JsonSchema): readonly BodyEdit[] {
  const parts = schemasInPlace(schema, schema);
  const bounds = (keyword: string): readonly number[] =>
    numbersOf(parts, [keyword]).map((number) => Number(String(number)));
  if (typeof value === 'string') {
    const length = Math.min(longest, ...bounds('maxLength'), usualLength);
    const most = Math.min(longest, ...bounds('maxLength'));
    // Letters alone: how a service counts other characters is up to it.
    return [most, length].map((count) =>
      put(at, `${'Every word counts '.repeat(count).slice(0, count - 1)}Z`),
    );
  }
  if (Array.isArray(value)) return longestArray(at, value, bounds('maxItems'));
  if (!isJsonNumber(value)) return [];
  const high = Math.min(...bounds('maximum'), 1_000);
  if (schemaTypes(schema).has('number'))
    return [putNumber(at, String(high - 0.876_543)), putNumber(at, '0.123457')];
  return Number.isFinite(Math.min(...bounds('maximum'))) ? [putNumber(at, String(high))] : [];
}

/** Returns an edit to an array of texts: as many as it may have, at most eight, and not in the order of the alphabet. */
function longestArray(
  at: string,
  [first]: readonly JsonValue[],
  most: readonly number[],
): readonly BodyEdit[] {
  if (typeof first !== 'string') return [];
  const count = Math.min(8, ...most);
  const texts = [...Array(count).keys()].map((index) => `${'hgfedcba'.charAt(index)}${first.slice(1)}`);
  return count > 1 ? [put(at, texts)] : [];
}

/** Returns the fullest body of an operation with null for each property that may be null; undefined if there is none. */
export function nullBody(operation: Operation | undefined): Body | undefined {
  const found =
    operation === undefined || operation.kind.kind === 'update' ? undefined : representationOf(operation);
  if (found === undefined) return undefined;
  const { body, path, places } = found;
  const edits = places
    .filter(({ names }) => names.length === 1)
    .map(({ names }) => put(appendPointer('', ...path, ...names), null))
    .filter(({ at }) => !isIdPlace(body, at))
    .filter((edit) => isEditedTo(body, { base: body.fullest, edits: [edit] }));
  return edits.length === 0 ? undefined : toBody(body, edits);
}

/**
 * Returns the fullest body of an operation with texts of their greatest length, numbers with many decimals and integers
 * at their maximum; undefined where no value can be changed.
 */
export function boundaryBody(operation: Operation | undefined): Body | undefined {
  const found = operation && representationOf(operation);
  if (found === undefined) return undefined;
  const { body, path, places } = found;
  const edits = places.flatMap((place): readonly BodyEdit[] => {
    const names = [...path, ...place.names];
    const at = appendPointer('', ...names);
    const schema = schemaAt(body.schema?.schema, names);
    const name = place.names.at(-1) ?? '';
    // Many services want a name once; then a fixed one is refused the second time.
    const mayBeUnique = uniqueWords.test(name) && memberAt(body.smallest, names) !== undefined;
    if (!isJsonObject(schema) || mayBeUnique || isIdPlace(body, at)) {
      return [];
    }
    const edit = boundaryEdits(at, place, schema).find((each) =>
      isEditedTo(body, { base: body.fullest, edits: [each] }),
    );
    return edit === undefined ? [] : [edit];
  });
  return edits.length === 0 ? undefined : toBody(body, edits);
}

/** Returns the fullest body of an operation with one value that its schema refuses; undefined where there is none. */
export function halfValidBody(operation: Operation | undefined): Body | undefined {
  const found = operation && representationOf(operation);
  if (found === undefined) return undefined;
  const { body, path, places } = found;
  if (places.length < 2) return undefined;
  const wrong = places
    .filter(({ names }) => names.length === 1)
    .map(({ names, value }) =>
      put(appendPointer('', ...path, ...names), isJsonObject(value) ? 17 : { wrong: true }),
    )
    .filter(({ at }) => !isIdPlace(body, at));
  return wrong.map((edit) => toBody(body, [edit], 'invalid')).findLast((each) => each !== undefined);
}

function toBody(
  body: PlainBody,
  edits: readonly BodyEdit[],
  wanted: 'valid' | 'invalid' = 'valid',
): Body | undefined {
  const tokens = editedTokens(body, { base: body.fullest, edits, wanted });
  return tokens && joinParts(tokens);
}
