import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { memberAt } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { schemaProperties, type SchemaProperty } from '../../schema/properties.ts';
import { jsonTypeOf, type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema } from '../answer/representation.ts';
import type { Sampling } from '../answer/sample-body.ts';
import { type MakeUp, makeUpValue, sampleValue } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { splitWords, singular } from '../../contract/resource-key.ts';
import { prepareAgreement, prepareEntryIds, prepareParentIds } from './known-values.ts';
import type { OperationHandler } from './stored-form.ts';

/** What the service has a say in of the items of a resource: times, versions, and what an answer must have. */
export interface MadeValues {
  /**
   * A new item with all that is made of it, once: it is kept with it. The item itself where nothing is.
   *
   * @param path - the concrete path of its collection or of itself, which names the items above it
   */
  readonly complete: (item: JsonObject, path: string) => JsonObject;
  /** What a singleton is before anybody has changed it: an example of its responses, else their defaults and what they require. */
  readonly initial: () => JsonObject;
  /** Has a handler wait, once, for the words that values are made up of; the handler itself where none will be. */
  readonly afterLoading: (handle: OperationHandler) => OperationHandler;
  /** Makes an object what an item becomes: clients have no say in what is made, times of a change and versions go on. */
  readonly renew: (item: JsonObject, former: JsonObject) => JsonObject;
}

/** Makes a value that a client left out; `former` is the one that the item had before a change. */
interface Maker {
  readonly name: string;
  readonly make: (former: JsonValue | undefined) => JsonValue | undefined;
  /** Whether it is made anew at each change. */
  readonly changes: boolean;
}

const ending = '(?:at|on|date|time|datetime|timestamp|utc|ms|millis|milliseconds|secs|seconds)*$';
const ofCreation = new RegExp(
  `^(?:date|time)?(?:created|creation|added|inserted|create(?=at|on|date|time))${ending}`,
  'u',
);
const ofChange = new RegExp(
  `^(?:date|time|last)*(?:updated|modified|modification|changed|(?:update|change|modify)(?=at|on|date|time))${ending}`,
  'u',
);
const ofVersion = /^(?:version|revision|lockversion)(?:number|no)?$/u;

const plain = (name: string): string => name.replaceAll(/[^A-Za-z]/gu, '').toLowerCase();

/** How a time is written: RFC 3339, the days alone, or a number of seconds or milliseconds since 1970. */
function timeMaker(name: string, schema: JsonObject, clock: () => number): (() => JsonValue) | undefined {
  const { format, example, examples } = schema;
  const types = [schema['type']].flat();
  if (format === 'date-time') return () => new Date(clock()).toISOString();
  if (format === 'date') return () => new Date(clock()).toISOString().slice(0, 10);
  if (!types.includes('integer') && !types.includes('number')) return undefined;
  const shown = [example, examples].flat().find((each) => typeof each === 'number') ?? 0;
  const inMilliseconds = shown > 1e11 || /(?:ms|millis|milliseconds)$/u.test(plain(name));
  return () => Math.floor(inMilliseconds ? clock() : clock() / 1000);
}

function makerOf(name: string, schema: JsonObject, clock: () => number): Maker | undefined {
  const word = plain(name);
  if (ofVersion.test(word) && [schema['type']].flat().includes('integer')) {
    const first = typeof schema['minimum'] === 'number' ? Math.max(1, schema['minimum']) : 1;
    const make: Maker['make'] = (former) => (Number.isSafeInteger(former) ? Number(former) + 1 : first);
    return { name, make, changes: true };
  }
  const isOfChange = ofChange.test(word);
  if (!isOfChange && !ofCreation.test(word)) return undefined;
  const make = timeMaker(name, schema, clock);
  return make && { name, make, changes: isOfChange };
}

/** The properties that a schema declares, each with all that is asked of it at its top. */
const toProperties = (schema: JsonSchema): readonly (readonly [string, JsonObject, SchemaProperty])[] =>
  [...schemaProperties(schema)].map(([name, property]) => [
    name,
    mergeSchema(isJsonObject(schema) ? schema : {}, property.schema),
    property,
  ]);

