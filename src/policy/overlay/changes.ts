import { resolveObject } from '../../document/references.ts';
import type { Contract, DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, findExactResponse, listErrorResponses } from '../../contract/responses.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Addition } from '../behaviour.ts';

/** Returns whether a place in the root of a contract has the same pointer in the document, not in another file. */
export function isInDocument(contract: Contract, pointer: JsonPointer): boolean {
  const place = contract.placeOf(pointer);
  return place.file === undefined && place.pointer === pointer;
}

/** Returns whether the document can contain a copy of a part of the contract's root: all its references stay valid. */
function isQuotable(contract: Contract, value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every((item) => isQuotable(contract, item));
  if (!isJsonObject(value)) return true;
  const { $ref: reference } = value;
  return (
    (typeof reference !== 'string' || isInDocument(contract, reference.replace(/^#/u, ''))) &&
    Object.values(value).every((member) => isQuotable(contract, member))
  );
}

/** Returns the content of a declared response in the document; undefined if it cannot be copied. */
function contentOf(contract: Contract, { pointer }: DeclaredResponse): JsonObject | undefined {
  const content = resolveObject(contract.root, pointer)?.value['content'];
  return isJsonObject(content) && isQuotable(contract, content) ? content : undefined;
}

/** A change to one existing place in a document. */
export interface DocumentChange {
  readonly pointer: JsonPointer;
  /** The reason, as a sentence. */
  readonly description: string;
  readonly change:
    | { readonly kind: 'remove' }
    /** Merged into an object, or appended to an array. */
    | { readonly kind: 'update'; readonly value: JsonValue };
}

/** The error content for a document that declares no errors. Its services answer with objects of their own. */
const plainContent: JsonObject = { 'application/json': { schema: { type: 'object' } } };

/**
 * Returns the content for an error response that the document does not declare: that of another error of the operation,
 * else that of an error of any operation, else an object.
 */
function errorContent(contract: Contract, operation: Operation): JsonObject {
  for (const declaring of [operation, ...contract.operations]) {
    const content = listErrorResponses(declaring)
      .map((response) => contentOf(contract, response))
      .find((each) => each !== undefined);
    if (content !== undefined) return content;
  }
  return plainContent;
}

type ResponseAddition = Extract<Addition, { readonly kind: 'response' }>;

/** RFC 9457 §3.1. */
const problemContent: JsonObject = {
  'application/problem+json': {
    schema: {
      type: 'object',
      properties: { title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' } },
    },
  },
};

/** Unknown content. A response without declared content must have none (OpenAPI 3.1 §4.8.17). */
const anyContent: JsonObject = { '*/*': {} };

/** A response that a value requires. */
interface AskedResponse {
  readonly addition: ResponseAddition;
  /** Whether it has no second meaning. */
  readonly isClear: boolean;
}

/** Returns whether all values require the same response for a status. One response cannot have several meanings. */
function agree([first, ...others]: readonly AskedResponse[]): boolean {
  return others.every(
    ({ addition: { body, headers } }) =>
      body === first?.addition.body && jsonEqual(headers ?? {}, first.addition.headers ?? {}),
  );
}

function toContent(
  { status, body }: ResponseAddition,
  { contract, operation }: { readonly contract: Contract; readonly operation: Operation },
): JsonObject {
  const covering = findDeclaredResponse(operation.responses, status);
  if (covering !== undefined) return contentOf(contract, covering) ?? {};
  switch (body) {
    case 'error':
      return errorContent(contract, operation);
    case 'problem':
      return problemContent;
    case 'empty':
      return {};
    case 'other':
      return anyContent;
  }
}

/**
 * Declares responses that an operation does not declare yet, one change for each status. Omits a status for which
 * values require different responses, or which would specify another behaviour.
 */
export function addResponses(
  asked: readonly AskedResponse[],
  where: { readonly contract: Contract; readonly operation: Operation },
): readonly DocumentChange[] {
  const { operation } = where;
  const wanted = asked.filter(({ addition }) => findExactResponse(operation, addition.status) === undefined);
  const statuses = [...new Set(wanted.map(({ addition }) => addition.status))];
  return statuses.flatMap((status): readonly DocumentChange[] => {
    const all = wanted.filter(({ addition }) => addition.status === status);
    if (!agree(all) || !all.every((each) => each.isClear)) return [];
    const same = all.map(({ addition }) => addition);
    const description = [...new Set(same.map((addition) => addition.description))].join(' ');
    const headers = Object.fromEntries(same.flatMap((addition) => Object.entries(addition.headers ?? {})));
    const content = Object.fromEntries(
      same.flatMap((addition) => Object.entries(toContent(addition, where))),
    );
    const response: JsonObject = {
      description,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    };
    return [
      {
        pointer: appendPointer(operation.pointer, 'responses'),
        description: `${status}: ${description}`,
        change: { kind: 'update', value: { [String(status)]: response } },
      },
    ];
  });
}

/** How to copy exact numbers: digit for digit, or as the nearest double, as most readers read them. */
type Numbers = 'exact' | 'double';

/** Returns a deep copy of a JSON value. */
function copyJson(value: JsonValue, numbers: Numbers): JsonValue {
  if (value instanceof ExactNumber) return numbers === 'exact' ? value : Number(value.text);
  if (Array.isArray(value)) return value.map((item) => copyJson(item, numbers));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyJson(member, numbers)]))
    : value;
}

function merge(target: JsonObject, update: JsonObject): void {
  for (const [name, value] of Object.entries(update)) {
    const there = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isJsonObject(there) && isJsonObject(value)) {
      merge(there, value);
    } else {
      target[name] = value;
    }
  }
}

