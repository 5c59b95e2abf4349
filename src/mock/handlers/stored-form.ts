import type { Operation, ResourceKey } from '../../contract/contract.ts';
import { type ParameterSource, toParameterSource } from '../../contract/read-parameters.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import {
  acceptsValue,
  type CompiledSchema,
  compileSchema,
  type ValidationMode,
} from '../../schema/compile.ts';
import { declaredNames, schemaProperties } from '../../schema/properties.ts';
import { valueKey } from '../../schema/walk.ts';
import { createProjection, hideProperties, memberSchema } from '../answer/representation.ts';
import { lengthsOf } from '../../schema/value/text.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { foldSchema } from '../../schema/merge.ts';
import { shownItems } from '../answer/shown-item.ts';
import type { InjectedFault, MaybePromise, MockResponse, RequestHead } from '../message.ts';
import type { ContentReading } from '../request/body.ts';
import type { StoredResource, StoreKey, StorePlace } from '../store/store.ts';

/** A request that passed all checks. */
export interface ValidRequest {
  readonly head: RequestHead;
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  /** The raw values of the path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly content: Exclude<ContentReading, { kind: 'refused' }>;
  /** The raw content; undefined if there is none. */
  readonly bytes?: Uint8Array | undefined;
  /** Returns the declared response that the request prefers; undefined if it prefers none. */
  readonly preferred?: InjectedFault['preferred'];
}

/** Returns the places in which the parameters of a request are read. */
export function sourceOf({ head, parameters }: Pick<ValidRequest, 'head' | 'parameters'>): ParameterSource {
  return toParameterSource({
    target: head.target,
    path: parameters,
    header: (name) => head.header(name),
  });
}

/** Performs an operation and returns the response. */
export type OperationHandler = (request: ValidRequest) => MaybePromise<MockResponse>;

/** The parts of a body that are stored. */
export interface KeptBody {
  readonly collection: string;
  /** The declared members. */
  readonly resource: JsonObject;
  /** The other stored members; undefined if there are none. */
  readonly undeclared: JsonObject | undefined;
  /** The JSON text of all stored members, if it exists already; else undefined. */
  readonly text: string | undefined;
  /** The places where its parent may be stored; undefined if no parent is required. */
  readonly parents?: readonly StorePlace[] | undefined;
}

/** The stored form of the bodies of a create, from a client or from imported data. */
export interface StoredForm {
  readonly key: ResourceKey;
  /**
   * Separates the declared members of a body from the others. Neither part contains read-only properties or an id that
   * the service generates: a client cannot set them (OpenAPI 3.1 §4.8.24.3).
   */
  readonly split: (body: JsonObject) => Pick<KeptBody, 'resource' | 'undeclared'>;
  readonly makeKey: MakeKey;
  /** Returns the resource with a generated id, if it has a property for it. */
  readonly withMadeKey: (resource: JsonObject, made: JsonValue) => JsonObject;
  readonly toStored: (body: KeptBody, key: StoreKey) => StoredResource;
}

const noClaims: readonly string[] = [];

/**
 * Prepares the stored form of the bodies of a create, by the document and the policy.
 *
 * @param input.siblings - all operations on the resource, which decide the form of ids
 * @throws ClocheError SCHEMA_UNUSABLE if the schema of its response cannot be compiled
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
    // A body is new and not shared, so it need not be copied if all of it is stored.
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

  /** Uses the schemas of the id in responses, or else the one in a request. */
  function chooseKeyMaker(property: string): MakeKey {
    const shown = [...shownItems(siblings)].filter(({ schema }) => schemaProperties(schema).has(property));
    const { pointer = operation.pointer } = sentSchema ?? {};
    return createKeyMaker(
      property,
      shown.length > 0 ? shown : [compileSchema({ schema: bodySchema, pointer })],
    );
  }

  /** Uses the schema of the id in the path of an item, the only place that has it. */
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

  /** Returns the unique texts of a resource: a name, a NUL and the value. */
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
      // It needs a validator, and most stored items already have an id.
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

/** Generates the id of the n-th resource of a collection. */
export type MakeKey = (number: number) => JsonValue;

/** Returns a version 4 UUID that contains a number. */
export function makeUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Writes a number in letters, `a` for 0, padded to the length of the text that it replaces. */
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

/** Returns functions that count in a text which matches a pattern: different numbers give different texts. */
function makersLike(text: string): readonly MakeKey[] {
  const digits = (run: string, number: number): string => String(number).padStart(run.length, '0');
  // After a prefix and many characters (`UA` and 32 hexadecimal ones), the last few are enough to count in.
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

/** The maximum length of a generated id. */
const longestKey = 1000;

/**
 * Chooses the form of generated ids for a property. Integers count from 1. Texts are UUIDs that count; if a schema
 * rejects those, the number, or a text like a sample of a schema. If the schema lists its values (`enum`, JSON Schema
 * 2020-12 validation §6.1.2), those come first.
 *
 * @param schemas - the schemas that show an item
 */
export function createKeyMaker(property: string, schemas: readonly CompiledSchema[]): MakeKey {
  const members = schemas.map(({ schema: whole, pointer }) => {
    const schema = memberSchema(whole, [property]);
    return { schema, pointer };
  });
  const folded = members.map(({ schema }) => foldSchema(schema));
  const types = [folded[0]?.['type']].flat();
  if (types.includes('integer') || types.includes('number')) return (number) => number;
  const compiled = members.map((member) => compileSchema(member));
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
  const fits = (key: JsonValue): boolean => compiled.every((schema) => acceptsValue(schema, key));
  const lasting = makers.find((make) => make(1) !== make(1000) && fits(make(1)) && fits(make(1000)));
  const maker = lasting ?? makers.slice(0, 3).find((make) => fits(make(1))) ?? makeUuid;
  const listed = [folded.find((each) => each['enum'] !== undefined)?.['enum'] ?? []].flat().filter(fits);
  // After the last one there must be other ids, or a create would search for a free one forever.
  return listed.length === 0 ? maker : (number) => listed[number - 1] ?? maker(number);
}

/** Returns the mode of validation under a policy. */
export function toValidationMode(policy: Policy): ValidationMode {
  return {
    formats: policy['int64-range'] === 'refuse' ? 'assert' : 'strings',
    integers: policy['integer-notation'] === 'yes' ? 'by-value' : 'digits',
  };
}