type Names = readonly string[];

function requestSchema({ kind, requestBody }: Operation, inside: Names): JsonSchema | undefined {
  const media = findReadable(requestBody?.media);
  return 'request' in kind && media !== undefined
    ? memberSchema(media.schema?.schema ?? true, [...kind.request, ...inside])
    : undefined;
}

function responseSchema(operation: Operation, inside: Names): JsonSchema | undefined {
  const { kind } = operation;
  const media = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media;
  return 'response' in kind && kind.response !== undefined && media !== undefined
    ? memberSchema(media.schema?.schema ?? true, [...kind.response, ...inside])
    : undefined;
}

interface MadeValuesInput {
  readonly operation: Operation;
  readonly siblings: readonly Operation[];
  readonly clock: () => number;
  readonly sampling?: Sampling | undefined;
}

/** Where JSON:API has what is said of an item (§7.2.2). */
const attributes = 'attributes';

/**
 * Prepares what a service makes of the items of a resource: readOnly times and versions (and those that only its answers
 * have), by the clock of the mock; what its answers require and nobody sent; and the defaults of the properties that were
 * left out of a whole item. What stands in `attributes` is made there.
 *
 * @param input.siblings - all operations on the resource
 * @param input.clock - milliseconds since 1970
 * @param input.sampling - makes up what answers require; undefined for the plainest values that fit
 */
export function prepareMadeValues(input: MadeValuesInput): MadeValues {
  const outer = prepareMembers(input, []);
  const hasInner = input.siblings.some((each) => {
    const shown = responseSchema(each, [attributes]);
    return shown !== undefined && schemaProperties(shown).size > 0;
  });
  if (!hasInner) return outer;
  const inner = prepareMembers(input, [attributes]);
  const innerOf = (item: JsonObject): JsonObject | undefined => {
    const member = Object.hasOwn(item, attributes) ? item[attributes] : undefined;
    return isJsonObject(member) ? member : undefined;
  };
  const withInner = (item: JsonObject, make: (member: JsonObject) => JsonObject): JsonObject => {
    const member = innerOf(item);
    const made = member && make(member);
    return made === member || made === undefined ? item : { ...item, [attributes]: made };
  };
  return {
    initial: outer.initial,
    complete: (item, path) => withInner(outer.complete(item, path), (member) => inner.complete(member, path)),
    renew: (item, former) =>
      withInner(outer.renew(item, former), (member) => inner.renew({ ...member }, innerOf(former) ?? {})),
    afterLoading: (handle) => inner.afterLoading(outer.afterLoading(handle)),
  };
}

