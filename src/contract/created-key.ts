import { headerValue } from '../http/message.ts';
import { decodePathText } from '../http/query.ts';
import { memberAt } from '../json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { OperationKind } from './contract.ts';
import type { LinkedExchange } from './path-links.ts';
import { isCalledId, keyNames, singular } from './resource-key.ts';
import { isEnvelope } from './shapes.ts';

type Create = Extract<OperationKind, { readonly kind: 'create' }>;

/** The place of the created item in the response to a create, and its id. */
export interface ShownKey {
  /** The names of the members that lead to the item. */
  readonly path: readonly string[];
  readonly property: string;
  readonly key: JsonValue;
}

/** The source of the id of a created item. */
export type CreatedKey =
  | ({ readonly from: 'answer' } & ShownKey)
  /** The id that the client sent. */
  | { readonly from: 'request'; readonly key: JsonValue }
  /** The last segment of the path of `Location` (RFC 9110 §10.2.2), still encoded. */
  | { readonly from: 'location'; readonly segment: string };

/**
 * Finds the id in the response to a create: at the declared place, at the top, or in the only wrapper that has it
 * (`data`, or one named after the resource). A document may leave the wrapper untyped.
 */
export function findShownKey(create: Create, received: JsonValue | undefined): ShownKey | undefined {
  const { response, resource } = create;
  const names = idNames(create);
  const findIn = (path: readonly string[]): readonly ShownKey[] => {
    const item = memberAt(received, path);
    const property = names.find((each) => isKey(memberAt(item, [each])));
    const shown = property === undefined ? undefined : memberAt(item, [property]);
    return property === undefined || shown === undefined ? [] : [{ path, property, key: shown }];
  };
  const [declared] = [...findIn(response ?? []), ...findIn([])];
  if (declared !== undefined || !isJsonObject(received)) return declared;
  const [only, ...others] = wrappersIn(received, resource.name).flatMap((wrapper) => findIn([wrapper]));
  return others.length === 0 ? only : undefined;
}

function idNames({ key, resource: { parameter, name } }: Create): readonly string[] {
  if (key.kind !== 'none') return [key.property];
  if (parameter === undefined) return [];
  return isCalledId(parameter) ? keyNames({ parameter, words: [name] }) : [parameter];
}

/** Returns the members of a response that may be wrappers of the item. Any object may be, if it is the only member. */
function wrappersIn(received: JsonObject, resource: string): readonly string[] {
  const names = Object.keys(received);
  return names.filter(
    (name) =>
      isJsonObject(received[name]) &&
      (names.length === 1 || isEnvelope(name) || singular(name) === singular(resource)),
  );
}

/** Returns the id of a created item and its source; undefined if nothing shows the id. */
export function readCreatedKey(role: Create, exchange: Omit<LinkedExchange, 'path'>): CreatedKey | undefined {
  const { key, request } = role;
  const shown = findShownKey(role, exchange.received);
  // Without a known id property, the name is a guess from the path parameter. A Location is more reliable.
  if (shown !== undefined && key.kind !== 'none') return { from: 'answer', ...shown };
  const sent = key.kind === 'client' ? memberAt(exchange.sent, [...request, key.property]) : undefined;
  if (isKey(sent)) return { from: 'request', key: sent };
  const location = headerValue(exchange.headers, 'location')?.replace(/\/?(?:[?#].*)?$/su, '');
  const segment = location?.split('/').at(-1) ?? '';
  if (segment !== '') return { from: 'location', segment };
  return shown && { from: 'answer', ...shown };
}

/** Returns the decoded id of a created item; undefined if nothing shows it. */
export function readCreatedId(role: Create, exchange: Omit<LinkedExchange, 'path'>): JsonValue | undefined {
  const created = readCreatedKey(role, exchange);
  return created?.from === 'location' ? decodePathText(created.segment) : created?.key;
}

function isKey(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== '' && (typeof value === 'string' || isJsonNumber(value));
}
