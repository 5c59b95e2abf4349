import fc, { type Arbitrary } from 'fast-check';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { extremeText } from './extreme-text.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** Tried at every place that holds a text. */
const usual = [
  '',
  ' padded ',
  'é',
  '日本語',
  '😀',
  'a\u0000b',
  'line\nbreak',
  'a "quoted" text',
  '123',
  'null',
  'a'.repeat(256),
  'a'.repeat(1000),
];

/** Tried at one place only, so that a body of many texts leaves room for the others. */
const rare = [
  'A',
  'Mixed Case Text',
  '\ttab\t',
  '   ',
  'back\\slash',
  '1e3',
  '0x10',
  'true',
  'undefined',
  'NaN',
  'e\u0301 é',
  'שלום',
  'مرحبا',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '𝒳 𐍈',
  '\u{10FFFF}',
  '\uFEFFtext',
  '\uFFFD',
  '\u0001\u001f\u007f\u0085',
  '\u2028\u2029',
  '\u202Etxet',
  '\u200B',
  'İıſß',
  '<b>&amp;</b><script>alert(1)</script>',
  "' OR '1'='1'; --",
  '%s%n%d',
  '${x}{{x}}#{x}',
  '../../etc/passwd',
  'a'.repeat(300),
  'a'.repeat(65_536),
  'é'.repeat(35_000),
];

function put(at: JsonPointer, value: string): readonly BodyEdit[] {
  return [{ kind: 'put', at, value }];
}

/** Valid bodies in which one text is not what anybody would send. */
export function extremeStrings(body: PlainBody): Cases<Body> {
  const places = valuePlaces(body.fullest)
    .filter(({ at, value }) => typeof value === 'string' && at !== body.key?.pointer)
    .map(({ at }) => at);
  const [first] = places;
  if (first === undefined) {
    return { examples: [], arbitrary: undefined };
  }
  const random: Arbitrary<readonly BodyEdit[]> = fc
    .tuple(fc.constantFrom(...places), extremeText())
    .map(([at, text]) => put(at, text));
  return editCases({
    body,
    wanted: 'valid',
    edits: [
      ...usual.flatMap((text) => places.map((at) => put(at, text))),
      ...rare.map((text) => put(first, text)),
    ],
    random,
  });
}
