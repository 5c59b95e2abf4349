import { encodeSegment, canonicalPath, pathOf } from '../../http/path.ts';
import { isShallow, toShallowPath } from '../../contract/shallow-routes.ts';
import { findShownKey } from '../../contract/created-key.ts';
import type { Contract, Operation, OperationKind, Resource } from '../../contract/contract.ts';
import { idText, listItems } from '../../contract/list-pages.ts';
import { flattenItem, flattenSchema, listItemSchema } from '../../contract/item-properties.ts';
import { decodePathText } from '../../http/query.ts';
import {
  concreteCollection,
  createPathFinder,
  type FoundPath,
  operationOf,
  type Route,
} from '../../contract/router.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue, isSafeMethod } from '../../http/message.ts';
import { isClientError, isSuccessStatus } from '../../http/status.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaAt } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { jsonContent, statusOf } from '../classify/answer.ts';
import type { CheckedExchange } from '../classify/subject.ts';

type Role = Exclude<OperationKind, { kind: 'sample' }>;

/** The name of an item in a trace: the concrete path of its collection and its id. A singleton has its path only. */
export type ItemName = string;

/** The place that an operation acts on. */
export interface Place {
  readonly resource: Resource;
  /** The concrete path of the collection, or of the singleton. */
  readonly collection: string;
  /** The item that the request names. */
  readonly item: ItemName | undefined;
}

/** A representation, with the attributes of JSON:API beside its id, and its self-contained schema. */
export interface Representation {
  readonly value: JsonObject;
  readonly schema: JsonSchema | undefined;
}

/** An item as a response shows it. */
interface ShownItem extends Representation {
  readonly item: ItemName;
}

/** One exchange of a trace, as it concerns items. */
export interface Step {
  readonly judged: CheckedExchange;
  readonly index: number;
  /** The operation; for an undeclared HEAD, that of GET. */
  readonly operation: Operation | undefined;
  readonly role: Role | undefined;
  /** Whether its method changes nothing (RFC 9110 §9.2.1). */
  readonly isSafe: boolean;
  readonly status: number;
  /**
   * `done`: a success; `refused`: a rejection, which must have no effect; `open`: a 202, a redirect, a server error or
   * no response, so the effect is unknown.
   */
  readonly outcome: 'done' | 'refused' | 'open';
  /** The credentials of the request: items of one client may be invisible to another. */
  readonly client: string;
  readonly place: Place | undefined;
  /** The representation in the request, or the changes to one. */
  readonly written: Representation | undefined;
  /** The notation of an update. */
  readonly notation: 'merge-patch' | 'json-patch' | 'plain';
  /** The item in the response; its name is undefined if the response to a create does not show its id. */
  readonly shown: (Representation & { readonly item: ItemName | undefined }) | undefined;
  /** The Location in the response to a create, or to a PUT that created: its path, and the item that it names. */
  readonly location: { readonly path: string; readonly item: ItemName | undefined } | undefined;
  /** The items in the response to a list; one that it shows by its id alone is empty. */
  readonly listed: readonly ShownItem[] | undefined;
  /** The schema of the items of a list, even if it shows none, or their ids alone. */
  readonly listSchema: JsonSchema | undefined;
}

const finders = new WeakMap<Contract, (path: string) => FoundPath>();

/** Reads the exchanges of a trace, as they concern items. */
export function readSteps(trace: readonly CheckedExchange[], contract: Contract): readonly Step[] {
  return trace.map((judged, index) => readStep(judged, index, contract));
}

/** Returns the name of an item. */
export function itemName(collection: string, id: string): ItemName {
  return `${collection}/${encodeSegment(id)}`;
}

const notations: Readonly<Record<string, Step['notation']>> = {
  'application/merge-patch+json': 'merge-patch',
  'application/json-patch+json': 'json-patch',
};

