import fc, { type Arbitrary } from 'fast-check';
import { ExactNumber } from '../json/exact-number.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { BodyKey } from './body-key.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { KeyClass } from './key-slot.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** Where numbers of 32 bits, of a double and of 64 bits end, and their neighbours. */
const ends = [
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '4294967296',
  '-2147483648',
  '-2147483649',
  '-9007199254740992',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
/** Numbers with digits that a careless reader loses. */
const fractions = ['0.1', '1.5', '-0.5', '3.141592653589793238', '1e-7', '123456789.123456789'];

function putKey(key: BodyKey, keyClass: KeyClass): readonly BodyEdit[] {
  const value = key.classes.get(keyClass) ?? null;
  return [{ kind: 'put', at: key.pointer, value, text: [{ slot: 0, class: keyClass, variant: 'itself' }] }];
}

/**
 * Valid bodies in which one number is not what anybody would send. A key is drawn from a class of such
 * numbers as the request leaves.
 */
export function extremeNumbers(body: PlainBody): Cases<Body> {
  const { key } = body;
  const keyClasses = key?.isNumber === true ? [...key.classes.keys()].filter((name) => name !== 'plain') : [];
  const places = valuePlaces(body.fullest)
    .filter(
      ({ at, value }) => (typeof value === 'number' || value instanceof ExactNumber) && at !== key?.pointer,
    )
    .map(({ at }) => at);
  const ofKey = key === undefined ? [] : keyClasses.map((name) => putKey(key, name));
  const literal = (at: string, text: string): readonly BodyEdit[] => [
    { kind: 'put', at, value: toJsonNumber(text), text: [text] },
  ];
  const edits = [
    ...ofKey,
    ...[...ends, ...fractions].flatMap((text) => places.map((at) => literal(at, text))),
  ];
  const anyNumber = fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, fraction]) => `${whole}.${fraction}1`),
  );
  const ofPlace =
    places.length === 0
      ? []
      : [fc.tuple(fc.constantFrom(...places), anyNumber).map(([at, text]) => literal(at, text))];
  const choices: Arbitrary<readonly BodyEdit[]>[] = [
    ...(ofKey.length === 0 ? [] : [fc.constantFrom(...ofKey)]),
    ...ofPlace,
  ];
  return editCases({
    body,
    wanted: 'valid',
    edits,
    random: choices.length === 0 ? undefined : fc.oneof(...choices),
  });
}
