import { parseJsonValue } from '../../json/parse.ts';
import { appendPointer, pointerTokens } from '../../json/pointer.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { decodeUtf8, latin1Text } from '../bytes.ts';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../media-type.ts';
import { parseMultipart } from '../multipart.ts';
import { decodeQueryText, delimiters, parseQuery } from '../query.ts';
import type { Codec, DeclaredContent, ParsedContent, PropertyEncoding } from './codec.ts';

/** A pair of `application/x-www-form-urlencoded`, or a part of `multipart/form-data`. */
interface Member {
  readonly name: string;
  readonly text: string;
  /** The raw value, if it shows more: a separating comma is not encoded. */
  readonly raw?: string;
  /** The Content-Type of the part itself. */
  readonly contentType?: string | undefined;
}

type ParseForm = (content: Uint8Array, contentType: string) => ParsedContent;

/** The prepared parser of each declared form. */
const prepared = new WeakMap<DeclaredContent, ParseForm | undefined>();

/** Parses forms. Only a run writes them, in `arbitrary/`, because browsers load this codec with the mock. */
export const formCodec: Codec = {
  matches: (essence) => essence === 'application/x-www-form-urlencoded' || essence === 'multipart/form-data',
  holds: 'members',
  parse(content, media, contentType) {
    if (!prepared.has(media)) prepared.set(media, prepareForm(media));
    return prepared.get(media)?.(content, contentType);
  },
};

/**
 * Prepares the reader of forms (OpenAPI 3.1 §4.8.14.3 and §4.8.14.4). The schema and `encoding` decide the types of the
 * texts. If several interpretations are common, the one that the schema accepts is used. A file is its text, or one
 * character per byte if it is not UTF-8. Returns undefined if the schema allows no object, and therefore no form.
 */
function prepareForm(media: DeclaredContent): ParseForm | undefined {
  const schema = media.schema?.schema ?? true;
  const types = schemaTypes(schema);
  if (types.size > 0 && !types.has('object')) return undefined;
  const whole = textPlanOf(schema);
  const spread = new Map<string, string>();
  for (const name of whole.names) {
    const { style, contentType } = media.encoding?.get(name) ?? {};
    if (style === 'deepObject' || contentType !== undefined) continue;
    const plan = whole.member(name);
    if (!plan.types.has('object')) continue;
    plan.names.forEach((inner) => spread.set(inner, name));
  }

  /** Returns the property of a member, and the place within it. */
  function placeOf(name: string): readonly [property: string, ...inside: string[]] {
    if (whole.names.has(name)) return [name];
    const bracket = name.indexOf('[');
    const base = bracket > 0 && name.endsWith(']') ? name.slice(0, bracket) : undefined;
    if (base !== undefined && whole.names.has(base)) {
      const inside = name.slice(bracket + 1, -1).split('][');
      if (inside.length <= mostLevels) return [base, ...inside];
    }
    const holder = spread.get(name);
    return holder === undefined ? [name] : [holder, name];
  }

  return (content, contentType) => {
    const members = readMembers(content, contentType);
    if (typeof members === 'string') return { kind: 'malformed', reason: members };
    const places = new Map<string, Place>();
    let count = 0;
    for (const member of members) {
      const names = placeOf(member.name);
      const wrong = findWrongType(media, names[0], member);
      if (wrong !== undefined) return wrong;
      count += addTo(places, names, member);
      if (count > mostPlaces) {
        const reason = `its names lead to more than ${mostPlaces} objects, lists and values`;
        return { kind: 'malformed', reason };
      }
    }
    const readings = [...places].map(
      ([name, each]) => [name, listReadings(whole.member(name), each, media.encoding?.get(name))] as const,
    );
    return { kind: 'value', value: choose(readings, whole, media) };
  };
}

/** The maximum number of fields. Other form parsers stop at 1,000. */
const mostMembers = 10_000;

/** The maximum number of nested places in a form: a name of many brackets costs as much as many fields. */
const mostPlaces = 3 * mostMembers;

/** Further brackets are a part of the name. */
const mostLevels = 16;

function readMembers(content: Uint8Array, contentType: string): readonly Member[] | string {
  const mediaType = parseMediaType(contentType);
  if (mediaType?.essence === 'multipart/form-data') {
    const parts = parseMultipart(content, mediaType.parameters.get('boundary'), mostMembers);
    return typeof parts === 'string'
      ? parts
      : parts.map((part) => ({ ...part, text: decodeUtf8(part.content) ?? latin1Text(part.content) }));
  }
  const text = decodeUtf8(content);
  if (text === undefined) return 'it is not valid UTF-8';
  if (text.split('&', mostMembers + 1).length > mostMembers) return `it has more than ${mostMembers} fields`;
  return parseQuery(`?${text}`).map(([name, raw]) => ({ name, text: decodeQueryText(raw), raw }));
}

function findWrongType(
  { encoding, pointer }: DeclaredContent,
  property: string,
  { contentType }: Member,
): ParsedContent | undefined {
  const wanted = encoding?.get(property)?.contentType;
  if (wanted === undefined || contentType === undefined) return undefined;
  const essence = parseMediaType(contentType)?.essence;
  const isWanted = (range: string): boolean =>
    essence !== undefined && matchesMediaRange(essence, range.trim());
  if (wanted.split(',').some(isWanted)) return undefined;
  const clause = appendPointer(pointer, 'encoding', property, 'contentType');
  return { kind: 'wrong-type', at: appendPointer('', property), sent: contentType, wanted, clause };
}

