import type { Contract, Operation, PathSegment } from '../../contract/contract.ts';
import { decodePathText } from '../../http/query.ts';
import { matchMixed } from '../../contract/router.ts';
import { closestWord, joinWords } from '../../errors/suggest.ts';
import { shorten } from '../message.ts';

/** Explains in one or two sentences why a request matches no operation, and suggests the nearest one. */
export interface UnknownExplainer {
  /** Explains an unknown path, given as sent or without the prefix of a server. */
  readonly explainPath: (method: string, path: string) => string;
  /** Explains an unknown method of a known path, given the allowed methods. */
  readonly explainMethod: (method: string, path: string, allowed: readonly string[]) => string;
}

/** The maximum number of operations named; a contract may have hundreds. */
const mostNamed = 5;
/** The maximum number of cached explanations: clients repeat wrong paths, and hostile ones must not fill the memory. */
const mostRemembered = 100;
/** The maximum length of a cached request; a longer path is explained each time, and shown cut. */
const longestRemembered = 200;

/** Creates the explainer of requests that match no operation. */
export function createUnknownExplainer({ operations }: Pick<Contract, 'operations'>): UnknownExplainer {
  const remembered = new Map<string, string>();
  const segments = operations.flatMap(({ path }) => path.segments);
  const literals = [...new Set(segments.flatMap((each) => (each.kind === 'literal' ? each.text : [])))];

  /** Lists the operations that are not named yet. */
  function describeContract(named: readonly Operation[]): string {
    const others = operations.filter((operation) => !named.includes(operation)).map(name);
    if (others.length === 0) return '';
    const shown = others.slice(0, mostNamed);
    const rest = others.length - shown.length;
    const list = joinWords(rest === 0 ? shown : [...shown, `${rest} more`], 'and');
    return ` The contract ${named.length === 0 ? 'has' : 'also has'} ${list}.`;
  }

  function remember(key: string, explain: () => string): string {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const text = explain();
    if (remembered.size < mostRemembered && key.length <= longestRemembered) remembered.set(key, text);
    return text;
  }

  return {
    explainPath: (method, path) =>
      remember(`${method} ${path}`, () => {
        const there = `There is nothing at ${shorten(path)}`;
        const nearest = findNearest(readWords(path, literals), operations);
        if (nearest === undefined) return `${there}: the contract has no such path.${describeContract([])}`;
        const { template } = nearest.path;
        // Prefers the operation with the sent method; without one, all operations of the path.
        const siblings = operations.filter((operation) => operation.path.template === template);
        const same = siblings.filter((operation) => operation.method === method);
        const meant = same.length === 0 ? siblings : same;
        const methods = meant.map((operation) => operation.method).join(', ');
        return `${there}: the nearest is ${methods} ${template}${describeTypo(path, template)}.${describeContract(meant)}`;
      }),
    explainMethod: (method, path, allowed) =>
      remember(`${method} ${path}`, () => {
        const not = `${shorten(method)} is not declared for ${shorten(path)}: it takes ${allowed.join(', ')}.`;
        const others = operations.filter((operation) => operation.method === method);
        const elsewhere = findNearest(readWords(path, literals), others);
        return elsewhere === undefined ? not : `${not} There is ${name(elsewhere)}.`;
      }),
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Renders the page for browsers at the root of a mock: the reason for the 404, and a link to the inspector. */
export function renderSignpost(input: {
  readonly title: string;
  readonly message: string;
  readonly inspector: string;
}): string {
  const title = escapeHtml(input.title);
  const inspector = escapeHtml(input.inspector);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}, mocked</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${title}</h1>
<p>This is a mock of it. ${escapeHtml(input.message)}</p>
<p><a href="${inspector}">Open the inspector</a>: requests, what is kept, faults and policy.</p>
</html>
`;
}

function name({ method, path }: Operation): string {
  return `${method} ${path.template}`;
}

/** Describes the difference between a path and the nearest one if it is easily overlooked. */
function describeTypo(path: string, template: string): string {
  if (path.length > 1 && path.replace(/\/+$/u, '') === template) return ', without a slash at its end';
  if (path.replaceAll(/\/{2,}/gu, '/') === template) return ', with single slashes';
  if (path.toLowerCase() === template.toLowerCase()) return ', in which upper and lower case count';
  if (path.endsWith(template)) return `, without ${shorten(path.slice(0, -template.length))} before it`;
  return template.endsWith(path) && path !== '/'
    ? `, with ${shorten(template.slice(0, -path.length))} before it`
    : '';
}

/** A segment of a path, and the similar word of the document, if any. */
interface Word {
  readonly sent: string;
  readonly meant: string | undefined;
}

/** The limits for comparison: longer input is no typo and slow to compare, but hostile clients send it. */
const longestSegment = 40;
const mostSegments = 12;

/** Splits a path into its segments that are not empty; returns none if there are too many. */
function readWords(path: string, literals: readonly string[]): readonly Word[] {
  const sent = path
    .split('/', mostSegments + 2)
    .slice(1)
    .filter((segment) => segment !== '')
    .map((segment) => decodePathText(segment.slice(0, 3 * longestSegment)));
  if (sent.length > mostSegments) return [];
  return sent.map((word) => {
    if (literals.includes(word)) return { sent: word, meant: word };
    // A typo rarely changes both ends of a word, and comparing only these words is fast.
    const [first, last] = [word[0]?.toLowerCase(), word.at(-1)?.toLowerCase()];
    const alike = literals.filter(
      (literal) => literal[0]?.toLowerCase() === first || literal.at(-1)?.toLowerCase() === last,
    );
    return { sent: word, meant: closestWord(word, alike) };
  });
}

/** The maximum number of extra or missing segments. */
const mostUnmatched = 2;
/** The cost of a typo, or of a parameter, which matches anything: less than that of an extra or missing segment. */
const doubtCost = 0.1;

interface Closeness {
  readonly cost: number;
  /** The number of correct or nearly correct words. Without any, two paths have nothing in common. */
  readonly words: number;
}

/** Finds the operation with the nearest path: few segments are missing, extra or misspelt. */
function findNearest(words: readonly Word[], candidates: readonly Operation[]): Operation | undefined {
  const backwards = words.toReversed();
  let nearest: Operation | undefined;
  let best: Closeness = { cost: Infinity, words: 0 };
  for (const candidate of candidates) {
    const { segments } = candidate.path;
    if (Math.abs(segments.length - words.length) > mostUnmatched) continue;
    for (const found of [compare(words, segments), compare(backwards, segments.toReversed())]) {
      const isBetter = found.cost < best.cost || (found.cost === best.cost && found.words > best.words);
      if (found.words > 0 && isBetter) {
        nearest = candidate;
        best = found;
      }
    }
  }
  return best.cost < mostUnmatched + 1 ? nearest : undefined;
}

/** Compares two paths from the start up to their first difference, and then from the end. */
function compare(words: readonly Word[], segments: readonly PathSegment[]): Closeness {
  const shorter = Math.min(words.length, segments.length);
  let right = 0;
  let doubts = 0;

  function isAlike(word: Word | undefined, segment: PathSegment | undefined): boolean {
    if (word === undefined || segment === undefined) return false;
    if (segment.kind === 'literal') {
      if (word.meant !== segment.text) return false;
      right += 1;
      doubts += word.sent === segment.text ? 0 : 1;
      return true;
    }
    if (segment.kind === 'mixed' && matchMixed(segment.literals, word.sent) === undefined) return false;
    doubts += 1;
    return true;
  }

  let head = 0;
  while (head < shorter && isAlike(words[head], segments[head])) {
    head += 1;
  }
  let tail = 0;
  while (head + tail < shorter && isAlike(words.at(-1 - tail), segments.at(-1 - tail))) {
    tail += 1;
  }
  const unusual = words.length + segments.length - 2 * (head + tail);
  return { cost: unusual + doubts * doubtCost, words: right };
}
