import fc, { type Arbitrary } from 'fast-check';
import type { MediaTypeContract, Operation } from '../contract/contract.ts';
import { requestPath } from '../contract/item-properties.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import { findReadable, findStructured } from '../http/codecs/registry.ts';
import { essenceOf } from '../http/media-type.ts';
import { clientIdProperty } from '../contract/request-facts.ts';
import { toJsonNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, memberAt, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { stringifyJson, toText } from '../json/print.ts';
import { isJsonObject, isJsonNumber, type JsonValue } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { holdsKnownValue } from '../schema/known-place.ts';
import { schemaAt } from '../schema/properties.ts';
import { type JsonSchema, schemasInPlace } from '../schema/walk.ts';
import { judgeValue, plainValues, type PlainValues, userValues, type ValueVerdict } from './from-schema.ts';
import { plainIds, propertyStyle } from './key-style.ts';
import { createNotationWriter, type NotationWriter, otherCodec } from './other-notation.ts';
import { numbersOf } from './plain-number.ts';
import {
  type Body,
  type BodyPart,
  type Cases,
  distinctBodies,
  joinParts,
  type KeyClass,
  plainKey,
} from './request-case.ts';

/** A change of a body: the place, and its new value. */
export type BodyEdit =
  | { readonly kind: 'remove'; readonly at: JsonPointer }
  | {
      readonly kind: 'put';
      readonly at: JsonPointer;
      /** The value, for the validator. */
      readonly value: JsonValue;
      /** Its text, if it is not the usual one or contains the placeholder of an id. */
      readonly text?: Body;
    };

/** Puts a value at a place, optionally with an unusual text. */
export function put(at: JsonPointer, value: JsonValue, text?: Body): BodyEdit {
  return { kind: 'put', at, value, ...(text === undefined ? {} : { text }) };
}

/** Puts a number at a place exactly as written. */
export function putNumber(at: JsonPointer, text: string): BodyEdit {
  return put(at, toJsonNumber(text), [text]);
}

/** Texts that replace the usual text of the values at their places. */
type RawTexts = ReadonlyMap<JsonPointer, Body>;

function write(
  value: JsonValue,
  pointer: JsonPointer,
  input: { readonly raw: RawTexts; readonly tokens: BodyPart[] },
): void {
  const { raw, tokens } = input;
  const text = raw.get(pointer);
  if (text !== undefined) {
    tokens.push(...text);
    return;
  }
  const isArray = Array.isArray(value);
  if (!isArray && !isJsonObject(value)) {
    tokens.push(stringifyJson(value));
    return;
  }
  tokens.push(isArray ? '[' : '{');
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    if (index > 0) {
      tokens.push(',');
    }
    if (!isArray) {
      tokens.push(JSON.stringify(key), ':');
    }
    write(member, appendPointer(pointer, key), input);
  }
  tokens.push(isArray ? ']' : '}');
}

/**
 * Splits the JSON text of a value into its tokens (RFC 8259 §2), without white space; `raw` contains texts that replace
 * those of values.
 */
export function jsonTokens(value: JsonValue, raw: RawTexts = new Map()): Body {
  const tokens: BodyPart[] = [];
  write(value, '', { raw, tokens });
  return tokens;
}

/** The place of an id in the bodies of a create, and its allowed values. */
export interface BodyKey {
  readonly property: string;
  readonly pointer: JsonPointer;
  readonly isNumber: boolean;
  /** An id of each class that the schema allows; always includes `plain`. */
  readonly classes: ReadonlyMap<KeyClass, JsonValue>;
}

const numbers: readonly (readonly [KeyClass, string])[] = [
  ['plain', '1073741831'],
  ['negative', '-1073741831'],
  ['past-int32', '5368709127'],
  ['past-double', '9007201402224655'],
  ['near-int64-max', '9223372035781033976'],
  ['near-int64-min', '-9223372035781033976'],
];

