import type { Contract, Operation } from '../../contract/contract.ts';
import { decodePathText } from '../../http/query.ts';
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
/** Creates the explainer of requests that match no operation. */
export function createUnknownExplainer({ operations }: Pick<Contract, 'operations'>): UnknownExplainer {
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

  return {
    explainPath(method, path) {
      const there = `There is nothing at ${shorten(path)}`;
      const nearest = findNearest(path, literals, operations);
      if (nearest === undefined) return `${there}: the contract has no such path.${describeContract([])}`;
      const { template } = nearest.path;
      // Prefers the operation with the sent method; without one, all operations of the path.
      const siblings = operations.filter((operation) => operation.path.template === template);
      const same = siblings.filter((operation) => operation.method === method);
      const meant = same.length === 0 ? siblings : same;
      const methods = meant.map((operation) => operation.method).join(', ');
      return `${there}: the nearest is ${methods} ${template}${describeTypo(path, template)}.${describeContract(meant)}`;
    },
    explainMethod(method, path, allowed) {
      const not = `${shorten(method)} is not declared for ${shorten(path)}: it takes ${allowed.join(', ')}.`;
      const others = operations.filter((operation) => operation.method === method);
      const elsewhere = findNearest(path, literals, others);
      return elsewhere === undefined ? not : `${not} There is ${name(elsewhere)}.`;
    },
  };
}

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The maximum number of paths that the page at the root links to. */
const mostLinked = 200;

/**
 * Renders the page for browsers at the root of a mock: the reason for the 404, and links to the paths that a browser can
 * open, to the inspector and to the description of the mock.
 *
 * @param input.origin - the origin that the client called
 * @param input.prefix - the prefix of the control interface
 */
export function renderSignpost(input: {
  readonly contract: Pick<Contract, 'title' | 'operations'>;
  readonly message: string;
  readonly origin: string;
  readonly prefix: string;
}): string {
  const { operations } = input.contract;
  const title = escapeHtml(input.contract.title);
  const [origin, prefix] = [input.origin, `${input.origin}${input.prefix}`].map(escapeHtml);
  const paths = operations
    .filter(({ method, path }) => method === 'GET' && path.segments.every(({ kind }) => kind === 'literal'))
    .map(({ path }) => escapeHtml(path.template));
  const links = paths.slice(0, mostLinked).map((path) => `<li><a href="${origin}${path}">${path}</a>`);
  const rest = paths.length > mostLinked ? `<p>And ${paths.length - mostLinked} more.</p>` : '';
  const list = links.length === 0 ? '' : `<ul>\n${links.join('\n')}\n</ul>\n${rest}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}, mocked</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;overflow-wrap:anywhere}</style>
<h1>${title}</h1>
<p>This is a mock of it. ${escapeHtml(input.message)}</p>
${list}
<p><a href="${prefix}/">Open the inspector</a>: requests, what is kept, faults and policy.</p>
<p><a href="${prefix}/docs">Read the reference</a>, or <a href="${prefix}/document">the document</a> as JSON.</p>
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

/** The limits for comparison: longer input is no typo and slow to compare, but hostile clients send it. */
const longestSegment = 40;
const mostSegments = 12;

/** The cost of a wrong segment; an extra or missing one costs 1. */
const wrongCost = 2;
/** The cost of a typo, or of a parameter, which matches anything. */
const doubtCost = 0.1;

/** Finds the operation with the nearest path, from its start or from its end. They must have a word in common. */
function findNearest(
  path: string,
  literals: readonly string[],
  candidates: readonly Operation[],
): Operation | undefined {
  const sent = path
    .split('/', mostSegments + 2)
    .filter((segment) => segment !== '')
    .map((segment) => decodePathText(segment.slice(0, 3 * longestSegment)));
  if (sent.length > mostSegments) return undefined;
  const meant = sent.map((word) => (literals.includes(word) ? word : closestWord(word, literals)));
  let nearest: Operation | undefined;
  let least = 3;
  for (const candidate of candidates) {
    const { segments } = candidate.path;
    const missing = segments.length - sent.length;
    for (const shift of [0, missing]) {
      let [cost, words] = [Math.abs(missing), 0];
      for (const [index, segment] of segments.entries()) {
        const word = sent[index - shift];
        const isWord = segment.kind === 'literal' && meant[index - shift] === segment.text;
        if (isWord) words += 1;
        if (word === undefined || (isWord && word === segment.text)) continue;
        cost += isWord || segment.kind !== 'literal' ? doubtCost : wrongCost;
      }
      // Of equally near paths, the one with more words in common is meant.
      cost -= words / 100;
      if (words > 0 && cost < least) [nearest, least] = [candidate, cost];
    }
  }
  return nearest;
}
