import { canonicalPath, normalizePath } from '../http/path.ts';
import { isSuccessStatus } from '../http/status.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { Contract, Operation, PathSegment, PathTemplate, Resource } from './contract.ts';
import { decodePathText } from '../http/query.ts';
import { keptRole } from './resources.ts';
import { isShallow } from './shallow-routes.ts';
import { findDeclaredResponse, isSuccess, statusOf } from './responses.ts';

/** The result of routing a path. */
export interface Route {
  /** The operations of the path, by method in upper case. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The values of its parameters, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Entry {
  readonly segments: readonly PathSegment[];
  /** Paths that differ only in parameter names. Values are returned under the names of all of them. */
  readonly others: Map<string, readonly PathSegment[]>;
  readonly operations: Map<string, Operation>;
}

const noParameters: Readonly<Record<string, string>> = {};

/**
 * Parses the parameters of a segment that also has literal text; undefined if the text does not match. Each value is
 * non-empty and the shortest possible. One pass is enough: an early match leaves the most text for the rest.
 *
 * @param literals - the texts before, between and after the parameters
 */
export function matchMixed(literals: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const literal of others) {
    const to = text.indexOf(literal, from + 1);
    if (to === -1) return undefined;
    values.push(text.slice(from, to));
    from = to + literal.length;
  }
  return from < end ? [...values, text.slice(from, end)] : undefined;
}

/** Works like {@link matchMixed} for percent-encoded literals: `{name}#en` needs encoding. */
function matchEncoded(literals: readonly string[], text: string): readonly string[] | undefined {
  return text.includes('%') ? matchMixed(literals.map(canonicalPath), canonicalPath(text)) : undefined;
}

function capture(
  segments: readonly PathSegment[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (segment.kind === 'literal') {
      if (segment.text !== part && segment.text !== decodePathText(part)) return undefined;
    } else if (segment.kind === 'parameter') {
      if (part === '') return undefined;
      parameters[segment.name] = part;
    } else {
      const values = matchMixed(segment.literals, part) ?? matchEncoded(segment.literals, part);
      if (values === undefined) return undefined;
      for (const [position, name] of segment.names.entries()) parameters[name] = values[position] ?? '';
    }
  }
  return parameters;
}

/** Sorts concrete segments before templated ones (OpenAPI 3.1 §4.8.8). */
function byConcreteness(left: Entry, right: Entry): number {
  for (const [index, segment] of left.segments.entries()) {
    const rank = { literal: 0, mixed: 1, parameter: 2 } as const;
    const other = right.segments[index];
    if (other !== undefined && rank[segment.kind] !== rank[other.kind]) {
      return rank[segment.kind] - rank[other.kind];
    }
  }
  return 0;
}

/**
 * Indexes the paths of a contract. The router returns the route of a path without its query, if the document has one.
 * If paths differ only in parameter names, the first that declares a method handles it.
 */
export function createRouter(contract: Pick<Contract, 'operations'>): Router {
  const router = routers.get(contract) ?? buildRouter(contract);
  routers.set(contract, router);
  return router;
}

type Router = (path: string) => Route | undefined;

const routers = new WeakMap<object, Router>();

function buildRouter(contract: Pick<Contract, 'operations'>): Router {
  const entries = new Map<string, Entry>();
  for (const operation of contract.operations) {
    const { template, segments } = operation.path;
    const shape = template.replaceAll(/\{[^{}]*\}/gu, '{}');
    const entry = entries.get(shape) ?? { segments, others: new Map(), operations: new Map() };
    if (entry.segments !== segments) entry.others.set(template, segments);
    if (!entry.operations.has(operation.method)) entry.operations.set(operation.method, operation);
    entries.set(shape, entry);
  }
  const exact = new Map<string, Route>();
  const templated: Entry[] = [];
  /** Paths without parameters, for requests that percent-encode them. */
  const literal: Entry[] = [];
  for (const [template, entry] of entries) {
    if (entry.segments.every((segment) => segment.kind === 'literal')) {
      exact.set(template, { operations: entry.operations, parameters: noParameters });
      literal.push(entry);
    } else {
      templated.push(entry);
    }
  }
  templated.sort(byConcreteness);
  return (written) => {
    const path = normalizePath(written);
    const route = exact.get(path);
    if (route !== undefined) return route;
    const parts = path.split('/').slice(1);
    for (const { segments, others, operations } of path.includes('%')
      ? [...literal, ...templated]
      : templated) {
      const parameters = segments.length === parts.length ? capture(segments, parts) : undefined;
      if (parameters === undefined) continue;
      for (const other of others.values()) Object.assign(parameters, capture(other, parts));
      return { operations, parameters };
    }
    return undefined;
  };
}

/** The maximum number of URLs per server. Further combinations of its variables are ignored. */
const mostUrls = 64;

