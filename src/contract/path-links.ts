import { resolveObject } from '../document/references.ts';
import { headerValue, type HeaderList } from '../http/message.ts';
import { appendPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type BareOperation, withoutNames } from './operation-reading.ts';
import { isSuccess } from './responses.ts';

/** The source of the value of a path parameter: a response of another operation. */
export interface PathLink {
  /** The id of the operation whose response contains the value. */
  readonly source: string;
  /** A runtime expression (OpenAPI 3.1 §4.8.20.4), or `location` for the path parameter in Location. */
  readonly expression: string;
}

/**
 * Finds path parameters whose values come from responses: by `links` of a success (OpenAPI 3.1 §4.8.20), or by
 * `Location` if only one operation sends it to a path that is not otherwise connected with the operation.
 *
 * @param isConnected - whether the path of the items that an operation creates is known
 * @returns links by the path up to the parameter, without parameter names: `/progress/{}`
 */
export function findPathLinks(
  root: JsonObject,
  operations: readonly BareOperation[],
  isConnected: (operation: BareOperation) => boolean,
): { readonly byPath: ReadonlyMap<string, PathLink>; readonly byLocation: PathLink | undefined } {
  const byPath = new Map<string, PathLink>();
  const senders: string[] = [];
  for (const operation of operations) {
    const successes = operation.responses.filter(isSuccess);
    const hasLocation = successes.some(({ headers }) =>
      headers.some(({ name }) => name.toLowerCase() === 'location'),
    );
    if (hasLocation && operation.method !== 'GET' && !isConnected(operation)) senders.push(operation.id);
    for (const { pointer } of successes) {
      const { links } = resolveObject(root, pointer)?.value ?? {};
      for (const name of Object.keys(isJsonObject(links) ? links : {})) {
        const link = resolveObject(root, appendPointer(pointer, 'links', name))?.value;
        const target = link && findTarget(link, operations);
        for (const [parameter, expression] of parametersOf(link ?? {})) {
          const path = target && pathUpTo(target.path.template, parameter);
          if (path !== undefined && !byPath.has(path)) byPath.set(path, { source: operation.id, expression });
        }
      }
    }
  }
  const [source, another] = senders;
  const isOnly = source !== undefined && another === undefined;
  return { byPath, byLocation: isOnly ? { source, expression: 'location' } : undefined };
}

function findTarget(link: JsonObject, operations: readonly BareOperation[]): BareOperation | undefined {
  const { operationId, operationRef } = link;
  if (typeof operationId === 'string') return operations.find(({ id }) => id === operationId);
  if (typeof operationRef !== 'string' || !operationRef.startsWith('#')) return undefined;
  const pointer = appendPointer('', ...pointerTokens(operationRef.slice(1)));
  return operations.find((operation) => operation.pointer === pointer);
}

/** Returns the parameters of a link with their expressions. `path.id` is the one in the path. */
function parametersOf({ parameters }: JsonObject): readonly (readonly [name: string, expression: string])[] {
  return Object.entries(isJsonObject(parameters) ? parameters : {}).flatMap(([name, expression]) =>
    typeof expression === 'string' ? [[name.replace(/^path\./u, ''), expression] as const] : [],
  );
}

function pathUpTo(template: string, parameter: string): string | undefined {
  const segments = template.split('/');
  const index = segments.indexOf(`{${parameter}}`);
  return index === -1 ? undefined : withoutNames(segments.slice(0, index + 1).join('/'));
}

/** The exchange that a runtime expression is evaluated on. */
export interface LinkedExchange {
  /** The JSON bodies of request and response; undefined if they are not JSON. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  /** The headers of the response. */
  readonly headers: HeaderList;
  /** The values of the path parameters of the request. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Evaluates a runtime expression on an exchange. Returns a text, or undefined if the exchange has no matching value.
 *
 * @example
 * evaluateLink('$response.body#/reference', exchange); // 'C-17'
 */
export function evaluateLink(expression: string, exchange: LinkedExchange): string | undefined {
  const [, side, place, rest = ''] =
    /^\$(request|response)\.(body|header|path)[.#]?(.*)$/su.exec(expression) ?? [];
  if (side === undefined)
    return expression.startsWith('$') || expression.includes('{$') ? undefined : expression;
  if (place === 'path') return exchange.path[rest];
  if (place === 'header')
    return side === 'response' ? headerValue(exchange.headers, rest.toLowerCase()) : undefined;
  const body = side === 'response' ? exchange.received : exchange.sent;
  const value = body === undefined ? undefined : resolvePointer(body, rest);
  if (typeof value === 'string') return value;
  return value !== undefined && isJsonNumber(value) ? stringifyJson(value) : undefined;
}
