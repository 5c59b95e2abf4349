import fc, { type Arbitrary } from 'fast-check';
import type { JsonPointer } from '../json/pointer.ts';
import { editCases, valuePlaces } from './edit-cases.ts';
import { type BodyEdit, isEditedTo, isIdPlace, type PlainBody, put } from './plain-body.ts';
import type { Body, Cases } from './request-case.ts';

const controls = [...'\u0000\u0001\b\t\n\r\u001b\u001f\u007f\u0085\u2028'];
const spaces = [...' \t\n\u00a0\u2003'];
const marks = [...`"\\/'<>&%\${}\u0301\u200d\u202eaA`];

/** Above 64 KiB, a common limit of buffers and columns. */
const longestText = 70_000;

/** The range of surrogates, which are not characters. */
const surrogates = { first: 0xd800, count: 0x800 };
const characters = 0x11_0000 - surrogates.count;

/** Generates any Unicode character, and shrinks to `a`. The unit of fast-check takes most of a second to create. */
function anyCharacter(): Arbitrary<string> {
  const numbers = fc.oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0, max: characters - 1 }),
  );
  return numbers.map((number) => {
    const place = (number + 0x61) % characters;
    return String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);
  });
}

/**
 * Generates unusual texts from every plane of Unicode: controls, combining marks, right-to-left, padding, numbers,
 * great length. They shrink to short texts of letters.
 */
export function extremeText(): Arbitrary<string> {
  const padded = fc
    .tuple(fc.constantFrom(...spaces), fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom('', ...spaces))
    .map(([before, text, after]) => before + text + after);
  const repeated = fc
    .tuple(fc.constantFrom('a', 'é', '😀'), fc.nat(longestText))
    // Limits usually count bytes of UTF-8.
    .map(([character, bytes]) => character.repeat(bytes / new TextEncoder().encode(character).length));
  return fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-composite', maxLength: 40 }), weight: 4 },
    { arbitrary: fc.string({ unit: anyCharacter(), maxLength: 40 }), weight: 6 },
    { arbitrary: fc.string({ unit: fc.constantFrom(...controls, ...marks), maxLength: 20 }), weight: 4 },
    { arbitrary: padded, weight: 3 },
    { arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true })).map(String), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 40, maxLength: 2000 }), weight: 2 },
    { arbitrary: repeated, weight: 1 },
  );
}

/** The texts that most often cause errors in services. They are tried first, at every place with a text. */
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

/** Tried at all places together, because each may be fine alone. */
const together = ['', 'é', 'a'.repeat(1000)];

/** Also tried at every place, if there is room. */
const further = ['😀', '日本語', 'line\r\nbreak', '123', 'null', 'a'.repeat(256)];

/** Above 64 KiB, a common limit of buffers and columns, and above 100 KiB, a common limit of bodies. */
const longestString = 'a'.repeat(131_072);

/** Tried at one place only, to leave room for others in a body with many texts. */
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
  ...'007 2026-11-21 1e3 0x10 true undefined NaN'.split(' '),
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

/** The maximum number of groups. Further places share examples, and each gets one of each usual kind. */
const mostGroups = 5;
/** The minimum number of groups for optional places, regardless of the number of required ones. */
const fewestOptional = 2;

/** Groups places; neighbors, which are often similar, are in different groups. */
function groupPlaces(places: readonly JsonPointer[], most: number): readonly (readonly JsonPointer[])[] {
  const count = Math.min(most, places.length);
  return [...Array(count).keys()].map((group) => places.filter((_at, index) => index % count === group));
}

/** Returns valid bodies in which one text, or several if there are many, is unusual. */
export function extremeStrings(body: PlainBody): Cases<Body> {
  const places = valuePlaces(body.fullest)
    .filter(({ at, value }) => typeof value === 'string' && !isIdPlace(body, at))
    .map(({ at }) => at);
  const isValid = (edits: readonly BodyEdit[]): boolean => isEditedTo(body, { base: body.fullest, edits });
  // A text with an enumeration, a format or a pattern accepts none of them.
  const open = places.filter((at) => [...usual, ...further].some((text) => isValid([put(at, text)])));
  const first = open[0] ?? places[0];
  if (first === undefined) return { examples: [], arbitrary: undefined };
  // Required places have separate groups, which are also tried without the optional ones.
  const smallPlaces = new Set(valuePlaces(body.smallest).map(({ at }) => at));
  const required = open.filter((at) => smallPlaces.has(at));
  const optional = groupPlaces(
    open.filter((at) => !smallPlaces.has(at)),
    Math.max(fewestOptional, mostGroups - required.length),
  );
  const groups = [...groupPlaces(required, mostGroups - optional.length), ...optional];
  const fill = (group: readonly JsonPointer[], text: string): readonly BodyEdit[] => {
    const all = group.map((at) => put(at, text));
    if (isValid(all)) return all;
    // Some places reject the text, or require it to be unique.
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
  const rarely: JsonPointer = first;
  function* edits(): Generator<readonly BodyEdit[]> {
    for (const text of usual) yield* everywhere(text);
    yield* together.map((text) => fill(open, text)).filter((list) => list.length > 1);
    yield* everywhere(longestString);
    for (const text of further) yield* everywhere(text);
    yield* rare.map((text) => [put(rarely, text)]);
  }
  return editCases({ body, wanted: 'valid', edits: edits(), random, most: 80 });
}