function candidates(schema: JsonSchema, property: string): readonly (readonly [KeyClass, JsonValue])[] {
  const style = propertyStyle(schema, property);
  if (style === 'number') return numbers.map(([keyClass, text]) => [keyClass, toJsonNumber(text)]);
  return [['plain', typeof style === 'string' ? plainIds[style] : style(1)]];
}

/**
 * Returns the classes of ids that a client may choose for a created item, by the types and bounds of its schema. A
 * validator may still reject some.
 */
export function keyClasses(operation: Operation): ReadonlySet<KeyClass> {
  const described = bodyMedia(operation);
  const property = clientIdProperty(operation);
  if (property === undefined || described.kind !== 'media' || described.media.schema === undefined)
    return new Set();
  const { schema } = described.media.schema;
  const declared = schemaAt(schema, [property]) ?? true;
  const parts = schemasInPlace(declared, declared, ['allOf']);
  const [low, high] = parts.some(({ format }) => format === 'int32')
    ? [-(2 ** 31), 2 ** 31 - 1]
    : [-Infinity, Infinity];
  const bounds = (keyword: string): readonly number[] =>
    numbersOf(parts, [keyword]).map((value) => Number(String(value)));
  const [least, most] = [Math.max(low, ...bounds('minimum')), Math.min(high, ...bounds('maximum'))];
  return new Set(
    candidates(schema, property).flatMap(([keyClass, value]) =>
      isJsonNumber(value) && (Number(String(value)) < least || Number(String(value)) > most)
        ? []
        : [keyClass],
    ),
  );
}

/** Returns the ids that a body may have; undefined if no fresh one is valid and the id is an ordinary value. */
function bodyKey(
  schema: CompiledSchema | undefined,
  property: string,
  value: JsonValue,
): BodyKey | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const allowed = candidates(schema.schema, property).filter(
    ([, key]) => judgeValue(schema, { ...value, [property]: key }) === 'valid',
  );
  const classes = new Map(allowed);
  const plain = classes.get('plain');
  return plain === undefined
    ? undefined
    : { property, pointer: appendPointer('', property), isNumber: typeof plain === 'number', classes };
}

/** Typical bodies of an operation; every generator of bodies starts from them. */
export interface PlainBody {
  /** The value of Content-Type. */
  readonly contentType: string;
  /** Serializes the values; undefined for JSON. */
  readonly notation?: NotationWriter | undefined;
  readonly schema: CompiledSchema | undefined;
  /** Whether the document has examples of it. @defaultValue false */
  readonly hasExamples?: boolean;
  /** Without optional properties. Its id is of the class `plain`. */
  readonly smallest: JsonValue;
  /** With optional properties. */
  readonly fullest: JsonValue;
  readonly arbitrary: Arbitrary<JsonValue>;
  readonly key: BodyKey | undefined;
  /** The places of ids of existing items. */
  readonly items: readonly { readonly pointer: JsonPointer; readonly item: string }[];
}

/** The plain bodies of an operation, if any. */
export type PlainBodyResult =
  | { readonly kind: 'body'; readonly body: PlainBody }
  /** The operation accepts no body. */
  | { readonly kind: 'none' }
  /** The operation accepts a body, but none can be generated. */
  | { readonly kind: 'unavailable'; readonly reason: string };

function concreteType({ range }: MediaTypeContract): string {
  const isRange = range.startsWith('*/*') || range.toLowerCase().startsWith('application/*');
  return isRange ? 'application/json' : range;
}

/**
 * Adds one property to an update or a form without any: many services reject an update that changes nothing, and many
 * form parsers an empty form.
 */
