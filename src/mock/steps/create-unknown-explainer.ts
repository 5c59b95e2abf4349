import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { shorten } from '../content/shorten.ts';
import { findNearestPath } from './find-nearest-path.ts';

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
  if (path.length > 1 && path.replace(/\/+$/u, '') === template) {
    return ', without a slash at its end';
  }
  if (path.replaceAll(/\/{2,}/gu, '/') === template) {
    return ', with single slashes';
  }
  if (path.toLowerCase() === template.toLowerCase()) {
    return ', in which upper and lower case count';
  }
  if (path.endsWith(template)) {
    return `, without ${shorten(path.slice(0, -template.length))} before it`;
  }
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
    if (others.length === 0) {
      return '';
    }
    const shown = others.slice(0, mostNamed);
    const rest = others.length - shown.length;
    const list = join(rest === 0 ? shown : [...shown, `${rest} more`]);
    return ` The contract ${named.length === 0 ? 'has' : 'also has'} ${list}.`;
  }

  function explainPath(method: string, path: string): string {
    const nearest = findNearestPath(path, operations);
    const there = `There is nothing at ${shorten(path)}`;
    if (nearest === undefined) {
      return `${there}: the contract has no such path.${describeContract([])}`;
    }
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
    if (known !== undefined) {
      return known;
    }
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
