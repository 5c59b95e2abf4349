import type { CharacterBoundary } from '../../check/boundary.ts';
import { type CharacterClass, characterClasses } from '../../check/character-classes.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { Prober } from './prober.ts';

/** Classes that are rather refused together, by one rule. */
const families: readonly (readonly CharacterClass[])[] = [
  ['nul', 'controls'],
  ['space'],
  ['digits'],
  ['capitals'],
  ['punctuation'],
  ['c1-controls', 'latin-1', 'combining', 'invisible', 'basic-plane', 'astral'],
];
/** How many samples are tried at once, where one of many is refused. */
const groupSize = 4;
/** A list of what may be there refuses nearly all of these. */
const refusedByLists: readonly CharacterClass[] = ['nul', 'controls', 'punctuation', 'basic-plane', 'astral'];
/** The most of the samples of such a class that a list may allow. */
const mostAllowed = 6;

// `as`: the keys of the record are the classes, by its type.
const classNames = Object.keys(characterClasses) as readonly CharacterClass[];

interface CharacterSearch {
  readonly prober: Pick<Prober, 'put' | 'putAgain'>;
  readonly place: JsonPointer;
  readonly letters: string;
  /** The most characters that a text may have. */
  readonly longest: number;
}

function chunk<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return items.length === 0 ? [] : [items.slice(0, size), ...chunk(items.slice(size), size)];
}

/** The samples that are refused wherever they stand alone among letters. */
async function findRefused(search: CharacterSearch, samples: readonly string[]): Promise<readonly string[]> {
  const { prober, place, letters, longest } = search;
  const text = `a${samples.join('')}${letters}`;
  const isTooLong = new TextEncoder().encode(text).length > longest;
  if (isTooLong && samples.length === 1) {
    return [];
  }
  const verdict = isTooLong ? 'unclear' : (await prober.put(place, text)).verdict;
  if (verdict === 'taken') {
    return [];
  }
  if (samples.length === 1) {
    return verdict === 'refused' ? samples : [];
  }
  const size = samples.length > groupSize ? groupSize : 1;
  const refused: string[] = [];
  for (const group of chunk(samples, size)) {
    refused.push(...(await findRefused(search, group)));
  }
  return refused;
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
  family: readonly CharacterClass[],
  all: ReadonlySet<string>,
): CharacterBoundary | undefined {
  const samples = family.flatMap((name) => characterClasses[name].samples);
  const [first, ...others] = samples.filter((sample) => all.has(sample));
  if (first === undefined) {
    return undefined;
  }
  const order = classNames.flatMap((name) => characterClasses[name].samples);
  const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
  const accepted = order
    .filter((sample) => !all.has(sample) && codePoint(sample) < codePoint(first))
    .toSorted((left, right) => codePoint(left) - codePoint(right))
    .at(-1);
  const classes = family.filter((name) => characterClasses[name].samples.every((sample) => all.has(sample)));
  return { what: 'characters', place, classes, refused: [first, ...others], accepted };
}

/**
 * Finds the characters that a service refuses in a text of letters, each alone, and sums them up.
 *
 * @returns one boundary for each kind of characters that a rule speaks of; one for all where letters and little
 * else are taken
 */
export async function findCharacterBoundaries(
  search: CharacterSearch,
): Promise<readonly CharacterBoundary[]> {
  const refused = new Set<string>();
  for (const name of classNames) {
    for (const sample of await findRefused(search, characterClasses[name].samples)) {
      refused.add(sample);
    }
  }
  const { place, prober, letters } = search;
  const all = classNames.flatMap((name) => characterClasses[name].samples);
  const boundaries = isList(refused)
    ? [toBoundary(place, classNames, refused)].flatMap((boundary) =>
        boundary === undefined ? [] : [{ ...boundary, but: all.filter((sample) => !refused.has(sample)) }],
      )
    : families.flatMap((family) => toBoundary(place, family, refused) ?? []);
  const confirmed: CharacterBoundary[] = [];
  for (const boundary of boundaries) {
    // With another key, so that it is not the key that was refused.
    const again = await prober.putAgain(place, `a${boundary.refused[0]}${letters}`);
    confirmed.push(...(again.verdict === 'refused' ? [boundary] : []));
  }
  return confirmed;
}