function update(target: JsonValue | undefined, value: JsonValue): void {
  if (Array.isArray(target)) {
    target.push(value);
  } else if (isJsonObject(target) && isJsonObject(value)) {
    merge(target, value);
  }
}

/** Returns a copy of a document with changes. Its numbers are doubles. Thus most readers read the same values. */
export function applyChanges(root: JsonObject, changes: readonly DocumentChange[]): JsonObject {
  const copy = copyJson(root, 'double');
  for (const { pointer, change } of changes) {
    const tokens = pointerTokens(pointer);
    const last = tokens.at(-1);
    if (change.kind === 'update') {
      update(resolvePointer(copy, pointer), copyJson(change.value, 'double'));
    } else if (last !== undefined) {
      const parent = resolvePointer(copy, appendPointer('', ...tokens.slice(0, -1)));
      if (isJsonObject(parent)) {
        Reflect.deleteProperty(parent, last);
      }
    }
  }
  return isJsonObject(copy) ? copy : {};
}

interface Extension {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The path from the operation to the object with the content: `['requestBody']`. */
  readonly holder: readonly [string, ...string[]];
  readonly ranges: readonly string[];
  readonly schema: JsonObject;
  readonly description: string;
}

/** OpenAPI 3.0 allows nothing beside `$ref` (OpenAPI 3.0 §4.7.23). */
function wrap(schema: JsonValue, further: JsonObject): JsonObject {
  return { allOf: [schema, further] };
}

/** Copies a shared component into the operation. The change then applies only to this operation. */
function copyHere(input: Extension): readonly DocumentChange[] | undefined {
  const { contract, operation, holder, ranges, schema, description } = input;
  const pointer = appendPointer(operation.pointer, ...holder);
  const shared = resolveObject(contract.root, pointer)?.value;
  const copy = shared === undefined ? undefined : copyJson(shared, 'exact');
  if (!isJsonObject(copy) || !isQuotable(contract, copy)) return undefined;
  for (const range of ranges) {
    const media = resolvePointer(copy, appendPointer('/content', range));
    if (isJsonObject(media)) {
      media['schema'] = wrap(media['schema'] ?? {}, schema);
    }
  }
  const tokens = pointerTokens(pointer);
  return [
    { pointer, description, change: { kind: 'remove' } },
    {
      pointer: appendPointer('', ...tokens.slice(0, -1)),
      description,
      change: { kind: 'update', value: { [holder.at(-1) ?? holder[0]]: copy } },
    },
  ];
}

function extend(input: Extension, range: string): readonly DocumentChange[] {
  const { contract, operation, holder, schema, description } = input;
  const media = appendPointer(operation.pointer, ...holder, 'content', range);
  const pointer = appendPointer(media, 'schema');
  const there = resolvePointer(contract.root, pointer);
  if (!isJsonObject(there)) {
    return [{ pointer: media, description, change: { kind: 'update', value: { schema } } }];
  }
  if (Object.hasOwn(there, '$ref') && contract.openapi === '3.0') {
    return [
      { pointer, description, change: { kind: 'remove' } },
      { pointer: media, description, change: { kind: 'update', value: { schema: wrap(there, schema) } } },
    ];
  }
  return Array.isArray(there['allOf'])
    ? [{ pointer: appendPointer(pointer, 'allOf'), description, change: { kind: 'update', value: schema } }]
    : [{ pointer, description, change: { kind: 'update', value: { allOf: [schema] } } }];
}

/** Adds a schema to the JSON bodies of one operation; undefined if their content is in another file. */
export function extendSchemas(input: Extension): readonly DocumentChange[] | undefined {
  const { contract, operation, holder, ranges } = input;
  const value = resolvePointer(contract.root, appendPointer(operation.pointer, ...holder));
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, '$ref')) return copyHere(input);
  const changes = ranges.flatMap((range) => extend(input, range));
  return changes.every(({ change }) => change.kind === 'remove' || isQuotable(contract, change.value))
    ? changes
    : undefined;
}

/** Merges the members of two objects; returns undefined if they contradict each other. */
function mergeObjects(left: JsonObject, right: JsonObject): JsonObject | undefined {
  const merged: JsonObject = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (there === undefined) {
      merged[name] = value;
    } else if (isJsonObject(there) && isJsonObject(value)) {
      const both = mergeObjects(there, value);
      if (both === undefined) return undefined;
      merged[name] = both;
    } else if (!jsonEqual(there, value)) {
      return undefined;
    }
  }
  return merged;
}

/** Returns a schema that requires what all schemas require. Merges their members unless they contradict each other. */
export function mergeSchemas(schemas: readonly JsonObject[]): JsonObject {
  const parts: JsonObject[] = [];
  for (const schema of schemas) {
    const index = parts.findIndex((part) => mergeObjects(part, schema) !== undefined);
    const merged = mergeObjects(parts[index] ?? {}, schema) ?? schema;
    parts[index === -1 ? parts.length : index] = merged;
  }
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { allOf: parts };
}
