import type { Operation } from '../../contract/contract.ts';
import { memberAt } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { schemaProperties, type SchemaProperty } from '../../schema/properties.ts';
import { jsonTypeOf, type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { memberSchema } from '../answer/representation.ts';
import { requestSchema, responseSchema, shownPlace } from '../answer/shown-item.ts';
import type { Sampling } from '../answer/sample-body.ts';
import { type ValueFromNames, generateValue, sampleValue } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { plain, splitWords, singular } from '../../contract/resource-key.ts';
import { prepareAgreement, prepareEntryIds, prepareParentIds } from './known-values.ts';
import type { OperationHandler } from './stored-form.ts';

/** The server-set members of the items of a resource: times, versions, and members that a response requires. */
export interface MadeValues {
  /**
   * Returns a new item with its server-set values, to be stored with it; the same object if there are none.
   *
   * @param path - the concrete path of its collection or of itself, which contains the ids of its parents
   */
  readonly complete: (item: JsonObject, path: string) => JsonObject;
  /** Returns the initial state of a singleton: an example of its responses, or their defaults and required members. */
  readonly initial: () => JsonObject;
  /** Makes a handler wait once for the words of generated values; returns it unchanged if none are needed. */
  readonly afterLoading: (handle: OperationHandler) => OperationHandler;
  /** Changes an object to the new state of an item. Server-set values stay; change times and versions are updated. */
  readonly renew: (item: JsonObject, former: JsonObject) => JsonObject;
}

/** Generates a value that a client omitted; `former` is the value before a change. */
interface Maker {
  readonly name: string;
  readonly make: (former: JsonValue | undefined) => JsonValue | undefined;
  /** Whether each change generates a new value. */
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

/** Returns how a time is written: RFC 3339, a date, or a number of seconds or milliseconds since 1970. */
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

/** Returns the properties that a schema declares, each with all its top-level constraints. */
const toProperties = (schema: JsonSchema): readonly (readonly [string, JsonObject, SchemaProperty])[] =>
  [...schemaProperties(schema)].map(([name, property]) => [
    name,
    mergeSchema(isJsonObject(schema) ? schema : {}, property.schema),
    property,
  ]);

interface MadeValuesInput {
  readonly operation: Operation;
  readonly siblings: readonly Operation[];
  readonly clock: () => number;
  readonly sampling?: Sampling | undefined;
}

/** The JSON:API member with the attributes of an item (§7.2.2). */
const attributes = 'attributes';

/**
 * Prepares the server-set values of the items of a resource. These are readOnly times and versions, and those that only
 * responses have, by the clock of the mock; members that responses require and clients omit; and the defaults of
 * omitted properties in a whole item. The members of `attributes` are set there.
 *
 * @param input.siblings - all operations on the resource
 * @param input.clock - milliseconds since 1970
 * @param input.sampling - generates the members that responses require; undefined for the simplest valid values
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
    const member = ownMember(item, attributes);
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

/** The declarations of a property of an item. */
interface Member {
  readonly name: string;
  isSendable: boolean;
  isReadOnly: boolean;
  sentDefault?: JsonValue;
  /** The declaration in the first response that shows it. */
  shown?: { readonly schema: JsonObject; readonly types: ReadonlySet<string>; readonly by: JsonSchema };
  /** The first response that requires it. */
  requiredBy?: JsonSchema;
}

type ShownMember = Member & Required<Pick<Member, 'shown'>>;

/** Collects the properties of request and response bodies, except the id in responses. */
function readMembers(
  requests: readonly JsonSchema[],
  responses: readonly JsonSchema[],
  key: string | undefined,
): readonly Member[] {
  const members = new Map<string, Member>();
  const memberOf = (name: string): Member => {
    const member = members.get(name) ?? { name, isSendable: false, isReadOnly: false };
    members.set(name, member);
    return member;
  };
  for (const schema of requests) {
    for (const [name, { default: usual }, { readOnly }] of toProperties(schema)) {
      const member = memberOf(name);
      member.isReadOnly ||= readOnly;
      member.isSendable ||= !readOnly;
      if (usual !== undefined) member.sentDefault = usual;
    }
  }
  for (const schema of responses) {
    for (const [name, merged, property] of toProperties(schema)) {
      if (property.writeOnly || name === key) continue;
      const member = memberOf(name);
      member.isReadOnly ||= property.readOnly;
      if (member.shown === undefined) {
        // Properties in responses have the order of the responses.
        members.delete(name);
        members.set(name, member);
      }
      member.shown ??= { schema: merged, types: schemaTypes(property.schema, schema), by: schema };
      if (property.required) member.requiredBy ??= schema;
    }
  }
  return [...members.values()];
}

/** Generates the members that responses require, by property name; the simplest values without sampling. */
class RequiredValues {
  /** The number of a new item, or the id of an item: two equal changes lead to equal items. */
  of: JsonValue = 0;
  readonly #input: MadeValuesInput;
  #valueFromNames: ValueFromNames | undefined;
  /** The last generated value of each schema: its members are requested one by one. */
  readonly #latest = new Map<JsonSchema, { readonly seed: string; readonly whole: JsonValue | undefined }>();

  constructor(input: MadeValuesInput) {
    this.#input = input;
  }

  valueOf(schema: JsonSchema, name: string): JsonValue | undefined {
    const { operation, sampling } = this.#input;
    const valueFromNames = this.#valueFromNames;
    if (valueFromNames === undefined || sampling === undefined) return memberOfSample(schema, name);
    const { id, kind } = operation;
    const names = kind.kind === 'sample' ? [] : [kind.resource.name];
    const seed = `${sampling.seed} ${id} ${stringifyJson(this.of)}`;
    let made = this.#latest.get(schema);
    if (made?.seed !== seed) {
      made = { seed, whole: generateValue(schema, { valueFromNames, names, seed, without: 'writeOnly' }) };
      this.#latest.set(schema, made);
    }
    const { whole } = made;
    return isJsonObject(whole) && Object.hasOwn(whole, name) ? whole[name] : memberOfSample(schema, name);
  }

  /** Makes a handler wait once until the words are loaded. */
  afterLoading({ loadWords }: Sampling, handle: OperationHandler): OperationHandler {
    return (request) => {
      if (this.#valueFromNames !== undefined) return handle(request);
      return loadWords().then((loaded) => {
        this.#valueFromNames = loaded;
        return handle(request);
      });
    };
  }
}

/** Prepares the server-set members of an item, or of an object in it. */
function prepareMembers(input: MadeValuesInput, inside: readonly string[]): MadeValues {
  const { operation, siblings } = input;
  const { kind } = operation;
  const isOuter = inside.length === 0;
  const key =
    isOuter && kind.kind !== 'sample' && kind.resource.key.kind !== 'none'
      ? kind.resource.key.property
      : undefined;
  const schemasBy = (read: typeof requestSchema): readonly JsonSchema[] =>
    siblings.map((each) => read(each, inside)).filter((schema) => schema !== undefined);
  const [requests, responses] = [schemasBy(requestSchema), schemasBy(responseSchema)];
  const members = readMembers(requests, responses, key);
  const shown = members.filter((each): each is ShownMember => each.shown !== undefined);
  const required = new RequiredValues(input);
  // An undescribed body may contain anything.
  const isOpen = requests.some((schema) => schemaProperties(schema).size === 0);
  const isMade = ({ isSendable, isReadOnly }: Member): boolean => !isSendable && (!isOpen || isReadOnly);
  const own = toProperties(requestSchema(operation, inside) ?? true).filter(([name]) => name !== key);
  const { makers, generates } = listMakers({ input, own, shown, isMade, required });
  const sendable = new Set(own.flatMap(([name, , { readOnly }]) => (readOnly ? [] : [name])));
  const isKept = (member: Member): boolean =>
    kind.kind === 'replace' && sendable.size > 0 ? !sendable.has(member.name) : isMade(member);
  const kept = members.filter((each) => each.name !== key && isKept(each)).map(({ name }) => name);
  const typesOf = new Map(isOuter ? shown.map((each) => [each.name, each.shown.types]) : []);
  const withParentIds = prepareParentIds(operation, typesOf);
  const withOneName = prepareAgreement(typesOf);
  const withEntryIds = prepareEntryIds(responses);
  let count = 0;

  return {
    complete(item, path) {
      count += 1;
      required.of = count;
      const below = withParentIds(item, path);
      return withEntryIds(withOneName(fill(below, makers), below));
    },
    renew(item, former) {
      restore(item, former, kept);
      for (const { name, make, changes } of makers) {
        const value = changes ? make(ownMember(former, name)) : undefined;
        if (value !== undefined) setOwn(item, name, value);
      }
      required.of = (key === undefined ? undefined : ownMember(former, key)) ?? 'one';
      return withEntryIds(withOneName(fill(item, makers), item));
    },
    initial: () => initialItem(siblings, shown),
    afterLoading: (handle) =>
      generates && input.sampling !== undefined ? required.afterLoading(input.sampling, handle) : handle,
  };
}

/** Lists the makers of the values of an item: request defaults, times and versions, and members in responses. */
function listMakers({
  input: { operation, clock, sampling },
  own,
  shown,
  isMade,
  required,
}: {
  readonly input: MadeValuesInput;
  readonly own: ReturnType<typeof toProperties>;
  readonly shown: readonly ShownMember[];
  readonly isMade: (member: Member) => boolean;
  readonly required: RequiredValues;
}): { readonly makers: readonly Maker[]; readonly generates: boolean } {
  const isUpdate = operation.kind.kind === 'update';
  const timed = shown
    .filter(isMade)
    .flatMap(({ name, shown: { schema } }) => makerOf(name, schema, clock) ?? []);
  const names = new Set(timed.map(({ name }) => name));
  const usual = (isUpdate ? [] : own).flatMap(([name, { default: value }]): Maker[] =>
    value === undefined || names.has(name) ? [] : [{ name, make: () => value, changes: false }],
  );
  // The service sets members that only responses have, required or not. Imported data stays as it is.
  const isSet = (member: Member): boolean => sampling !== undefined && isMade(member);
  const others = shown.filter((each) => !isSet(each) && each.requiredBy !== undefined);
  const sent = new Set(own.flatMap(([name, , each]) => (each.required ? [name] : [])));
  let generates = false;
  const first = [...shown.filter(isSet), ...others].flatMap((member): Maker[] => {
    const { name, shown: place, requiredBy = place.by } = member;
    if (names.has(name)) return [];
    const make = firstValue(name, place, clock);
    generates ||= make === undefined && !sent.has(name);
    return [{ name, make: make ?? (() => required.valueOf(requiredBy, name)), changes: false }];
  });
  return { makers: [...usual, ...timed, ...first], generates };
}

function ownMember(item: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** Returns the item with the missing members; the same object if none is missing. */
function fill(item: JsonObject, makers: readonly Maker[]): JsonObject {
  let filled = item;
  for (const { name, make } of makers) {
    const value = Object.hasOwn(filled, name) ? undefined : make(undefined);
    if (value === undefined) continue;
    if (filled === item) filled = { ...item };
    setOwn(filled, name, value);
  }
  return filled;
}

/** Restores the members that clients cannot change. */
function restore(item: JsonObject, former: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const value = ownMember(former, name);
    if (value === undefined) Reflect.deleteProperty(item, name);
    else setOwn(item, name, value);
  }
}

/** Returns an example of a response, or an item with the defaults and the required members of responses. */
function initialItem(siblings: readonly Operation[], shown: readonly ShownMember[]): JsonObject {
  const example = siblings.map(responseExample).find((each) => each !== undefined);
  const start: JsonObject = { ...example };
  for (const { name, shown: place, sentDefault, requiredBy } of example === undefined ? shown : []) {
    const usual = place.schema['default'] ?? sentDefault;
    const value = usual ?? (requiredBy === undefined ? undefined : memberOfSample(requiredBy, name));
    if (value !== undefined) setOwn(start, name, value);
  }
  return start;
}

/** Returns the resource in the first example of a response that has one. */
function responseExample(operation: Operation): JsonObject | undefined {
  const { media, path } = shownPlace(operation) ?? {};
  const example = media?.examples[0];
  const found = path === undefined || example === undefined ? undefined : memberAt(example, path);
  return isJsonObject(found) ? found : undefined;
}

const anEnd = '(?:deleted|removed|trashed|archived|closed|cancell?ed|disabled|blocked|revoked|expired)';
const ofThePast = new RegExp(`^(?!${anEnd})[a-z]+ed(?:at|on|date|time|datetime|timestamp)$`, 'u');

/**
 * Returns the initial value of a property of a new item, if the document shows none: null, the first of an `enum`, an
 * empty list, false, zero for a count, and the current time for past events.
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

/** Returns a member of the sample of a schema, or a sample of the property if the sample lacks it. */
function memberOfSample(schema: JsonSchema, name: string): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const sample = samples.get(schema) ?? sampleValue(schema) ?? null;
  samples.set(schema, sample);
  if (isJsonObject(sample) && Object.hasOwn(sample, name)) return sample[name];
  return sampleValue(memberSchema(schema, [name]));
}