function withOneChange(
  operation: Operation,
  schema: CompiledSchema | undefined,
  values: PlainValues,
): JsonValue {
  const { smallest } = values;
  const { kind } = operation;
  const request = requestPath(operation);
  const at = appendPointer('', ...request);
  const least = resolvePointer(smallest, at);
  if (!isJsonObject(least) || Object.keys(least).length > 0) return smallest;
  const most = resolvePointer(values.fullest, at);
  if (!isJsonObject(most)) return smallest;
  const key =
    kind.kind === 'update' && kind.resource.key.kind !== 'none' ? kind.resource.key.property : undefined;
  const names = Object.keys(most).filter((name) => name !== key);
  const changes = names.flatMap((name) => {
    const change = put(appendPointer('', ...request, name), most[name] ?? null);
    return editValue(smallest, [...request, name], change) ?? [];
  });
  return changes.find((value) => schema === undefined || judgeValue(schema, value) === 'valid') ?? smallest;
}

/** Returns the media type for bodies of an operation: JSON, else a form, else text or bytes; or why there is none. */
export function bodyMedia({
  requestBody,
}: Operation):
  | { readonly kind: 'media'; readonly media: MediaTypeContract }
  | Exclude<PlainBodyResult, { readonly kind: 'body' }> {
  if (requestBody === undefined || requestBody.media.length === 0) return { kind: 'none' };
  const written = requestBody.media.filter(
    (one) => otherCodec(one)?.serialize === undefined || createNotationWriter(one) !== undefined,
  );
  const media =
    findStructured(written) ??
    written.find((one) => concreteType(one) !== one.range) ??
    findReadable(written) ??
    written.find(otherCodec);
  if (media !== undefined) return { kind: 'media', media };
  const declared = requestBody.media.map(({ range }) => range).join(', ');
  return { kind: 'unavailable', reason: `its body is neither JSON nor a form nor text, but ${declared}` };
}

/** Lists the media types for bodies of an operation in other notations than that of {@link bodyMedia}. */
export function otherBodyMedia(operation: Operation): readonly MediaTypeContract[] {
  const described = bodyMedia(operation);
  if (described.kind !== 'media') return [];
  const first = essenceOf(described.media.range);
  return (operation.requestBody?.media ?? []).filter(
    (media) => otherCodec(media) !== undefined && essenceOf(media.range) !== first,
  );
}

/**
 * Returns whether a place of a body has an id: that of the created item, or that of an existing one. Other valid values
 * may be refused there.
 */
export function isIdPlace({ key, items }: PlainBody, at: JsonPointer): boolean {
  return at === key?.pointer || items.some(({ pointer }) => pointer === at);
}

/** Names of properties that are often unique among items. */
export const uniqueWords: RegExp = /(?:name|title|slug|login|e-?mail|handle|label|sku|isbn)$/iu;

/** Copies the names of the fullest body into a create whose service generates the ids; the runner makes them unique. */
function withUsualNames(operation: Operation, value: JsonValue, { fullest, schema }: PlainBody): JsonValue {
  const { kind } = operation;
  if (kind.kind !== 'create' || kind.key.kind === 'client') return value;
  const path = requestPath(operation);
  const usual = memberAt(fullest, path);
  const own = memberAt(value, path);
  if (!isJsonObject(usual) || !isJsonObject(own)) return value;
  const edits = Object.keys(own).flatMap((name) =>
    uniqueWords.test(name) && typeof usual[name] === 'string'
      ? [put(appendPointer('', ...path, name), usual[name])]
      : [],
  );
  const named = edits.length === 0 ? value : (editWhole(value, edits) ?? value);
  return named === value || judgeValue(schema, named) === 'valid' ? named : value;
}

/** Returns the plain bodies of an operation, or why there are none. */
export function plainBody(operation: Operation): PlainBodyResult {
  const described = bodyMedia(operation);
  return described.kind === 'media' ? plainBodyIn(operation, described.media) : described;
}

/** Returns the plain bodies of an operation in its other notations that a service can read back. */
export function otherPlainBodies(operation: Operation): readonly PlainBody[] {
  return otherBodyMedia(operation).flatMap((media) => {
    const result = plainBodyIn(operation, media);
    if (result.kind !== 'body') return [];
    const { body } = result;
    return body.notation !== undefined && isEditedTo(body, { base: body.smallest, edits: [] }) ? [body] : [];
  });
}

