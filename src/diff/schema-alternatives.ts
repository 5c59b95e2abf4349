import { isInteger } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import {
  holdsExactNumber,
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { type CompiledSchema, compileSchema, type SchemaValidator } from '../schema/compile.ts';
import { jsonTypeOf, referencedSchema, valueKey } from '../schema/walk.ts';

/** A document of a comparison, with the schema that is compared. */
interface Side {
  readonly document: 'old' | 'new';
  readonly compiled: CompiledSchema;
}

/** A schema, and its place in the compiled schema that contains it. */
export interface Located<Schema extends JsonValue = JsonValue> {
  readonly schema: Schema;
  readonly side: Side;
  readonly pointer: JsonPointer;
}

/** The schemas that a value must all match; none if every value is valid. */
export type View = readonly Located[];

/** A kind of JSON values. A number is an `integer` or a `fraction`. */
export type Kind = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object';

const allKinds: readonly Kind[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'];

/** A schema without branches: the keywords of all its parts apply, except `$ref`, `allOf`, `anyOf` and `oneOf`. */
export interface Alternative {
  readonly parts: readonly Located<JsonObject>[];
  readonly kinds: ReadonlySet<Kind>;
  /** Whether the schema restricts the types of values. */
  readonly isTyped: boolean;
  /** The only possible values, by their keys; undefined if they are not listed. */
  readonly values: ReadonlyMap<string, JsonValue> | undefined;
  /** Whether it is a branch of a `oneOf`, so that no other branch may match too. */
  readonly isExclusive: boolean;
  /** The place of the component, or else of the branch. */
  readonly name: () => JsonPointer;
}

interface Draft {
  readonly parts: readonly Located<JsonObject>[];
  /** The target of the first `$ref`, and the branch. */
  readonly target?: () => JsonPointer;
  readonly branch?: () => JsonPointer;
  readonly isExclusive?: boolean;
}

/** The place of a component. */
export const componentPlace: RegExp = /^\/components\/schemas\/[^/]+$/u;

/** A schema with more alternatives is compared branch by branch. */
const mostAlternatives = 64;

/** Returns the place in the document of a schema, or of a member of it. */
export function placeOf({ side, pointer }: Located, ...tokens: readonly (string | number)[]): JsonPointer {
  return side.compiled.placeOf(appendPointer(pointer, ...tokens));
}

function nameOf({ branch, target }: Draft, own: Located): JsonPointer {
  const place = placeOf(own);
  return branch?.() ?? (componentPlace.test(place) ? place : (target?.() ?? place));
}

function product(lefts: readonly Draft[], rights: readonly Draft[]): readonly Draft[] {
  return lefts
    .flatMap((left) => rights.map((right) => ({ ...right, ...left, parts: [...left.parts, ...right.parts] })))
    .slice(0, mostAlternatives + 1);
}

/** Returns the alternatives of a schema, if their branches are followed or not. */
function expandOne(located: Located, isSplit: boolean, above: readonly JsonValue[] = []): readonly Draft[] {
  const { schema, side, pointer } = located;
  if (schema === false) return [];
  if (!isJsonObject(schema) || above.includes(schema)) return [{ parts: [] }];
  const inside = (next: Located): readonly Draft[] => expandOne(next, isSplit, [...above, schema]);
  const below = (keyword: string): readonly Located[] =>
    [schema[keyword] ?? []].flat().map((each, index) => ({
      schema: each,
      side,
      pointer: appendPointer(pointer, keyword, index),
    }));
  let drafts: readonly Draft[] = [{ parts: [{ schema, side, pointer }] }];
  const target = referencedSchema(side.compiled.schema, schema);
  const { $ref: reference } = schema;
  if (target !== undefined && typeof reference === 'string') {
    const next = { schema: target, side, pointer: reference.slice(1) };
    drafts = product(
      drafts,
      inside(next).map((draft) => ({ ...draft, target: () => nameOf(draft, next) })),
    );
  }
  for (const part of below('allOf')) drafts = product(drafts, inside(part));
  for (const keyword of isSplit ? ['anyOf', 'oneOf'] : []) {
    const branches = below(keyword);
    if (branches.length === 0) continue;
    const isExclusive = keyword === 'oneOf' && branches.length > 1;
    const alternatives = branches.flatMap((branch) =>
      inside(branch).map((draft) => ({
        ...draft,
        branch: () => nameOf(draft, branch),
        ...(isExclusive && { isExclusive }),
      })),
    );
    drafts = product(alternatives, drafts);
  }
  return drafts;
}

function kindOf(value: JsonValue): Kind {
  if (isJsonNumber(value)) return isInteger(value) ? 'integer' : 'fraction';
  const type = jsonTypeOf(value);
  return type === 'number' ? 'fraction' : type;
}

function kindsOf(type: JsonValue): readonly Kind[] {
  return allKinds.filter(
    (kind) => kind === type || (type === 'number' && /^(?:integer|fraction)$/u.test(kind)),
  );
}

const validationMode = { formats: 'assert', integers: 'by-value' } as const;
const compiled = new WeakMap<JsonObject, SchemaValidator>();

/** Returns whether a value matches all parts. Their branches and references are parts of their own. */
export function accepts({ parts }: Pick<Alternative, 'parts'>, value: JsonValue): boolean {
  return parts.every(({ schema, side, pointer }) => {
    const root = side.compiled.schema;
    const { $defs = {} } = isJsonObject(root) ? root : {};
    const { $ref: _, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
    const validator =
      compiled.get(schema) ?? compileSchema({ schema: { ...own, $defs }, pointer }).validator(validationMode);
    compiled.set(schema, validator);
    return validator.accepts(value, holdsExactNumber(value));
  });
}

/** Adds the types and values of a draft; nothing if no value is left. */
function finish(draft: Draft, own: Located | undefined): readonly Alternative[] {
  let kinds: readonly Kind[] = allKinds;
  let isTyped = false;
  let values: ReadonlyMap<string, JsonValue> | undefined;
  for (const { schema } of draft.parts) {
    const { type, enum: listed, const: constant } = schema;
    if (type !== undefined) {
      isTyped = true;
      const named = [type].flat().flatMap(kindsOf);
      kinds = kinds.filter((kind) => named.includes(kind));
    }
    for (const list of [Array.isArray(listed) ? listed : [], constant === undefined ? [] : [constant]]) {
      if (list.length === 0) continue;
      const former = values;
      const entries = list.map((value) => [valueKey(value), value] as const);
      values = new Map(entries.filter(([key]) => former?.has(key) ?? true));
    }
  }
  if (values !== undefined) {
    values = new Map([...values].filter(([, value]) => accepts(draft, value)));
    const found = new Set([...values.values()].map(kindOf));
    kinds = kinds.filter((kind) => found.has(kind));
    isTyped = true;
  }
  const { parts, isExclusive = false } = draft;
  const name = (): JsonPointer => (own === undefined ? '' : nameOf(draft, own));
  return kinds.length === 0 ? [] : [{ parts, kinds: new Set(kinds), isTyped, values, isExclusive, name }];
}

/** Splits an alternative by types: null and others, or each one. One without types stays whole. */
export function splitByKind(alternative: Alternative, isOnlyNull: boolean): readonly Alternative[] {
  const { kinds, isTyped, values } = alternative;
  const groupOf = (kind: Kind): Kind => {
    if (isOnlyNull) return kind === 'null' ? kind : 'object';
    return kind === 'fraction' ? 'integer' : kind;
  };
  const groups = new Set([...kinds].map(groupOf));
  if (!isTyped || groups.size < 2) return [alternative];
  return [...groups].map((group) => ({
    ...alternative,
    kinds: new Set([...kinds].filter((kind) => groupOf(kind) === group)),
    values: values && new Map([...values].filter(([, value]) => groupOf(kindOf(value)) === group)),
  }));
}

/** Returns whether only null matches an alternative. */
export function isNull({ kinds }: Alternative): boolean {
  return kinds.size === 1 && kinds.has('null');
}

/** The alternatives of a view. A value is valid if it matches one; of exclusive ones, exactly one. */
interface Alternatives {
  readonly list: readonly Alternative[];
  /** Whether `anyOf` and `oneOf` remain in the parts, because there are too many combinations. */
  readonly isSplit: boolean;
}

/** Returns the alternatives of a view; none if no value is valid. */
export function listAlternatives(view: View): Alternatives {
  for (const isSplit of [true, false]) {
    let drafts: readonly Draft[] = [{ parts: [] }];
    for (const located of view) drafts = product(drafts, expandOne(located, isSplit));
    if (drafts.length > mostAlternatives && isSplit) continue;
    const list = drafts.flatMap((draft) => finish(draft, view[0]).flatMap((each) => splitByKind(each, true)));
    const firstNull = list.find(isNull);
    return { list: list.filter((each) => each === firstNull || each.isExclusive || !isNull(each)), isSplit };
  }
  return { list: [], isSplit: false };
}

/** Returns the schemas that apply to a property of an object, and whether one of them declares it by name. */
export function memberView(
  { parts }: Alternative,
  name: string,
): { readonly view: View; readonly isDeclared: boolean } {
  const declared = parts.flatMap((part) => {
    const { properties } = part.schema;
    return isJsonObject(properties) && Object.hasOwn(properties, name) ? below(part, 'properties', name) : [];
  });
  const others = parts.filter(({ schema: { properties, patternProperties } }) => {
    const isNamed = isJsonObject(properties) && Object.hasOwn(properties, name);
    return !isNamed && patternProperties === undefined;
  });
  const further = others.flatMap((part) => below(part, 'additionalProperties'));
  const last = declared.length > 0 ? [] : others.flatMap((part) => below(part, 'unevaluatedProperties'));
  return { view: [...declared, ...further, ...last], isDeclared: declared.length > 0 };
}

/** Returns the schemas that apply to the properties that no part declares. */
export function otherMembersView({ parts }: Alternative): View {
  return parts.flatMap((part) => [
    ...below(part, 'additionalProperties'),
    ...below(part, 'unevaluatedProperties'),
  ]);
}

/** Returns the schemas that apply to an item of an array. */
export function itemView({ parts }: Alternative, index: number): View {
  return parts.flatMap((part) => {
    const [prefix] = below(part, 'prefixItems', index);
    return prefix === undefined ? below(part, 'items') : [prefix];
  });
}

/** Returns the subschema of a part at a keyword, or at a name or index below it; nothing if there is none. */
export function below(part: Located<JsonObject>, keyword: string, token?: string | number): View {
  const holder = part.schema[keyword];
  let schema = holder;
  if (typeof token === 'number') schema = Array.isArray(holder) ? holder[token] : undefined;
  if (typeof token === 'string') schema = isJsonObject(holder) ? holder[token] : undefined;
  const tokens = token === undefined ? [keyword] : [keyword, token];
  return schema === undefined
    ? []
    : [{ schema, side: part.side, pointer: appendPointer(part.pointer, ...tokens) }];
}

/** Returns the names of properties that an alternative declares or requires, each with the places where it does. */
export function listNames(
  { parts }: Alternative,
  keyword: 'properties' | 'required',
): ReadonlyMap<string, readonly [part: Located, ...tokens: (string | number)[]]> {
  const names = new Map<string, readonly [Located, ...(string | number)[]]>();
  for (const part of parts) {
    const value = part.schema[keyword];
    if (Array.isArray(value)) {
      value.forEach((name, index) => typeof name === 'string' && names.set(name, [part, keyword, index]));
    } else if (isJsonObject(value)) {
      Object.keys(value).forEach((name) => names.set(name, [part, keyword, name]));
    }
  }
  return names;
}

/** Returns whether no value can match both alternatives: by type, or by the values of a required property. */
export function areDisjoint(one: Alternative, other: Alternative): boolean {
  if (![...one.kinds].some((kind) => other.kinds.has(kind))) return true;
  if (one.values !== undefined && other.values !== undefined)
    return haveNoneInCommon(one.values, other.values);
  const required = listNames(other, 'required');
  return [...listNames(one, 'required').keys()].some((name) => {
    const [values, others] = [one, other].map((each) => listValues(memberView(each, name).view));
    return (
      required.has(name) && values !== undefined && others !== undefined && haveNoneInCommon(values, others)
    );
  });
}

function haveNoneInCommon(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return ![...one.keys()].some((key) => other.has(key));
}

function listValues(view: View): ReadonlyMap<string, JsonValue> | undefined {
  const { list } = listAlternatives(view);
  if (list.some(({ values }) => values === undefined)) return undefined;
  return new Map(list.flatMap(({ values }) => [...(values ?? [])]));
}