/** Reads the exchange at an index of its trace. */
export function readStep(judged: CheckedExchange, index: number, contract: Contract): Step {
  const find = finders.get(contract) ?? createPathFinder(contract);
  finders.set(contract, find);
  const { request } = judged.exchange;
  const { path, route } = find(pathOf(request.target));
  const operation = operationOf(route, request.method);
  const kind = operation?.isUnclear ? undefined : operation?.kind;
  const role = kind?.kind === 'sample' ? undefined : kind;
  const status = statusOf(judged);
  const written = role && readWritten(judged, role);
  const named =
    role && operation && readPlace(role, { operation, path, parameters: route?.parameters ?? {} }, written);
  const shown = role && named && readShown(judged, role, named);
  const creates = role?.kind === 'create' || (role?.kind === 'replace' && status === 201);
  const location = creates ? readLocation(judged, role.resource, find) : undefined;
  const item = role?.kind === 'create' ? (shown?.item ?? location?.item) : named?.item;
  const type = parseMediaType(headerValue(request.headers, 'content-type') ?? '')?.essence ?? '';
  const listSchema = readListSchema(judged, contract);
  return {
    judged,
    index,
    operation,
    role,
    isSafe: isSafeMethod(request.method),
    status,
    outcome: readOutcome(status),
    client: readClient(judged, operation),
    place: named && { ...named, item: item ?? clientItem(role, named, written) },
    written,
    notation: notations[type] ?? 'plain',
    shown,
    location,
    listed: named && readListed(judged, { place: named, schema: listSchema }),
    listSchema,
  };
}

function readOutcome(status: number): Step['outcome'] {
  if (status === 202 || status === 207 || status === 408) return 'open';
  if (isSuccessStatus(status)) return 'done';
  return isClientError(status) ? 'refused' : 'open';
}

function readClient({ exchange: { request } }: CheckedExchange, operation: Operation | undefined): string {
  const schemes = (operation?.security ?? []).flat();
  const keys = schemes.flatMap((scheme) =>
    scheme.kind === 'api-key' && scheme.in === 'header' ? [scheme.parameter] : [],
  );
  return ['authorization', 'cookie', ...keys]
    .map((name) => headerValue(request.headers, name) ?? '')
    .join('\n');
}

/** Returns the representation in a request, if it is an object. */
function readWritten({ request, operation }: CheckedExchange, role: Role): Representation | undefined {
  if (!('request' in role)) return undefined;
  const { body } = request;
  // The effect of an invalid or ambiguous body is unknown.
  if (body.kind === 'not-expected') return { value: {}, schema: undefined };
  if (body.kind !== 'valid' || body.grade.kind === 'ambiguous') return undefined;
  const media = findReadable(operation?.requestBody?.media.filter(({ schema }) => schema !== undefined));
  return represent(body.value, { path: role.request, content: media?.schema?.schema });
}

/** Returns the object at a path of a body. */
function represent(
  body: JsonValue,
  { path, content }: { readonly path: readonly string[]; readonly content: JsonSchema | undefined },
): Representation | undefined {
  const value = memberAt(body, path);
  const schema = flattenSchema(schemaAt(content, path));
  return isJsonObject(value) ? { value: flattenItem(value, schema), schema } : undefined;
}

function readPlace(
  role: Role,
  {
    operation,
    path,
    parameters,
  }: {
    readonly operation: Operation;
    readonly path: string;
    readonly parameters: Readonly<Record<string, string>>;
  },
  written: Representation | undefined,
): Place | undefined {
  const { resource } = role;
  const { collection: template, parameter, key } = resource;
  const own = operation.path.template;
  if (!isShallow(resource, own) && !sharesParameters(template, own)) return undefined;
  const collection = concreteCollection(resource, canonicalPath(path)).replace(/\/$/u, '');
  if (resource.kind === 'singleton') return { resource, collection, item: collection };
  if (role.kind === 'create' || role.kind === 'list') return { resource, collection, item: undefined };
  const text = parameter === undefined ? undefined : parameters[parameter];
  if (text !== undefined) return { resource, collection, item: itemName(collection, decodePathText(text)) };
  // The body names the item: `PUT /pets`.
  const id = key.kind === 'none' ? undefined : memberOf(written?.value, key.property);
  return { resource, collection, item: id === undefined ? undefined : itemName(collection, idText(id)) };
}

/** Returns whether the path of an operation determines the concrete path of a collection. */
function sharesParameters(collection: string, path: string): boolean {
  const parts = path.split('/');
  return collection.split('/').every((part, index) => !part.includes('{') || parts[index] === part);
}

