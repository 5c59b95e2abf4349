import fc from 'fast-check';
import { toJsonNumber } from '../json/exact-number.ts';
import { appendPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import { holdsKnownValue } from '../schema/known-place.ts';
import { valuePlaces } from './edit-cases.ts';
import {
  applyEdits,
  type BodyEdit,
  isIdPlace,
  type PlainBody,
  plainTokens,
  put,
  putNumber,
} from './plain-body.ts';
import { type Body, type Cases, joinParts, type KeyPlaceholder, plainKey } from './request-case.ts';

const otherKey: KeyPlaceholder = { slot: 1, class: 'plain', variant: 'itself' };
const pastInt64: KeyPlaceholder = { slot: 0, class: 'past-int64', variant: 'itself' };
const overflow = '9223372036854775808';
const overflows = [overflow, '-9223372036854775809', '1e19', '18446744073709551616', '1e400'];

/** Returns edits that write integers in another notation. An id keeps its placeholder and is fresh. */
function integerEdits(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest).flatMap(({ at, value }) => {
    if (!isJsonNumber(value) || !/^-?\d+$/u.test(stringifyJson(value))) return [];
    const isKey = at === body.key?.pointer;
    const digits: Body = isKey ? [plainKey] : [stringifyJson(value)];
    const notations = ['.0', 'e0', 'E+0', '.00'].map((end) => put(at, value, [...digits, end]));
    if (holdsKnownValue(body.schema, body.fullest, at)) return notations;
    return [
      ...notations,
      // An id drawn fresh cannot be rejected because it already exists.
      ...(isKey ? [put(at, toJsonNumber(overflow), [pastInt64])] : []),
      ...['1e2', ...overflows].map((text) => putNumber(at, text)),
    ];
  });
}

function surrogateEdits(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest)
    .filter(({ at, value }) => typeof value === 'string' && !isIdPlace(body, at))
    .filter(({ at }) => !holdsKnownValue(body.schema, body.fullest, at))
    .flatMap(({ at, value }) =>
      [String.raw`"\ud800"`, String.raw`"a\udfffb"`].map((text) => put(at, value, [text])),
    );
}

/** Returns bodies with a repeated member, with the same value or with another. */
function repeatedMembers(tokens: Body, body: PlainBody): readonly Body[] {
  const [open] = tokens;
  if (open !== '{') return [];
  // Only members of the object itself with a single token; the first ones are enough.
  const members = tokens.flatMap((token, index) => {
    const value = tokens[index + 2];
    const ends = tokens[index + 3] === ',' || index + 4 === tokens.length;
    return tokens[index + 1] === ':' && value !== undefined && value !== '{' && value !== '[' && ends
      ? [[token, value] as const]
      : [];
  });
  const keyName = body.key === undefined ? undefined : JSON.stringify(body.key.property);
  return members.slice(0, 6).flatMap(([name, value]): Body[] => {
    const isText = typeof value === 'string' && value.startsWith('"');
    const isKnown =
      typeof name === 'string' &&
      holdsKnownValue(body.schema, body.fullest, appendPointer('', String(JSON.parse(name))));
    const otherValue = isText && !isKnown ? '"other"' : value;
    const other = name === keyName ? otherKey : otherValue;
    return [value, other].map((first) => ['{', name, ':', first, ',', ...tokens.slice(1)]);
  });
}

/**
 * Returns bodies that JSON readers interpret differently: integers in unusual notations or above 64 bits, a repeated
 * key, a byte order mark, lone surrogates.
 */
export function ambiguousBodies(body: PlainBody): Cases<Body> {
  const apply = (base: JsonValue, edit: BodyEdit): Body | undefined => {
    const edited = applyEdits(body, base, [edit]);
    return edited && joinParts(edited.tokens);
  };
  const plain = plainTokens(body);
  const edits = [...integerEdits(body).slice(0, 30), ...surrogateEdits(body).slice(0, 10)];
  const examples = [
    ...edits.map((edit) => apply(body.fullest, edit)).filter((made) => made !== undefined),
    ...repeatedMembers(plain, body).map((tokens) => joinParts(tokens)),
    joinParts(['\uFEFF', ...plain]),
  ];
  if (edits.length === 0) return { examples, arbitrary: undefined };
  const [fallback = []] = examples;
  const arbitrary = fc
    .tuple(body.arbitrary, fc.constantFrom(...edits))
    .map(([base, edit]) => apply(base, edit) ?? fallback);
  return { examples, arbitrary };
}