function plainBodyIn(operation: Operation, media: MediaTypeContract): PlainBodyResult {
  const { schema } = media;
  const notation = createNotationWriter(media);
  const values = userValues('mediaTypes', media.range, schema) ?? plainValues(schema, media.examples);
  const isForm = media.codec?.holds === 'members';
  const mustChange = operation.kind.kind === 'update' || isForm;
  const complete = (value: JsonValue): JsonValue =>
    notation === undefined ? value : notation.complete(value);
  if (values === undefined || (isForm && !isJsonObject(complete(values.smallest)))) {
    return { kind: 'unavailable', reason: 'no value was found that the schema of its body allows' };
  }
  const property = clientIdProperty(operation);
  const key = property === undefined ? undefined : bodyKey(schema, property, values.smallest);
  // `PUT /pets` identifies the replaced item only in its body.
  const named =
    operation.items.length > 0 ? undefined : operation.bodyItems().find(({ isOwn }) => isOwn)?.pointer;
  const withKey = (plain: JsonValue): JsonValue => {
    const value = complete(plain);
    const name = named === undefined ? undefined : resolvePointer(values.fullest, named);
    if (named !== undefined && name !== undefined && resolvePointer(value, named) === undefined) {
      return editValue(value, pointerTokens(named), put(named, name)) ?? value;
    }
    return key === undefined || !isJsonObject(value)
      ? value
      : { ...value, [key.property]: key.classes.get('plain') ?? null };
  };
  let fullest: JsonValue | undefined;
  let arbitrary: Arbitrary<JsonValue> | undefined;
  const body: PlainBody = {
    hasExamples: media.examples.length > 0,
    contentType: notation?.contentType ?? concreteType(media),
    notation,
    schema,
    smallest: withKey(mustChange ? withOneChange(operation, schema, values) : values.smallest),
    get fullest() {
      return (fullest ??= withKey(values.fullest));
    },
    get arbitrary() {
      // An id is never a generated value: it is drawn when the request is sent, and does not shrink.
      return (arbitrary ??= values.arbitrary.map((value) => withUsualNames(operation, withKey(value), body)));
    },
    key,
    items: operation
      .bodyItems()
      .filter(({ pointer }) => !holdsKnownValue(schema, values.fullest, pointer))
      .map(({ pointer, item }) => ({ pointer, item: withoutNames(item.path) })),
  };
  return { kind: 'body', body };
}

/** @returns undefined if the value has no such place */
function editValue(value: JsonValue, path: readonly string[], edit: BodyEdit): JsonValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return edit.kind === 'put' ? edit.value : undefined;
  const isRemoved = rest.length === 0 && edit.kind === 'remove';
  if (Array.isArray(value)) {
    const index = Number(first);
    const item = value[index];
    if (isRemoved) return item === undefined ? undefined : value.toSpliced(index, 1);
    const changed = item === undefined ? undefined : editValue(item, rest, edit);
    return changed === undefined ? undefined : value.with(index, changed);
  }
  if (!isJsonObject(value)) return undefined;
  const member = Object.hasOwn(value, first) ? value[first] : undefined;
  if (isRemoved) {
    return member === undefined
      ? undefined
      : Object.fromEntries(Object.entries(value).filter(([key]) => key !== first));
  }
  // The last token may name a new property.
  const changed = member === undefined && rest.length > 0 ? undefined : editValue(member ?? null, rest, edit);
  return changed === undefined ? undefined : { ...value, [first]: changed };
}

/**
 * Applies edits to a value of a body in order. The id keeps its placeholder unless an edit changes it. Returns
 * undefined if the place of an edit does not exist.
 */
