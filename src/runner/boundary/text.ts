import {
  type Boundary,
  type CharacterBoundary,
  type CharacterClass,
  characterClasses,
  type LengthUnit,
} from '../../check/boundary.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import { type Bracket, findLimit, findRefusedCharacters, type Verdict } from '../../policy/find-limit.ts';
import type { BoundarySearch } from './boundary-search.ts';

/** Classes that one rule usually rejects together. */
const families: readonly (readonly CharacterClass[])[] = [
  ['nul', 'controls'],
  ['space'],
  ['digits'],
  ['capitals'],
  ['punctuation'],
  ['c1-controls', 'latin-1', 'combining', 'invisible', 'basic-plane', 'astral'],
];
/** Classes that an allow list rejects almost completely. */
const refusedByLists: readonly CharacterClass[] = ['nul', 'controls', 'punctuation', 'basic-plane', 'astral'];
/** The maximum number of samples of one of these classes that an allow list accepts. */
const mostAllowed = 6;

// `as`: the keys of the record are the classes, by its type.
const classNames = Object.keys(characterClasses) as readonly CharacterClass[];

interface CharacterSearch {
  readonly boundarySearch: Pick<BoundarySearch, 'put' | 'putAgain'>;
  readonly place: JsonPointer;
  readonly letters: string;
  /** The maximum length of a text, in characters. */
  readonly longest: number;
}

function isList(refused: ReadonlySet<string>): boolean {
  return refusedByLists.every((name) => {
    const { samples } = characterClasses[name];
    const allowed = samples.filter((sample) => !refused.has(sample));
    return allowed.length <= Math.min(mostAllowed, samples.length - 1);
  });
}

function toBoundary(
  place: JsonPointer,
  documentSet: readonly CharacterClass[],
  all: ReadonlySet<string>,
): CharacterBoundary | undefined {
  const samples = documentSet.flatMap((name) => characterClasses[name].samples);
  const [first, ...others] = samples.filter((sample) => all.has(sample));
  if (first === undefined) return undefined;
  const order = classNames.flatMap((name) => characterClasses[name].samples);
  const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
  const accepted = order
    .filter((sample) => !all.has(sample) && codePoint(sample) < codePoint(first))
    .toSorted((left, right) => codePoint(left) - codePoint(right))
    .at(-1);
  const classes = documentSet.filter((name) =>
    characterClasses[name].samples.every((sample) => all.has(sample)),
  );
  return { what: 'characters', place, classes, refused: [first, ...others], accepted };
}

/**
 * Finds the characters that a service rejects in a text of letters, each alone. Returns one boundary for each kind of
 * rule, or one for all if the service accepts little more than letters.
 */
export async function findCharacterBoundaries(
  search: CharacterSearch,
): Promise<readonly CharacterBoundary[]> {
  const { place, boundarySearch, letters, longest } = search;
  const probe = async (characters: string): Promise<Verdict> => {
    const text = `a${characters}${letters}`;
    const isTooLong = new TextEncoder().encode(text).length > longest;
    return isTooLong ? 'other' : (await boundarySearch.put(place, text)).verdict;
  };
  const refused = new Set<string>();
  for (const name of classNames) {
    const samples = await findRefusedCharacters(characterClasses[name].samples, probe);
    samples.forEach((sample) => refused.add(sample));
  }
  const all = classNames.flatMap((name) => characterClasses[name].samples);
  const boundaries = isList(refused)
    ? [toBoundary(place, classNames, refused)].flatMap((boundary) =>
        boundary === undefined ? [] : [{ ...boundary, but: all.filter((sample) => !refused.has(sample)) }],
      )
    : families.flatMap((documentSet) => toBoundary(place, documentSet, refused) ?? []);
  const confirmed: CharacterBoundary[] = [];
  for (const boundary of boundaries) {
    // With another id, to rule out the id as the cause.
    const again = await boundarySearch.putAgain(place, `a${boundary.refused[0]}${letters}`);
    confirmed.push(...(again.verdict === 'refused' ? [boundary] : []));
  }
  return confirmed;
}

type LengthSearch = Pick<CharacterSearch, 'boundarySearch' | 'place'>;

function createTextProbe({ boundarySearch, place }: LengthSearch): (text: string) => Promise<Verdict> {
  return async (text) => (await boundarySearch.put(place, text)).verdict;
}

