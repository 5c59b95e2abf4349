import type { DeclaredHeader, MediaTypeContract } from '../../contract/contract.ts';
import type { PageRelation } from '../../contract/page-members.ts';
import { memberAt, nestMember } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { acceptsValue } from '../../schema/compile.ts';
import { type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { memberSchema, sampleHeaders } from '../answer/representation.ts';
import { shownExample } from '../answer/sample-body.ts';
import { repairSample, sampleValue, shownValue } from '../../schema/value/sample-value.ts';
import { foldSchema, mergeSchema } from '../../schema/merge.ts';
import { type Filling, fillingOf, relations, toRel, toTextIf } from './list-fillings.ts';
import type { PageFacts } from './list-links.ts';

interface Member extends Filling {
  /** The path of names that leads to it in the body. */
  readonly path: readonly string[];
  /** The value if the page does not have this fact; undefined to omit the member. */
  readonly none: JsonValue | undefined;
}

/** The envelope of a list in a body. */
export interface ListEnvelope {
  readonly needsTotal: boolean;
  /** Returns the body with the list. An empty list is omitted if its schema rejects it and does not require it. */
  readonly write: (list: JsonValue, page: PageFacts) => JsonValue;
}

/** The maximum depth of useful members of an envelope. */
const deepest = 4;

/**
 * Prepares the envelope of a list. Members whose name and type match a fact about the page contain that fact. All other
 * members are as the document shows them, or samples if they are required.
 *
 * @param media - undefined if the document does not describe the body
 * @param path - the path of names that leads to the list
 */
export function prepareEnvelope(
  media: Pick<MediaTypeContract, 'schema' | 'examples'> | undefined,
  path: readonly string[],
): ListEnvelope {
  if (path.length === 0) return { needsTotal: false, write: (list) => list };
  const schema = media?.schema?.schema ?? true;
  const members = findMembers(schema, path);
  let sampled: JsonValue = shownExample(media, path) ?? shownValue(schema) ?? {};
  for (const { path: place } of members) {
    const around = place.slice(0, -1);
    if (memberAt(sampled, around) === undefined) {
      sampled = nestMember(sampled, around, sampleValue(memberSchema(schema, around)) ?? {});
    }
  }
  let base = members.reduce((rest, { path: place }) => withoutMember(rest, place), sampled);
  // To find why the rest does not fit without its members, all referenced schemas must be compiled.
  const fits = [nestMember(sampled, path, []), sampled].some((whole) => acceptsValue(media?.schema, whole));
  if (!fits) base = repairSample(schema, base);
  const isLeftOut = mayBeLeftOut(schema, path);
  return {
    needsTotal: members.some(({ needsTotal }) => needsTotal === true),
    write(list, page) {
      let body: JsonValue = base;
      for (const { path: place, fill, none } of members) {
        const value = fill(page) ?? none;
        if (value !== undefined) body = nestMember(body, place, value);
      }
      const isEmpty = Array.isArray(list) && list.length === 0;
      return isEmpty && isLeftOut ? withoutMember(body, path) : nestMember(body, path, list);
    },
  };
}

/** Returns whether a list must have items if it is present, but is optional. */
function mayBeLeftOut(schema: JsonSchema, path: readonly string[]): boolean {
  const { required } = foldSchema(memberSchema(schema, path.slice(0, -1)));
  const isRequired = Array.isArray(required) && required.includes(path.at(-1) ?? '');
  return !isRequired && Number(foldSchema(memberSchema(schema, path))['minItems'] ?? 0) > 0;
}

function withoutMember(value: JsonValue, [name = '', ...rest]: readonly string[]): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return nestMember(value, [name], withoutMember(value[name] ?? null, rest));
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function findMembers(whole: JsonSchema, list: readonly string[]): readonly Member[] {
  const root = isJsonObject(whole) ? whole : {};

  function visit(schema: JsonValue, path: readonly string[]): readonly Member[] {
    if (!isJsonObject(schema) || path.length > deepest) return [];
    const { properties, required } = mergeSchema(root, schema);
    if (!isJsonObject(properties)) return [];
    const names = Object.keys(properties);
    return Object.entries(properties).flatMap(([name, property]) => {
      const place = [...path, name];
      const leads = place.every((each, index) => each === list[index]);
      if (leads && place.length === list.length) return [];
      const part = isJsonObject(property) ? mergeSchema(root, property) : {};
      const types = schemaTypes(isJsonObject(property) ? property : true, root);
      const filling = leads ? undefined : fillingOf({ name, path, part, types, siblings: names });
      if (filling === undefined) return visit(property, place);
      const isRequired = Array.isArray(required) && required.includes(name);
      const none = types.has('null') || isRequired ? emptyOf(types, { ...root, ...part }) : undefined;
      return [{ ...filling, path: place, none }];
    });
  }

  return visit(whole, []);
}

/** Returns null, an empty text or zero if the schema accepts one of them, else any value that it accepts. */
function emptyOf(types: ReadonlySet<string>, schema: JsonObject): JsonValue | undefined {
  if (types.has('null')) return null;
  if (types.has('string') && schema['format'] === undefined) return '';
  const isNumber = types.has('integer') || types.has('number');
  return isNumber && Number(schema['minimum'] ?? 0) <= 0 ? 0 : sampleValue(schema);
}

/** The header fields of a list: names and values alternate. */
export interface ListFields {
  readonly needsTotal: boolean;
  readonly write: (page: PageFacts) => readonly string[];
}

/**
 * Prepares the declared header fields of a list: `Link` (RFC 8288), `Content-Range`, and fields whose name matches a
 * fact about the page, `X-Total-Count`, `X-Next-Page`. All other required fields are samples.
 */
export function prepareFields(declared: readonly DeclaredHeader[]): ListFields {
  const fields = declared.flatMap((header) => {
    const filling = fieldOf(header);
    const { required, schema } = header;
    const [, sample = ''] = acceptsValue(schema, '') ? [] : sampleHeaders([header]);
    return filling === undefined ? [] : [{ header, filling, none: required ? sample : undefined }];
  });
  const names = fields.map(({ header }) => header.name.toLowerCase());
  const samples = sampleHeaders(declared, names);
  return {
    needsTotal: fields.some(({ filling }) => filling.needsTotal === true),
    write(page) {
      let left = longestFields;
      const own = fields.flatMap(({ header: { name }, filling, none }) => {
        const filled = toTextIf(filling.fill(page));
        left -= filled?.length ?? 0;
        const value = (left < 0 ? undefined : filled) ?? none;
        return value === undefined ? [] : [name, value];
      });
      return [...samples, ...own];
    },
  };
}

function fieldOf({ name: written, schema }: DeclaredHeader): Filling | undefined {
  const field = written.toLowerCase();
  if (field === 'link') return { fill: writeLink, needsTotal: true };
  if (field === 'content-range') return { fill: writeRange, needsTotal: true };
  const whole = schema?.schema ?? true;
  const declared = schemaTypes(whole);
  const types = declared.size === 0 ? new Set(['string']) : declared;
  const name = field.replace(/^x-/u, '').replace(/^(?:pagination|paging)-/u, '');
  return fillingOf({ name, path: [], siblings: [], part: foldSchema(whole), types });
}

/** Clients read 16 KiB of header fields. Fields of a list that exceed this length are omitted. */
const longestFields = 8192;
/** The relations of Link by their use to a client; the last are omitted first. */
const byUse = ['next', 'previous', 'first', 'last'] as const;

function writeLink(page: PageFacts): string | undefined {
  const links = new Map<PageRelation, string>();
  let left = longestFields;
  for (const relation of byUse) {
    const url = page.url(relation, 'absolute');
    const link = `<${url ?? ''}>; rel="${toRel(relation)}"`;
    left -= url === undefined ? 0 : link.length + 2;
    if (url !== undefined && left >= 0) links.set(relation, link);
  }
  const inOrder = relations.flatMap((relation) => links.get(relation) ?? []);
  return inOrder.length === 0 ? undefined : inOrder.join(', ');
}

/** Writes Content-Range (RFC 9110 §14.4) with the unit `items`. */
function writeRange({ offset, count, total }: PageFacts): string | undefined {
  const size = total === undefined ? '*' : String(total);
  if (count === 0) return `items */${size}`;
  return offset === undefined ? undefined : `items ${offset}-${offset + count - 1}/${size}`;
}
