import fc, { type Arbitrary } from 'fast-check';
import type { JsonPointer } from '../json/json-pointer.ts';
import { applyEdits } from './apply-edits.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { extremeText } from './extreme-text.ts';
import { judgeValue } from './judge-value.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** The kinds that services trip over most: tried at every place that holds a text, before anything else. */
const usual = [
  '',
  ' padded ',
  'é',
  'a\u0000b',
  "it's",
  String.raw`a "quoted" \text`,
  '%s{{7*7}}<b>${x}',
  'a'.repeat(1000),
];

/** Tried at all places together: each may be fine alone. */
const together = ['', 'é', 'a'.repeat(1000)];

/** Tried at every place too, as far as there is room. */
const further = ['😀', '日本語', 'line\r\nbreak', '123', 'null', 'a'.repeat(256)];

/** Past 64 KiB, where buffers and columns end, and past 100 KiB, where bodies are not read on. */
const longest = 'a'.repeat(131_072);

/** Tried at one place only, so that a body of many texts leaves room for the others. */
const rare = [
  'A',
  'Mixed Case Text',
  '\ttab\t',
  '   ',
  'line\nbreak',
  'toString',
  '__proto__',
  'a'.repeat(128),
  'ends in \\',
  'a+b%20c',
  '007',
  '2026-11-21',
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
  '../../etc/passwd',
  'a'.repeat(300),
  'é'.repeat(35_000),
];

/** Places past this many share their examples, so that each has one of each usual kind. */
const mostGroups = 5;
/** Of the groups, so many are left to optional places however many required ones there are. */
const fewestOptional = 2;

function put(at: JsonPointer, value: string): BodyEdit {
  return { kind: 'put', at, value };
}

/** Neighbours, which are often alike, go to different groups. */
function groupPlaces(places: readonly JsonPointer[], most: number): readonly (readonly JsonPointer[])[] {
  const count = Math.min(most, places.length);
  return [...Array(count).keys()].map((group) => places.filter((_at, index) => index % count === group));
}

/** Valid bodies in which one text, or several where there are many, is not what anybody would send. */
export function extremeStrings(body: PlainBody): Cases<Body> {
  const places = valuePlaces(body.fullest)
    .filter(({ at, value }) => typeof value === 'string' && at !== body.key?.pointer)
    .map(({ at }) => at);
  const isValid = (edits: readonly BodyEdit[]): boolean => {
    const edited = applyEdits(body, body.fullest, edits);
    return edited !== undefined && judgeValue(body.schema, edited.value) === 'valid';
  };
  // A text of a list, a format or a pattern takes none of them.
  const open = places.filter((at) => [...usual, ...further].some((text) => isValid([put(at, text)])));
  const [first = places[0]] = open;
  if (first === undefined) {
    return { examples: [], arbitrary: undefined };
  }
  // What is always there has groups of its own, which are tried without what is optional too.
  const smallPlaces = new Set(valuePlaces(body.smallest).map(({ at }) => at));
  const required = open.filter((at) => smallPlaces.has(at));
  const optional = groupPlaces(
    open.filter((at) => !smallPlaces.has(at)),
    Math.max(fewestOptional, mostGroups - required.length),
  );
  const groups = [...groupPlaces(required, mostGroups - optional.length), ...optional];
  const fill = (group: readonly JsonPointer[], text: string): readonly BodyEdit[] => {
    const all = group.map((at) => put(at, text));
    if (isValid(all)) {
      return all;
    }
    // Some take no such text, or none that another has.
    return all.reduce<readonly BodyEdit[]>((edits, edit) => {
      const more = [...edits, edit];
      return isValid(more) ? more : edits;
    }, []);
  };
  const everywhere = (text: string): readonly (readonly BodyEdit[])[] =>
    groups.map((group) => fill(group, text)).filter((edits) => edits.length > 0);
  const one = fc.tuple(fc.constantFrom(...places), extremeText()).map(([at, text]) => put(at, text));
  const random: Arbitrary<readonly BodyEdit[]> = fc.uniqueArray(one, {
    selector: ({ at }) => at,
    minLength: 1,
    maxLength: 2,
  });
  return editCases({
    body,
    wanted: 'valid',
    edits: [
      ...usual.flatMap((text) => everywhere(text)),
      ...together.map((text) => fill(open, text)).filter((edits) => edits.length > 1),
      ...everywhere(longest),
      ...further.flatMap((text) => everywhere(text)),
      ...rare.map((text) => [put(first, text)]),
    ],
    random,
    most: 80,
  });
}