/** Returns the URLs of a server for the values of its variables, defaults first (OpenAPI 3.1 §4.8.6). */
function fillVariables(url: string, { variables }: JsonObject): readonly string[] {
  let urls: readonly string[] = [url];
  for (const [, name = ''] of url.matchAll(/\{([^}]*)\}/gu)) {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const { default: usual, enum: known } = isJsonObject(variable) ? variable : {};
    const values = [usual, ...(Array.isArray(known) ? known : [])].filter(
      (value) => typeof value === 'string',
    );
    if (values.length === 0) continue;
    urls = urls
      .flatMap((each) => [...new Set(values)].map((value) => each.replace(`{${name}}`, () => value)))
      .slice(0, mostUrls);
  }
  return urls;
}

/** Returns all server URLs, also relative ones, with variables filled in; those of paths and operations come last. */
export function listServerUrls({ root }: Pick<Contract, 'root'>): readonly string[] {
  const pathItems = Object.values(isJsonObject(root['paths']) ? root['paths'] : {}).filter(isJsonObject);
  const holders = [root, ...pathItems.flatMap((item) => [item, ...Object.values(item).filter(isJsonObject)])];
  const servers = holders.flatMap(({ servers: list }) =>
    Array.isArray(list) ? list.filter(isJsonObject) : [],
  );
  const urls = servers.flatMap((server) =>
    typeof server['url'] === 'string' ? fillVariables(server['url'], server) : [],
  );
  return [...new Set(urls)];
}

function parseSegment(text: string): PathSegment {
  const names = [...text.matchAll(/\{([^{}]+)\}/gu)].map((match) => match[1] ?? '');
  const [name] = names;
  if (name === undefined) return { kind: 'literal', text };
  if (text === `{${name}}`) return { kind: 'parameter', name };
  return { kind: 'mixed', literals: text.split(/\{[^{}]+\}/u), names };
}

/** Splits a path of a document at its slashes (OpenAPI 3.1 §4.8.8.1). */
export function parsePathTemplate(template: string): PathTemplate {
  return { template, segments: template.split('/').slice(1).map(parseSegment) };
}

/**
 * Returns the path prefixes of a document's servers: `/v1` of `https://api.example.com/v1`, without duplicates and
 * final slashes. Servers without a path, and invalid URLs, have no prefix.
 */
export function listServerPrefixes(contract: Pick<Contract, 'root'>): readonly string[] {
  const prefixes = listServerUrls(contract).flatMap((url) =>
    URL.canParse(url, 'http://mock.invalid')
      ? [new URL(url, 'http://mock.invalid').pathname.replace(/\/+$/u, '')]
      : [],
  );
  return [...new Set(prefixes.filter((prefix) => prefix !== ''))];
}

/**
 * Returns the operation for a method on a path. HEAD is GET without content (RFC 9110 §9.3.2) if HEAD is not declared,
 * or if GET reads stored resources.
 */
export function operationOf(route: Route | undefined, method: string): Operation | undefined {
  const own = route?.operations.get(method);
  const get = method === 'HEAD' ? route?.operations.get('GET') : undefined;
  return get !== undefined && keptRole(get) !== undefined ? get : (own ?? get);
}

/**
 * Returns the status of a HEAD, by default that of GET. If that is a success and HEAD declares only others, like 204,
 * it is the first of those.
 */
export function statusOfHead(route: Route | undefined, status: number): number {
  const successes = (route?.operations.get('HEAD')?.responses ?? []).filter(isSuccess);
  const [first] = successes;
  const isOther = first !== undefined && isSuccessStatus(status) && !findDeclaredResponse(successes, status);
  return isOther ? statusOf(first) : status;
}

/** A path and its route. The prefix of a server is removed if only the rest has a route. */
export interface FoundPath {
  readonly path: string;
  /** Undefined if no path of the document matches. */
  readonly route: Route | undefined;
}

/** Indexes the paths of a contract, which match with and without the prefix of a server. */
export function createPathFinder(contract: Contract): (path: string) => FoundPath {
  const route = createRouter(contract);
  const prefixes = listServerPrefixes(contract);
  return (path) => {
    const asItIs = route(path);
    if (asItIs !== undefined) return { path, route: asItIs };
    for (const prefix of prefixes) {
      const rest = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
      const found = rest === undefined ? undefined : route(rest);
      if (rest !== undefined && found !== undefined) return { path: rest, route: found };
    }
    return { path, route: undefined };
  };
}

/** Returns the concrete path of a collection in canonical spelling, with the parameters of a request path. */
export function concreteCollection(resource: Pick<Resource, 'collection' | 'shallow'>, path: string): string {
  if (!resource.collection.includes('{')) return canonicalPath(resource.collection);
  const named = canonicalPath(path);
  const parts = named.split('/');
  const template = isShallow(resource, named) ? resource.shallow : resource.collection;
  return (template ?? resource.collection)
    .split('/')
    .map((segment, index) => (segment.includes('{') ? (parts[index] ?? segment) : canonicalPath(segment)))
    .join('/');
}