export function applyEdits(
  body: PlainBody,
  base: JsonValue,
  edits: readonly BodyEdit[],
): { readonly value: JsonValue; readonly tokens: Body } | undefined {
  const value = editWhole(base, edits);
  if (value === undefined) return undefined;
  const raw = new Map<string, Body>();
  if (body.key !== undefined) {
    raw.set(body.key.pointer, [plainKey]);
  }
  for (const { pointer, item } of body.items) {
    const plain = resolvePointer(base, pointer);
    if (typeof plain === 'string' || isJsonNumber(plain)) {
      raw.set(pointer, [{ ...plainKey, of: { item, plain: stringifyJson(plain) } }]);
    }
  }
  for (const edit of edits) {
    raw.delete(edit.at);
    if (edit.kind === 'put' && edit.text !== undefined) {
      raw.set(edit.at, edit.text);
    }
  }
  return { value, tokens: jsonTokens(value, raw) };
}

function editWhole(base: JsonValue, edits: readonly BodyEdit[]): JsonValue | undefined {
  let value: JsonValue | undefined = base;
  for (const edit of edits) {
    value = value === undefined ? undefined : editValue(value, pointerTokens(edit.at), edit);
  }
  return value;
}

/** Edits of a value, and the wanted verdict on the result. */
interface WantedEdits {
  readonly base: JsonValue;
  readonly edits: readonly BodyEdit[];
  /** @defaultValue 'valid' */
  readonly wanted?: ValueVerdict;
}

/** Returns whether a body has the wanted verdict after some edits. */
export function isEditedTo(body: PlainBody, { base, edits, wanted = 'valid' }: WantedEdits): boolean {
  const { schema, notation } = body;
  const value = editWhole(base, edits);
  if (value === undefined || judgeValue(schema, value) !== wanted) return false;
  // In a form, every value is written as text.
  const read = notation === undefined ? value : notation.readBack(value);
  return read !== undefined && (read === value || judgeValue(schema, read) === wanted);
}

/** Returns the tokens of an edited body; undefined if a place is missing, or the verdict is not the wanted one. */
export function editedTokens(body: PlainBody, given: WantedEdits): Body | undefined {
  return isEditedTo(body, given) ? applyEdits(body, given.base, given.edits)?.tokens : undefined;
}

/** Returns the members of a plain body as bare text, with the placeholder of the id; none if it is not an object. */
export function bodyMembers(
  body: PlainBody,
  value: JsonValue,
): readonly (readonly [name: string, text: BodyPart])[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.map(([name, member]) => {
    if (name === body.key?.property) return [name, plainKey];
    return [name, toText(member)];
  });
}

/** Returns the tokens of a plain body, with the placeholder of the id. */
export function plainTokens(body: PlainBody, value: JsonValue = body.fullest): Body {
  return applyEdits(body, value, [])?.tokens ?? [];
}

/** Returns the content of a plain body, with the placeholder of the id. */
export function plainContent(body: PlainBody, value: JsonValue = body.fullest): Body {
  return joinParts(plainTokens(body, value));
}

/** Returns a valid body with other texts and numbers for each seed, for values that must be unique among items. */
export function variedContent(body: PlainBody, seed: number): Body {
  const [value = body.smallest] = fc.sample(fc.noBias(body.arbitrary), { seed, numRuns: 1 });
  return plainContent(body, value);
}

/** Returns typical valid bodies: without optional properties, with all, with some. */
export function plainBodies(body: PlainBody): Cases<Body> {
  const write = (value: JsonValue): Body => plainContent(body, value);
  return {
    examples: distinctBodies([body.smallest, body.fullest].map(write)),
    arbitrary: body.arbitrary.map(write),
  };
}

/** Returns plain values of a schema, the same for the same seed; none if none can be generated. */
export function sampleValues(input: {
  readonly schema: CompiledSchema | undefined;
  readonly seed: number;
  readonly count: number;
}): readonly JsonValue[] {
  const { schema, seed, count } = input;
  const values = plainValues(schema);
  return values === undefined ? [] : fc.sample(values.arbitrary, { seed, numRuns: count });
}