/** Finds the last accepted length before a rejected one. Texts just within and past the limit must confirm it. */
async function findLengthLimit(
  search: LengthSearch & { readonly base: number },
  end: number,
): Promise<Bracket | undefined> {
  const probeText = createTextProbe(search);
  const probe = (length: bigint): Promise<Verdict> => probeText('a'.repeat(Number(length)));
  const base = BigInt(search.base);
  const bracket = { accepted: base, refused: BigInt(end) };
  const found = await findLimit(bracket, probe);
  if (found === undefined) return undefined;
  const { accepted, refused } = found;
  const step = refused - accepted;
  const beyond = [refused, refused + step, refused + 2n * step].filter((length) => length >= 0n);
  const within = [accepted, accepted - step, accepted - 2n * step].filter((length) =>
    step > 0n ? length >= base : length <= base,
  );
  for (const length of within) {
    if ((await probe(length)) !== 'accepted') return undefined;
  }
  for (const length of beyond) {
    // Other ids, to rule out that a single one explains the rejection.
    const { verdict } = await search.boundarySearch.putAgain(search.place, 'a'.repeat(Number(length)));
    if (verdict === 'accepted') return undefined;
  }
  return found;
}

/** Returns whether texts of a character that counts twice are rejected past half the limit. */
async function countsTwice(character: string, limit: number, search: LengthSearch): Promise<boolean> {
  const probe = createTextProbe(search);
  const half = Math.floor(limit / 2);
  return (
    half > 0 &&
    (await probe(character.repeat(half))) === 'accepted' &&
    (await probe(character.repeat(half + 1))) === 'refused'
  );
}

/** Finds the unit of a limit with non-ASCII texts: é has two bytes in UTF-8, and 😀 two units of UTF-16. */
async function findUnit(limit: number, search: LengthSearch): Promise<LengthUnit> {
  const probe = createTextProbe(search);
  for (const [character, unit] of [
    ['é', 'bytes'],
    ['😀', 'utf-16'],
  ] as const) {
    if ((await probe(character.repeat(limit))) === 'refused') {
      return (await countsTwice(character, limit, search)) ? unit : 'unknown';
    }
  }
  const areRefused = (await probe('😀'.repeat(limit + 1))) === 'refused';
  return areRefused ? 'code-points' : 'unknown';
}

/** Finds the maximum text length that a service accepts, between an accepted and a possibly rejected one. */
export async function findGreatestLength(
  input: LengthSearch & { readonly base: number; readonly longest: number },
): Promise<Boundary | undefined> {
  const { place, base, longest } = input;
  const found = longest > base ? await findLengthLimit(input, longest) : undefined;
  if (found === undefined) return undefined;
  const accepted = Number(found.accepted);
  return { what: 'length', place, accepted, refused: accepted + 1, unit: await findUnit(accepted, input) };
}

/** Finds the minimum text length that a service accepts, if it rejects an empty text. */
export async function findLeastLength(
  input: LengthSearch & { readonly base: number },
): Promise<Boundary | undefined> {
  const { place } = input;
  const probe = createTextProbe(input);
  const found = await findLengthLimit(input, 0);
  if (found === undefined) return undefined;
  const accepted = Number(found.accepted);
  if (accepted === 1 && (await probe(' ')) === 'refused' && (await probe('a ')) === 'accepted') {
    return { what: 'blank', place, accepted: 'a', refused: '' };
  }
  return { what: 'length', place, accepted, refused: accepted - 1, unit: 'unknown' };
}

/** Finds whether white space is rejected at the ends of a text of letters, but accepted within it. */
export async function findSpaceBoundary({
  boundarySearch,
  place,
  letters,
}: Omit<CharacterSearch, 'longest'>): Promise<Boundary | undefined> {
  const isRefused = async (text: string): Promise<boolean> =>
    (await boundarySearch.put(place, text)).verdict === 'refused' &&
    (await boundarySearch.putAgain(place, text)).verdict === 'refused';
  const within = `a ${letters}`;
  if ((await boundarySearch.put(place, within)).verdict !== 'accepted') return undefined;
  const atStart = await isRefused(` ${letters}`);
  const atEnd = await isRefused(`${letters} `);
  if (!atStart && !atEnd) return undefined;
  const oneEnd = atStart ? 'start' : 'end';
  return {
    what: 'white-space',
    place,
    at: atStart && atEnd ? 'either end' : oneEnd,
    accepted: within,
    refused: atStart ? ` ${letters}` : `${letters} `,
  };
}