/** Prepares what is made of the members of an item, or of an object in it. */
function prepareMembers(input: MadeValuesInput, inside: Names): MadeValues {
  const { operation, siblings, clock, sampling } = input;
  const { kind } = operation;
  const key =
    inside.length === 0 && kind.kind !== 'sample' && kind.resource.key.kind !== 'none'
      ? kind.resource.key.property
      : undefined;
  const isThere = (schema: JsonSchema | undefined): schema is JsonSchema => schema !== undefined;
  const responses = siblings.map((each) => responseSchema(each, inside)).filter(isThere);
  const requests = siblings.map((each) => requestSchema(each, inside)).filter(isThere);
  const own = requestSchema(operation, inside) ?? true;
  const sendable = new Set<string>();
  const readOnly = new Set<string>();
  const shown = new Map<string, JsonObject>();
  const required = new Map<string, JsonSchema>();
  const optional = new Map<string, JsonSchema>();
  const typesOf = new Map<string, ReadonlySet<string>>();
  const sentDefaults = new Map<string, JsonValue>();
  for (const schema of requests) {
    for (const [name, { default: usual }, property] of toProperties(schema)) {
      (property.readOnly ? readOnly : sendable).add(name);
      if (usual !== undefined) sentDefaults.set(name, usual);
    }
  }
  for (const schema of responses) {
    for (const [name, merged, property] of toProperties(schema)) {
      if (property.writeOnly || name === key) continue;
      if (property.readOnly) readOnly.add(name);
      if (!shown.has(name)) {
        shown.set(name, merged);
        typesOf.set(name, schemaTypes(property.schema, schema));
      }
      if (property.required && !required.has(name)) required.set(name, schema);
      if (!optional.has(name)) optional.set(name, schema);
    }
  }
  // A body of which the document says nothing may hold anything.
  const isOpen = requests.some((schema) => schemaProperties(schema).size === 0);
  const isMade = (name: string): boolean => !sendable.has(name) && (!isOpen || readOnly.has(name));
  const makers = [...shown].flatMap(([name, schema]) =>
    isMade(name) ? (makerOf(name, schema, clock) ?? []) : [],
  );
  const made = new Set(makers.map(({ name }) => name));
  let makeUp: MakeUp | undefined;
  let count = 0;
  /** What something is made up of: the how many-th new item, or the key of one, so that two equal changes lead to equal items. */
  let of: JsonValue = 0;

  /** What was made up last of each schema: its members are asked for one by one. */
  const latest = new Map<JsonSchema, { readonly seed: string; readonly whole: JsonValue | undefined }>();

  /** Made up as what it is called, and another one for each item; else what stands in the sample of the schema. */
  function makeRequired(schema: JsonSchema, name: string): JsonValue | undefined {
    if (makeUp === undefined || sampling === undefined) return memberOfSample(schema, name);
    const names = kind.kind === 'sample' ? [] : [kind.resource.name];
    const seed = `${sampling.seed} ${operation.id} ${stringifyJson(of)}`;
    let made = latest.get(schema);
    if (made?.seed !== seed) {
      made = { seed, whole: makeUpValue(schema, { makeUp, names, seed, without: 'writeOnly' }) };
      latest.set(schema, made);
    }
    const { whole } = made;
    return isJsonObject(whole) && Object.hasOwn(whole, name) ? whole[name] : memberOfSample(schema, name);
  }

  // What only responses have, the service sets, whether they require it or not. Data that is brought in stays as it is.
  const isSet = (name: string): boolean => sampling !== undefined && isMade(name);
  const inWords = new Set<string>();
  const expected = new Map([...[...optional].filter(([name]) => isSet(name)), ...required]);
  for (const [name, schema] of expected) {
    if (made.has(name)) continue;
    const first = firstValue(
      name,
      { schema: shown.get(name) ?? {}, types: typesOf.get(name) ?? new Set() },
      clock,
    );
    if (first === undefined) inWords.add(name);
    makers.push({ name, make: first ?? (() => makeRequired(schema, name)), changes: false });
  }
  const withParentIds = prepareParentIds(operation, inside.length === 0 ? typesOf : new Map());
  const withOneName = prepareAgreement(typesOf);
  const withEntryIds = prepareEntryIds(responses);
  const sent = new Set(toProperties(own).flatMap(([name, , each]) => (each.required ? [name] : [])));
  const makesUp = sampling !== undefined && [...inWords].some((name) => !sent.has(name));
  const isWhole = kind.kind !== 'update';
  if (isWhole) {
    for (const [name, merged] of toProperties(own)) {
      const { default: usual } = merged;
      if (usual !== undefined && name !== key && !made.has(name))
        makers.unshift({ name, make: () => usual, changes: false });
    }
  }
  const ownNames = new Set(
    toProperties(own)
      .filter(([, , each]) => !each.readOnly)
      .map(([name]) => name),
  );
  const declared = [...new Set([...sendable, ...readOnly, ...shown.keys()])].filter((name) => name !== key);
  const kept = declared.filter((name) =>
    kind.kind === 'replace' && ownNames.size > 0 ? !ownNames.has(name) : isMade(name),
  );

  function complete(item: JsonObject, path: string): JsonObject {
    count += 1;
    of = count;
    return fill(withParentIds(item, path));
  }

  function fill(item: JsonObject): JsonObject {
    let completed = item;
    for (const { name, make } of makers) {
      if (Object.hasOwn(completed, name)) continue;
      const value = make(undefined);
      if (value === undefined) continue;
      if (completed === item) completed = { ...item };
      setOwn(completed, name, value);
    }
    return withEntryIds(withOneName(completed, item));
  }

  function renew(renewed: JsonObject, former: JsonObject): JsonObject {
    for (const name of kept) {
      if (Object.hasOwn(former, name)) {
        setOwn(renewed, name, former[name] ?? null);
      } else {
        Reflect.deleteProperty(renewed, name);
      }
    }
    for (const { name, make, changes } of makers) {
      const value = changes ? make(Object.hasOwn(former, name) ? former[name] : undefined) : undefined;
      if (value !== undefined) setOwn(renewed, name, value);
    }
    of = (key !== undefined && Object.hasOwn(former, key) ? former[key] : undefined) ?? 'one';
    return fill(renewed);
  }

  const initial = (): JsonObject => {
    const example = siblings.map(responseExample).find((each) => each !== undefined);
    const start: JsonObject = { ...example };
    for (const [name, { default: usual }] of example === undefined ? shown : []) {
      const value =
        usual ??
        sentDefaults.get(name) ??
        (required.has(name) ? memberOfSample(required.get(name) ?? true, name) : undefined);
      if (value !== undefined) setOwn(start, name, value);
    }
    return start;
  };

  return {
    complete,
    renew,
    initial,
    afterLoading(handle) {
      if (!makesUp) return handle;
      return (request) =>
        makeUp === undefined
          ? sampling.loadMakeUp().then((loaded) => {
              makeUp = loaded;
              return handle(request);
            })
          : handle(request);
    },
  };
}