/** Returns an own member of an object if it can be an id. */
function memberOf(value: JsonObject | undefined, name: string): JsonValue | undefined {
  const own = memberAt(value, [name]);
  return isJsonObject(own) ? undefined : (own ?? undefined);
}

/** Returns the item that a create makes, if the client chooses the id. */
function clientItem(
  role: Role | undefined,
  { resource, collection }: Place,
  written: Representation | undefined,
): ItemName | undefined {
  if (role?.kind !== 'create' || role.key.kind !== 'client') return undefined;
  const id = memberOf(written?.value, role.key.property);
  return id === undefined ? undefined : itemName(toShallowPath(resource, collection), idText(id));
}

function readShown(judged: CheckedExchange, role: Role, place: Place): Step['shown'] {
  if (role.kind === 'list' || judged.exchange.request.method === 'HEAD') return undefined;
  const created = role.kind === 'create' ? findShownKey(role, jsonContent(judged.answer)) : undefined;
  const path = created?.path ?? role.response;
  const shown = path && readContent(judged, path);
  if (shown === undefined) return undefined;
  if (role.kind !== 'create') return { item: place.item, ...shown };
  const id = role.key.kind === 'none' ? undefined : created?.key;
  const collection = toShallowPath(place.resource, place.collection);
  return { item: id === undefined ? undefined : itemName(collection, idText(id)), ...shown };
}

/** Returns the object at some names in the content of a success. */
function readContent({ answer }: CheckedExchange, path: readonly string[]): Representation | undefined {
  const body = jsonContent(answer);
  if (body === undefined || answer.kind === 'none' || Math.floor(answer.response.status / 100) !== 2)
    return undefined;
  const media = answer.content.kind === 'json' ? answer.content.media : undefined;
  return represent(body, { path, content: media?.schema?.schema });
}

function readListSchema(
  { answer, operation }: CheckedExchange,
  { operations }: Contract,
): JsonSchema | undefined {
  if (operation === undefined || answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
  return listItemSchema(operation, answer.content.media?.schema?.schema, operations);
}

function readListed(
  { answer, operation }: CheckedExchange,
  { place, schema }: { readonly place: Place; readonly schema: JsonSchema | undefined },
): Step['listed'] {
  const body = jsonContent(answer);
  if (operation?.kind.kind !== 'list' || body === undefined) return undefined;
  if (answer.kind === 'none' || answer.response.status !== 200) return undefined;
  const collection = toShallowPath(place.resource, place.collection);
  return listItems(operation, body).flatMap(({ id, value }) => {
    if (id === null || isJsonObject(id)) return [];
    const item = itemName(collection, idText(id));
    return value === undefined
      ? [{ item, value: {}, schema: undefined }]
      : [{ item, value: flattenItem(value, schema), schema }];
  });
}

/**
 * Reads a Location field (RFC 9110 §10.2.2): its path, and the item that it names. The path may have a prefix before a
 * path of the document.
 */
function readLocation(
  { exchange: { request }, answer }: CheckedExchange,
  resource: Resource,
  find: (path: string) => FoundPath,
): Step['location'] {
  const field = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'location');
  const base = `http://service.invalid${request.target}`;
  if (field === undefined || !URL.canParse(field, base)) return undefined;
  const path = new URL(field, base).pathname;
  for (let rest = path; rest.startsWith('/'); rest = rest.slice(rest.indexOf('/', 1))) {
    const { path: own, route } = find(rest);
    if (route !== undefined) return { path, item: itemIn(route, own, resource) };
    if (!rest.includes('/', 1)) break;
  }
  return { path, item: undefined };
}

function itemIn(route: Route, path: string, resource: Resource): ItemName | undefined {
  const { parameter } = resource;
  const isItem = [...route.operations.values()].some(
    ({ kind }) => kind.kind !== 'sample' && kind.resource.collection === resource.collection,
  );
  const id = parameter === undefined || !isItem ? undefined : route.parameters[parameter];
  if (id === undefined) return undefined;
  const collection = concreteCollection(resource, canonicalPath(path)).replace(/\/$/u, '');
  return itemName(toShallowPath(resource, collection), decodePathText(id));
}
