import { decodePathText } from '../../contract/parameters/decode-path-text.ts';
import type { PathSegment, PathTemplate } from '../../contract/path-template.ts';
import { wordDistance } from '../../errors/word-distance.ts';

/** What is longer is no slip, and comparing it takes long; hostile clients send it all the same. */
const longestSegment = 40;
const mostSegments = 12;
/** How many pairs of words are compared for a path; each takes a microsecond or two. */
const mostComparisons = 2000;

/** What it costs that one segment has to be left out or put in, in a path that is otherwise right. */
const segmentCost = 1;
/** More segments than these are not to be left out or put in. */
const highestCost = 2.5;
/** A parameter takes anything, so it says less than a word that is right. */
const parameterCost = 0.1;

interface Alignment {
  readonly cost: number;
  /** How many words are right, or nearly so. Without one, two paths have nothing in common. */
  readonly words: number;
}

/** Gives the cost of a word in the place of another, from 0 for the same to 1 for one that was not meant. */
type WordCost = (sent: string, literal: string) => number;

/** A slip seldom changes both ends of a word; to look at these alone is soon done. */
function mayBeMeant(sent: string, literal: string, allowed: number): boolean {
  return (
    Math.max(sent.length, literal.length) <= longestSegment &&
    Math.abs(sent.length - literal.length) <= allowed &&
    (sent[0] === literal[0] || sent.at(-1) === literal.at(-1))
  );
}

/** Compares words, each pair once, and so many pairs at most: there may be thousands of paths. */
function createWordCost(): WordCost {
  const known = new Map<string, number>();
  return (sentCase, literalCase) => {
    if (sentCase === literalCase) {
      return 0;
    }
    const sent = sentCase.toLowerCase();
    const literal = literalCase.toLowerCase();
    const longest = Math.max(sent.length, literal.length);
    const allowed = Math.max(1, Math.floor(longest / 3));
    if (!mayBeMeant(sent, literal, allowed)) {
      return 1;
    }
    const pair = `${sent}/${literal}`;
    const cost = known.get(pair);
    if (cost !== undefined) {
      return cost;
    }
    if (known.size >= mostComparisons) {
      return 1;
    }
    const distance = wordDistance(sent, literal);
    const made = distance > allowed ? 1 : 0.05 + distance / (longest + 1);
    known.set(pair, made);
    return made;
  };
}

function segmentAlignment(sent: string, segment: PathSegment, wordCost: WordCost): Alignment {
  switch (segment.kind) {
    case 'literal': {
      const cost = wordCost(sent, segment.text);
      return cost < 1 ? { cost, words: 1 } : { cost: highestCost, words: 0 };
    }
    case 'parameter':
      return { cost: sent === '' ? segmentCost : parameterCost, words: 0 };
    case 'mixed':
      return { cost: segment.pattern.test(sent) ? parameterCost : segmentCost, words: 0 };
  }
}

function better(left: Alignment, right: Alignment): Alignment {
  return right.cost < left.cost || (right.cost === left.cost && right.words > left.words) ? right : left;
}

function add(to: Alignment | undefined, { cost, words }: Alignment): Alignment {
  return { cost: (to?.cost ?? Infinity) + cost, words: (to?.words ?? 0) + words };
}

/** The cheapest way to turn the one into the other (Wagner and Fischer 1974), a segment at a time. */
function align(sent: readonly string[], segments: readonly PathSegment[], wordCost: WordCost): Alignment {
  const gap: Alignment = { cost: segmentCost, words: 0 };
  let above: readonly Alignment[] = [
    { cost: 0, words: 0 },
    ...segments.map((_, index) => ({ cost: (index + 1) * segmentCost, words: 0 })),
  ];
  for (const [row, word] of sent.entries()) {
    const current: Alignment[] = [{ cost: (row + 1) * segmentCost, words: 0 }];
    for (const [column, segment] of segments.entries()) {
      const replaced = add(above[column], segmentAlignment(word, segment, wordCost));
      const leftOut = add(above[column + 1], gap);
      const putIn = add(current[column], gap);
      current.push(better(better(replaced, leftOut), putIn));
    }
    above = current;
  }
  return above.at(-1) ?? gap;
}

/**
 * The path of a document that a path comes nearest to: few segments are missing, left over or misspelt.
 *
 * @param path - as it was sent
 * @returns undefined where none is near
 */
export function findNearestPath<T extends { readonly path: PathTemplate }>(
  path: string,
  candidates: readonly T[],
): T | undefined {
  const sent = path
    .split('/', mostSegments + 2)
    .slice(1)
    .filter((segment) => segment !== '')
    .map((segment) => decodePathText(segment.slice(0, 3 * longestSegment)));
  if (sent.length > mostSegments) {
    return undefined;
  }
  let nearest: { readonly candidate: T; readonly alignment: Alignment } | undefined;
  const wordCost = createWordCost();
  for (const candidate of candidates) {
    const { segments } = candidate.path;
    if (Math.abs(segments.length - sent.length) * segmentCost > highestCost) {
      continue;
    }
    const alignment = align(sent, segments, wordCost);
    if (
      alignment.words > 0 &&
      alignment.cost <= highestCost &&
      (nearest === undefined || better(nearest.alignment, alignment) === alignment)
    ) {
      nearest = { candidate, alignment };
    }
  }
  return nearest?.candidate;
}