/** The resource in the first example of a response that has one. */
function responseExample(operation: Operation): JsonObject | undefined {
  const { kind } = operation;
  const media = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media;
  const path = 'response' in kind ? kind.response : undefined;
  const example = media?.examples[0];
  const found = path === undefined || example === undefined ? undefined : memberAt(example, path);
  return isJsonObject(found) ? found : undefined;
}

const anEnd = '(?:deleted|removed|trashed|archived|closed|cancell?ed|disabled|blocked|revoked|expired)';
const ofThePast = new RegExp(`^(?!${anEnd})[a-z]+ed(?:at|on|date|time|datetime|timestamp)$`, 'u');

/**
 * The value that a property of a new item begins with, if the document shows none: null, the first of an `enum`, an empty list,
 * false, zero for a count, and now for the time of what has happened by then.
 */
function firstValue(
  name: string,
  { schema, types }: { readonly schema: JsonObject; readonly types: ReadonlySet<string> },
  clock: () => number,
): (() => JsonValue) | undefined {
  const { format, enum: listed, minItems = 0, minimum = 0 } = schema;
  const isShown = ['example', 'examples', 'default', 'const'].some((each) => schema[each] !== undefined);
  if (isShown) return undefined;
  if (types.has('null')) return () => null;
  if (Array.isArray(listed)) return () => listed[0] ?? null;
  if (format === 'date-time' || format === 'date')
    return ofThePast.test(plain(name)) ? timeMaker(name, schema, clock) : undefined;
  const [type] = types.size === 1 ? types : [];
  if (type === 'array') return minItems === 0 ? () => [] : undefined;
  if (type === 'boolean') return () => false;
  const last = splitWords(name).at(-1) ?? '';
  const isCount = type === 'integer' && (last === 'count' || singular(last) !== last);
  return isCount && jsonTypeOf(minimum) === 'number' && Number(minimum) <= 0 ? () => 0 : undefined;
}

const samples = new WeakMap<JsonObject, JsonValue>();

/** What stands under a name in the sample of a schema, or where that is an example without it, a sample of the property. */
function memberOfSample(schema: JsonSchema, name: string): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const sample = samples.get(schema) ?? sampleValue(schema) ?? null;
  samples.set(schema, sample);
  if (isJsonObject(sample) && Object.hasOwn(sample, name)) return sample[name];
  const { $defs = {} } = schema;
  const alone = sampleValue({
    $defs,
    required: [name],
    properties: { [name]: memberSchema(schema, [name]) },
  });
  return isJsonObject(alone) ? alone[name] : undefined;
}
