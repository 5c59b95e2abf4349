import type { Contract, Operation, PathSegment, PathTemplate } from '../../contract/contract.ts';
import { decodePathText } from '../../contract/read-parameters.ts';
import { wordDistance } from '../../errors/suggest.ts';
import { shorten } from '../message.ts';

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
    if (sentCase === literalCase) return 0;
    const sent = sentCase.toLowerCase();
    const literal = literalCase.toLowerCase();
    const longest = Math.max(sent.length, literal.length);
    const allowed = Math.max(1, Math.floor(longest / 3));
    if (!mayBeMeant(sent, literal, allowed)) return 1;
    const pair = `${sent}/${literal}`;
    const cost = known.get(pair);
    if (cost !== undefined) return cost;
    if (known.size >= mostComparisons) return 1;
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
function findNearestPath<T extends { readonly path: PathTemplate }>(
  path: string,
  candidates: readonly T[],
): T | undefined {
  const sent = path
    .split('/', mostSegments + 2)
    .slice(1)
    .filter((segment) => segment !== '')
    .map((segment) => decodePathText(segment.slice(0, 3 * longestSegment)));
  if (sent.length > mostSegments) return undefined;
  let nearest: { readonly candidate: T; readonly alignment: Alignment } | undefined;
  const wordCost = createWordCost();
  for (const candidate of candidates) {
    const { segments } = candidate.path;
    if (Math.abs(segments.length - sent.length) * segmentCost > highestCost) continue;
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

/** Says in a sentence or two why a request leads nowhere, and where it may have been meant to lead. */
export interface UnknownExplainer {
  /** @param path - as it was sent, or without the prefix of a server */
  readonly explainPath: (method: string, path: string) => string;
  /** @param allowed - the methods that the path has */
  readonly explainMethod: (request: {
    readonly method: string;
    readonly path: string;
    readonly allowed: readonly string[];
  }) => string;
}

/** How many operations are named; a contract may have hundreds. */
const mostNamed = 5;
/** Clients ask for the same wrong path over and over; hostile ones must not fill the memory. */
const mostRemembered = 100;
/** A path that is longer is looked at each time, and cut where it is shown. */
const longestRemembered = 200;

function name({ method, path }: Operation): string {
  return `${method} ${path.template}`;
}

function join(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The operation with the method that was sent, where the path has it; else all of the path. */
function chooseMeant(
  operations: readonly Operation[],
  method: string,
  nearest: Operation,
): readonly Operation[] {
  const siblings = operations.filter(({ path }) => path.template === nearest.path.template);
  const meant = siblings.filter((operation) => operation.method === method);
  return meant.length === 0 ? siblings : meant;
}

/** What tells a path from the one that comes nearest to it, where that is easily overlooked. */
function describeSlip(path: string, template: string): string {
  if (path.length > 1 && path.replace(/\/+$/u, '') === template) return ', without a slash at its end';
  if (path.replaceAll(/\/{2,}/gu, '/') === template) return ', with single slashes';
  if (path.toLowerCase() === template.toLowerCase()) return ', in which upper and lower case count';
  if (path.endsWith(template)) return `, without ${shorten(path.slice(0, -template.length))} before it`;
  return template.endsWith(path) && path !== '/'
    ? `, with ${shorten(template.slice(0, -path.length))} before it`
    : '';
}

/** Prepares the explanation of requests that lead to no operation. */
export function createUnknownExplainer({ operations }: Pick<Contract, 'operations'>): UnknownExplainer {
  const remembered = new Map<string, string>();

  /** Of those that are not named already. */
  function describeContract(named: readonly Operation[]): string {
    const others = operations.filter((operation) => !named.includes(operation)).map(name);
    if (others.length === 0) return '';
    const shown = others.slice(0, mostNamed);
    const rest = others.length - shown.length;
    const list = join(rest === 0 ? shown : [...shown, `${rest} more`]);
    return ` The contract ${named.length === 0 ? 'has' : 'also has'} ${list}.`;
  }

  function explainPath(method: string, path: string): string {
    const nearest = findNearestPath(path, operations);
    const there = `There is nothing at ${shorten(path)}`;
    if (nearest === undefined) return `${there}: the contract has no such path.${describeContract([])}`;
    const meant = chooseMeant(operations, method, nearest);
    const { template } = nearest.path;
    const methods = meant.map((operation) => operation.method).join(', ');
    return `${there}: the nearest is ${methods} ${template}${describeSlip(path, template)}.${describeContract(meant)}`;
  }

  function explainMethod(request: {
    readonly method: string;
    readonly path: string;
    readonly allowed: readonly string[];
  }): string {
    const { method, path, allowed } = request;
    const not = `${shorten(method)} is not declared for ${shorten(path)}: it takes ${allowed.join(', ')}.`;
    const elsewhere = findNearestPath(
      path,
      operations.filter((operation) => operation.method === method),
    );
    return elsewhere === undefined ? not : `${not} There is ${name(elsewhere)}.`;
  }

  function remember(key: string, explain: () => string): string {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const text = explain();
    if (remembered.size < mostRemembered && key.length <= longestRemembered) {
      remembered.set(key, text);
    }
    return text;
  }

  return {
    explainPath: (method, path) => remember(`${method} ${path}`, () => explainPath(method, path)),
    explainMethod: (request) => remember(`${request.method} ${request.path}`, () => explainMethod(request)),
  };
}
