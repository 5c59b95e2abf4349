import type { ListShape, MediaTypeContract, Operation, ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import {
  type CompiledSchema,
  compileSchema,
  type SchemaValidator,
  type ValidationMode,
} from '../../schema/compile.ts';
import { type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema } from './representation.ts';
import { mergeSchema } from '../../schema/merge.ts';

/** Returns the self-contained schema of an element of a list; `true` if none is declared. */
export function elementSchema(list: JsonSchema, kind: ListShape['kind']): JsonSchema {
  const root = isJsonObject(list) ? list : {};
  const merged = mergeSchema(root, list);
  const item = merged[kind === 'map' ? 'additionalProperties' : 'items'];
  if (!isJsonObject(item)) return true;
  return root['$defs'] === undefined ? item : { ...item, $defs: root['$defs'] };
}

/** The media type that a response is sent in, and the path of names to the resource in its body. */
interface ShownPlace {
  readonly media: MediaTypeContract;
  readonly path: readonly string[];
}

/** Returns the place of the resource in the success of an operation; undefined if it does not show the resource. */
export function shownPlace(operation: Operation): ShownPlace | undefined {
  const { kind } = operation;
  const path = 'response' in kind ? kind.response : undefined;
  const media = path && chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media;
  return path && media && { media, path };
}

/** Returns the schema of the resource in the success of an operation, or of a member of the resource. */
export function responseSchema(operation: Operation, inside: readonly string[] = []): JsonSchema | undefined {
  const shown = shownPlace(operation);
  return shown && memberSchema(shown.media.schema?.schema ?? true, [...shown.path, ...inside]);
}

/** Returns the schema of the resource in the request of an operation, or of a member of the resource. */
export function requestSchema(
  { kind, requestBody }: Operation,
  inside: readonly string[] = [],
): JsonSchema | undefined {
  const media = findReadable(requestBody?.media);
  return 'request' in kind && media !== undefined
    ? memberSchema(media.schema?.schema ?? true, [...kind.request, ...inside])
    : undefined;
}

/** Returns the schema of an item in the success of an operation; undefined if it shows none. */
function shownItem(operation: Operation): CompiledSchema | undefined {
  const { kind } = operation;
  if (kind.kind === 'list') {
    const whole = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
    if (whole === undefined) return undefined;
    const { schema, pointer } = whole;
    const { kind: form, path, element } = kind.list;
    if (form === 'ids') return undefined;
    const item = memberSchema(elementSchema(memberSchema(schema, path), form), element);
    return compileSchema({ schema: item, pointer });
  }
  const { media, path } = shownPlace(operation) ?? {};
  if (media?.schema === undefined || path?.length === 0) return media?.schema;
  return compileSchema({
    schema: memberSchema(media.schema.schema, path ?? []),
    pointer: media.schema.pointer,
  });
}

const roles = ['read', 'create', 'replace', 'update', 'action', 'list'];

/**
 * Yields the schemas of an item in responses: those of a read first, then those of changes, and a list last.
 *
 * @param operations - all operations on its resource
 */
export function* shownItems(operations: readonly Operation[]): Generator<CompiledSchema> {
  for (const role of roles) {
    for (const operation of operations) {
      const shown = operation.kind.kind === role ? shownItem(operation) : undefined;
      if (shown !== undefined) yield shown;
    }
  }
}

/** The member of an item that is not an object, when it is stored, exported and imported: `{"value": "milk"}`. */
export const plainMember = 'value';

/** Returns whether every response shows the items of a resource as plain values, for example a list of texts. */
export function holdsPlainItems(siblings: readonly Operation[]): boolean {
  const types = [...shownItems(siblings)].map(({ schema }) => schemaTypes(schema));
  return types.length > 0 && types.every((each) => each.size > 0 && !each.has('object'));
}

/** Returns the validators of the text parameter for an item in paths. */
function pathChecks(siblings: readonly Operation[], reading: ValidationMode): readonly SchemaValidator[] {
  return siblings.flatMap(({ kind, parameters }) =>
    parameters.flatMap(({ in: place, name, schema }) => {
      const isKey = place === 'path' && kind.kind !== 'sample' && name === kind.resource.parameter;
      return isKey && schema !== undefined && schemaTypes(schema.schema).has('string')
        ? [schema.validator(reading)]
        : [];
    }),
  );
}

/** The longest request head that Node.js reads, in bytes; the URL is part of it. */
const mostHeadBytes = 16_384;

/**
 * Explains why no URL can address an item by its id, as the end of a sentence about the id; undefined if a URL can.
 *
 * A client removes the segments `.` and `..` from a path, even percent-encoded (RFC 3986 §5.2.4, WHATWG URL). A URL
 * cannot represent an item with an empty segment or half of a surrogate pair.
 *
 * @param collection - the concrete path of the collection
 */
export function describeIdProblem(id: JsonValue, collection: string): string | undefined {
  const text = typeof id === 'string' ? id : stringifyJson(id);
  if (text === '') return 'must not be empty: no URL addresses an item with an empty id';
  if (text === '.' || text === '..') return `must not be "${text}": clients remove this segment from a URL`;
  if (/\p{Surrogate}/u.test(text)) return 'must not have half of a surrogate pair: no URL can encode it';
  // Most ids are far too short for this, in any encoding.
  if (text.length < mostHeadBytes / 16) return undefined;
  const bytes = collection.length + 1 + encodeURIComponent(text).length;
  return bytes > mostHeadBytes
    ? `is too long: its URL has ${bytes} bytes of at most ${mostHeadBytes}`
    : undefined;
}

/** Prepares the check of an id: all responses with it must be able to show it, and item paths must accept it. */
export function prepareKeyCheck(
  key: ResourceKey,
  { siblings, reading }: { readonly siblings: readonly Operation[]; readonly reading: ValidationMode },
): (value: JsonValue) => boolean {
  const hasPath = siblings.some(
    ({ kind }) => kind.kind !== 'sample' && kind.resource.parameter !== undefined,
  );
  const toCheck =
    (property: string) =>
    ({ schema, pointer }: CompiledSchema): readonly SchemaValidator[] => {
      const member = memberSchema(schema, [property]);
      return member === true ? [] : [compileSchema({ schema: member, pointer }).validator(reading)];
    };
  let checks: readonly SchemaValidator[] | undefined;
  let ofPaths: readonly SchemaValidator[] | undefined;
  return (value) => {
    if (hasPath && describeIdProblem(value, '') !== undefined) return false;
    checks ??= key.kind === 'none' ? [] : [...shownItems(siblings)].flatMap(toCheck(key.property));
    const isFine = (check: SchemaValidator): boolean => check.accepts(value, holdsExactNumber(value));
    if (!checks.every(isFine)) return false;
    // In a path, a value that is not a text is written as one.
    if (typeof value !== 'string') return true;
    ofPaths ??= pathChecks(siblings, reading);
    return ofPaths.every(isFine);
  };
}
