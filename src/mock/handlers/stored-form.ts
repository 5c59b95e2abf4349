import type { Operation, ResourceKey } from '../../contract/contract.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import { type CompiledSchema, compileSchema, type ValidationMode } from '../../schema/compile.ts';
import { declaredNames, schemaProperties } from '../../schema/properties.ts';
import { valueKey } from '../../schema/walk.ts';
import { createProjection, hideProperties, memberSchema } from '../answer/representation.ts';
import { lengthsOf } from '../../schema/value/text.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { foldSchema } from '../../schema/merge.ts';
import { shownItems } from '../answer/shown-item.ts';
import type { Interference, MaybePromise, MockResponse, RequestHead } from '../message.ts';
import type { ContentReading } from '../request/body.ts';
import type { StoredResource, StoreKey, StorePlace } from '../store/store.ts';

/** A request that nothing speaks against. */
export interface ValidRequest {
  readonly head: RequestHead;
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  /** The values of the path's parameters, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly content: Exclude<ContentReading, { kind: 'refused' }>;
  /** The content as it was sent; undefined if there is none. */
  readonly bytes?: Uint8Array | undefined;
  /** Makes the declared response that the request prefers; undefined if it prefers none. */
  readonly preferred?: Interference['preferred'];
}

/** Does what an operation is for, and answers. */
export type OperationHandler = (request: ValidRequest) => MaybePromise<MockResponse>;

/** What is kept of a body. */
export interface KeptBody {
  readonly collection: string;
  /** What the document declares of it. */
  readonly resource: JsonObject;
  /** What is kept besides, or undefined where there is nothing. */
  readonly undeclared: JsonObject | undefined;
  /** The JSON text of all that is kept, where there is one already; else undefined. */
  readonly text: string | undefined;
  /** The places where its parent may be kept; undefined if no parent is required. */
  readonly parents?: readonly StorePlace[] | undefined;
}

/** How the bodies of a create are kept, whether a client sends them or data brings them. */
export interface StoredForm {
  readonly key: ResourceKey;
  /**
   * Tells in a body what the document declares from what it does not. Properties that are read-only are in neither part:
   * a client has no say in them (OpenAPI 3.1 §4.8.24.3), nor in a key that the service gives.
   */
  readonly split: (body: JsonObject) => Pick<KeptBody, 'resource' | 'undeclared'>;
  readonly makeKey: MakeKey;
  /** The resource with a key that was made, where it shows it. */
  readonly withMadeKey: (resource: JsonObject, made: JsonValue) => JsonObject;
  readonly toStored: (body: KeptBody, key: StoreKey) => StoredResource;
}

const noClaims: readonly string[] = [];

/**
 * Prepares the keeping of the bodies of a create, as the document and the policy say.
 *
 * @param input.siblings - all operations on the resource, by which ids are made
 * @throws ClocheError SCHEMA_UNUSABLE where the schema of its answer cannot be compiled
 */