/** The values sent for one place: texts, or nested places (`address[city]`, `tags[]`). */
interface Place {
  readonly members: Member[];
  /** Undefined for most places, because a form may have very many. */
  below: Map<string, Place> | undefined;
}

/** Adds a member, and returns the number of new places. */
function addTo(places: Map<string, Place>, names: readonly string[], member: Member): number {
  let count = 0;
  let place: Place = { members: [], below: places };
  for (const each of names) {
    const below = (place.below ??= new Map<string, Place>());
    // `tags[]` appends an item.
    const name = each === '' && below.has('') ? String(below.size) : each;
    let next = below.get(name);
    if (next === undefined) {
      next = { members: [], below: undefined };
      below.set(name, next);
      count += 1;
    }
    place = next;
  }
  place.members.push(member);
  return count;
}

/** Lists the possible values of a form member, the most likely first. */
function listReadings(
  plan: TextPlan,
  { members, below }: Place,
  encoding?: PropertyEncoding,
): readonly JsonValue[] {
  if (below !== undefined) return [fromBelow(plan, below)];
  const last = members.at(-1);
  if (last === undefined) return [];
  const { types } = plan;
  const isCompound = types.has('object') || types.has('array');
  const isText = types.size === 0 || types.has('string');
  const isAnyJson = saysJson(last, encoding) && !(types.size === 1 && isText);
  const json = isCompound || isAnyJson ? readAsJson(last, encoding) : undefined;
  const isList = types.has('array') || (types.size === 0 && members.length > 1);
  const readings = [
    ...(json !== undefined && isAnyJson ? [json] : []),
    ...(isCut(encoding) ? cut(plan, last, encoding?.style) : []),
    ...(isList ? [members.map((member) => readItem(plan.items(), member, encoding))] : []),
    ...(json === undefined ? [] : [json]),
    ...(isText || !isCompound ? [plan.coerce(last.text)] : []),
    ...(isText ? [last.text] : []),
  ];
  return readings.length === 0 ? [last.text] : [...new Set(readings)];
}

/** Returns whether a list or an object is in one text, the default of all styles except `form`. */
function isCut({ style, explode }: PropertyEncoding = {}): boolean {
  return style !== 'deepObject' && explode !== true && (explode === false || (style ?? 'form') !== 'form');
}

/** Reads one of several members with the same name. */
function readItem(plan: TextPlan, member: Member, encoding: PropertyEncoding | undefined): JsonValue {
  const json = readAsJson(member, encoding);
  const isCompound = plan.types.has('object') || plan.types.has('array');
  return json !== undefined && isCompound ? json : plan.coerce(member.text);
}

function saysJson({ contentType }: Member, encoding: PropertyEncoding | undefined): boolean {
  const said = contentType ?? encoding?.contentType;
  const essence = said === undefined ? undefined : parseMediaType(said)?.essence;
  return essence !== undefined && isJsonMediaType(essence);
}

/** Parses a text as JSON: any value if it is declared as JSON, else only an array or an object. */
function readAsJson(member: Member, encoding: PropertyEncoding | undefined): JsonValue | undefined {
  if (!saysJson(member, encoding) && !/^\s*[{[]/u.test(member.text)) return undefined;
  return parseJsonValue(member.text);
}

/** Splits a text into a list or an object (OpenAPI 3.1 §4.8.12.3, `explode: false`). */
function cut(plan: TextPlan, { text, raw = text }: Member, style: string | undefined): readonly JsonValue[] {
  const texts = raw
    .split(delimiters[style ?? ''] ?? ',')
    .map((each) => (raw === text ? each : decodeQueryText(each)));
  if (plan.types.has('array')) return [texts.map((each) => plan.items().coerce(each))];
  if (!plan.types.has('object')) return [];
  const pairs = texts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : [],
  );
  return [Object.fromEntries(pairs.map(([name, each]) => [name, plan.member(name).coerce(each)]))];
}

function fromBelow(plan: TextPlan, below: ReadonlyMap<string, Place>): JsonValue {
  const isNumbered = [...below.keys()].every((name) => /^\d*$/u.test(name));
  const isList = isNumbered && (plan.types.has('array') || !plan.types.has('object'));
  if (!isList) {
    const value: JsonObject = {};
    for (const [name, each] of below) setOwn(value, name, listReadings(plan.member(name), each)[0] ?? null);
    return value;
  }
  return [...below]
    .toSorted(([one], [two]) => Number(one) - Number(two))
    .map(([, each]) => listReadings(plan.items(), each)[0] ?? null);
}

/**
 * Builds the object. If a declared property has several possible values, the first that the schema accepts is used.
 */
function choose(
  readings: readonly (readonly [name: string, values: readonly JsonValue[]])[],
  { names }: TextPlan,
  { schema }: DeclaredContent,
): JsonObject {
  let value: JsonObject = Object.fromEntries(readings.map(([name, [first = null]]) => [name, first]));
  const unclear = readings.filter(([name, values]) => values.length > 1 && names.has(name));
  const validate = schema?.validator({ formats: 'ignore', integers: 'by-value' });
  if (validate === undefined || unclear.length === 0) return value;
  const listWrong = (whole: JsonObject): ReadonlySet<string | undefined> =>
    new Set(validate(whole, true).map(({ pointer }) => pointerTokens(pointer)[0]));
  const wrong = listWrong(value);
  for (const [name, values] of unclear) {
    if (!wrong.has(name)) continue;
    const others = values.slice(1).map((each) => ({ ...value, [name]: each }));
    value = others.find((each) => !listWrong(each).has(name)) ?? value;
  }
  return value;
}
