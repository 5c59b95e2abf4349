import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { resolveObject } from '../../contract/resolve-object.ts';
import { resolvePointer } from '../../document/resolve-pointer.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, pointerTokens } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { copyJson } from './copy-json.ts';
import type { DocumentChange } from './document-change.ts';
import { isQuotable } from './is-quotable.ts';

interface Extension {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The way from the operation to what has the content: `['requestBody']`. */
  readonly holder: readonly [string, ...string[]];
  /** The media types whose schemas are extended. */
  readonly ranges: readonly string[];
  /** What values must meet besides. */
  readonly schema: JsonObject;
  readonly description: string;
}

/** In 3.0 nothing may stand beside `$ref` (OpenAPI 3.0 §4.7.23). */
function wrap(schema: JsonValue, further: JsonObject): JsonObject {
  return { allOf: [schema, further] };
}

/** What others share is copied into the operation, so that it changes for this one alone. */
function copyHere(input: Extension): readonly DocumentChange[] | undefined {
  const { contract, operation, holder, ranges, schema, description } = input;
  const pointer = appendPointer(operation.pointer, ...holder);
  const shared = resolveObject(contract.root, pointer)?.value;
  const copy = shared === undefined ? undefined : copyJson(shared, 'exact');
  if (!isJsonObject(copy) || !isQuotable(contract, copy)) {
    return undefined;
  }
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

/**
 * Has the JSON bodies of one operation meet a further schema, whatever else refers to their own.
 *
 * @returns undefined where that cannot be said in the document, as the content stands in another file
 */
export function extendSchemas(input: Extension): readonly DocumentChange[] | undefined {
  const { contract, operation, holder, ranges } = input;
  const value = resolvePointer(contract.root, appendPointer(operation.pointer, ...holder));
  if (!isJsonObject(value)) {
    return undefined;
  }
  if (Object.hasOwn(value, '$ref')) {
    return copyHere(input);
  }
  const changes = ranges.flatMap((range) => extend(input, range));
  return changes.every(({ change }) => change.kind === 'remove' || isQuotable(contract, change.value))
    ? changes
    : undefined;
}