export function prepareStoredForm(
  operation: Operation,
  {
    key,
    policy,
    siblings = [],
  }: {
    readonly key: ResourceKey;
    readonly policy: Policy;
    readonly siblings?: readonly Operation[];
  },
): StoredForm {
  const { kind } = operation;
  const sentSchema = findReadable(operation.requestBody?.media)?.schema;
  const requestPath = 'request' in kind ? kind.request : [];
  const bodySchema = memberSchema(sentSchema?.schema ?? true, requestPath);
  const unique = policy['unique-properties'];
  const project = createProjection(bodySchema, 'readOnly');
  const names = declaredNames(bodySchema);
  const hidesNothing = hideProperties(bodySchema, 'readOnly') === undefined;
  const keepsUndeclared = policy['undeclared-properties'] === 'store';
  let maker: MakeKey | undefined;

  function split(body: JsonObject): ReturnType<StoredForm['split']> {
    // A body is new and nobody else's, so that it need not be copied where all of it is kept.
    if (hidesNothing && (names === undefined || Object.keys(body).every((name) => names.has(name)))) {
      return { resource: body, undeclared: undefined };
    }
    return { resource: project(body), undeclared: pickUndeclared(body) };
  }

  function pickUndeclared(body: JsonObject): JsonObject | undefined {
    if (names === undefined || !keepsUndeclared) return undefined;
    const given = key.kind === 'server' ? key.property : undefined;
    const entries = Object.entries(body).filter(([name]) => !names.has(name) && name !== given);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  /** Made as each response shows it, or where none does, as a request may name it. */
  function chooseKeyMaker(property: string): MakeKey {
    const shown = [...shownItems(siblings)].filter(({ schema }) => schemaProperties(schema).has(property));
    const { pointer = operation.pointer } = sentSchema ?? {};
    return createKeyMaker(
      property,
      shown.length > 0 ? shown : [compileSchema({ schema: bodySchema, pointer })],
    );
  }

  /** Made as the path of an item takes it, which alone names it. */
  function choosePathKeyMaker(): MakeKey {
    const parameter = siblings
      .flatMap(({ kind: role, parameters }) =>
        parameters.filter(
          (each) => each.in === 'path' && role.kind !== 'sample' && each.name === role.resource.parameter,
        ),
      )
      .find(({ schema }) => schema !== undefined);
    if (parameter?.schema === undefined) return makeUuid;
    const { schema, pointer } = parameter.schema;
    const { $defs = {} } = isJsonObject(schema) ? schema : {};
    const item = { type: 'object', required: ['id'], properties: { id: schema }, $defs };
    return createKeyMaker('id', [compileSchema({ schema: item, pointer })]);
  }

  /** The texts that no two resources may share: a name, a NUL and the value. */
  function claimsOf(resource: JsonObject): readonly string[] {
    return unique.flatMap((name) => {
      const value = Object.hasOwn(resource, name) ? resource[name] : undefined;
      return value === undefined ? [] : [`${name}\0${valueKey(value)}`];
    });
  }

  return {
    key,
    split,
    makeKey(number) {
      // It takes a validator, and most of what is kept has its key already.
      maker ??= key.kind !== 'none' ? chooseKeyMaker(key.property) : choosePathKeyMaker();
      return maker(number);
    },
    withMadeKey(resource, made) {
      const shown = { ...resource };
      if (key.kind !== 'none') setOwn(shown, key.property, made);
      return shown;
    },
    toStored: ({ collection, resource, undeclared, text, parents }, storeKey) => ({
      collection,
      parents,
      key: storeKey,
      text: text ?? stringifyJson(undeclared === undefined ? resource : { ...resource, ...undeclared }),
      claims: unique.length === 0 ? noClaims : claimsOf(resource),
    }),
  };
}

/** Makes the key of the n-th resource of a collection. */
export type MakeKey = (number: number) => JsonValue;

/** A UUID of version 4 that counts. */
export function makeUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** The number in letters, `a` for 0, the text before it padded with what stands for nothing. */
function countInLetters(run: string, number: number): string {
  const first = /^[a-z]/u.test(run) ? 'a' : 'A';
  let rest = number;
  let letters = '';
  while (rest > 0) {
    letters = String.fromCharCode(first.charCodeAt(0) + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return letters.padStart(run.length, first);
}

/** Ways to count in a text that a pattern asks for: no two numbers give the same text. */
function makersLike(text: string): readonly MakeKey[] {
  const digits = (run: string, number: number): string => String(number).padStart(run.length, '0');
  // Of a prefix and many characters (`UA` and 32 of hexadecimal) a few are enough to count in.
  const ends = [12, 8, 6, 4].filter((length) => new RegExp(`[0-9A-Za-z]{${length}}$`, 'u').test(text));
  return [
    (number) => text.replace(/[0-9A-Za-z]+$/u, (run) => digits(run, number)),
    ...ends.map(
      (length): MakeKey =>
        (number) =>
          text.slice(0, -length) + digits(text.slice(-length), number),
    ),
    (number) => text.replace(/\d+(?=\D*$)/u, (run) => digits(run, number)),
    (number) => text.replace(/(?:[a-z]+|[A-Z]+)$/u, (run) => countInLetters(run, number)),
    (number) => `${text}${number}`,
  ];
}

/** No id that is longer is made up. */
const longestKey = 1000;

/**
 * Chooses how the ids are made that a property of an item has: integers count from 1; texts are UUIDs that count, or
 * where a schema does not accept those, the number, or a text like one that a schema gives. Where it lists its values
 * (`enum`, JSON Schema 2020-12 validation §6.1.2), those come first.
 *
 * @param schemas - by which an item is shown
 */
export function createKeyMaker(property: string, schemas: readonly CompiledSchema[]): MakeKey {
  const members = schemas.map(({ schema: whole, pointer }) => {
    const schema = memberSchema(whole, [property]);
    return { schema, pointer };
  });
  const folded = members.map(({ schema }) => foldSchema(schema));
  const types = [folded[0]?.['type']].flat();
  if (types.includes('integer') || types.includes('number')) return (number) => number;
  const checks = members.map((member) =>
    compileSchema(member).validator({ formats: 'assert', integers: 'by-value' }),
  );
  const likes = schemas.map(({ schema }, index) => {
    const sample = sampleValue(schema);
    return isJsonObject(sample) && Object.hasOwn(sample, property)
      ? sample[property]
      : sampleValue(members[index]?.schema ?? true);
  });
  const shortest = Math.min(longestKey, Math.max(0, ...folded.map((each) => lengthsOf(each).shortest)));
  const makers: readonly MakeKey[] = [
    makeUuid,
    String,
    (number) => `key-${number}`,
    (number) => String(number).padStart(shortest, '0'),
    ...likes.flatMap((like) => (typeof like === 'string' ? makersLike(like) : [])),
  ];
  const fits = (key: JsonValue): boolean =>
    checks.every((check) => check(key, holdsExactNumber(key)).length === 0);
  const lasting = makers.find((make) => make(1) !== make(1000) && fits(make(1)) && fits(make(1000)));
  const maker = lasting ?? makers.slice(0, 3).find((make) => fits(make(1))) ?? makeUuid;
  const listed = [folded.find((each) => each['enum'] !== undefined)?.['enum'] ?? []].flat().filter(fits);
  // Past the last of them there have to be other ids, or a create would look for a free one without end.
  return listed.length === 0 ? maker : (number) => listed[number - 1] ?? maker(number);
}

/** How schemas are read under a policy. */
export function toValidationMode(policy: Policy): ValidationMode {
  return {
    formats: policy['int64-range'] === 'refuse' ? 'assert' : 'strings',
    integers: policy['integer-notation'] === 'yes' ? 'by-value' : 'digits',
  };
}
