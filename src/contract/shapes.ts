import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, schemasInPlace, subschemasAt } from '../schema/walk.ts';
import type { ListShape } from './contract.ts';

/** The shape of an object schema that describes a resource. */
export interface ObjectShape {
  /** The `$ref`s that lead to it, including those of its `allOf`. */
  readonly references: ReadonlySet<string>;
  /** The `$ref` that leads to the schema itself. */
  readonly own: string | undefined;
  /** Returns the shape of the member with particular properties: `attributes` of JSON:API, `properties`. */
  readonly detail: () => ObjectShape | undefined;
  readonly properties: ReadonlyMap<string, ShapedProperty>;
}

/** A property of an object schema. */
export interface ShapedProperty {
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly readOnly: boolean;
}

/** A representation in a body: its place and its shape. */
export interface FoundRepresentation {
  /** The names of the members that lead to it; empty if the body is the representation. */
  readonly path: readonly string[];
  readonly shape: ObjectShape;
}

/** A list of resources in a response, and the shape of an element. */
interface FoundList extends ListShape {
  readonly shape: ObjectShape | undefined;
}

/** Hints for the search of a list. */
export interface ListHints {
  /** A representation of one of its elements. */
  readonly like?: ObjectShape | undefined;
  /** Words of its path and of its operation. */
  readonly names?: readonly string[];
}

/** Members of an envelope that describe the list, not a resource. */
const paging =
  /^(?:@|_|(?:total|count|size|page|pages|per|limit|offset|cursor|next|prev|previous|first|last|has|more|links?|meta|metadata|paging|pagination|self|href|kind|etag|object|status|success|code|message|errors?|warnings?|response|request|result|start|end|max|current|number|url|uri|self|incomplete|included|jsonapi)(?![a-z]))/u;

const isPaging = (name: string): boolean =>
  paging.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_').toLowerCase());

/** The usual names of envelope members. */
const envelopes = ['data', 'item', 'result', 'attributes', 'payload', 'value'];

const scalars = ['string', 'integer', 'number'];

/** Returns whether a member has a usual name of an envelope. */
export const isEnvelope = (name: string): boolean => envelopes.includes(name.toLowerCase());

/** The usual names of the members that contain the list. */
const collections = ['data', 'items', 'results', 'records', 'entries', 'value', 'values', 'rows', 'list'];

const stem = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]|(?:es|s)$/gu, '');

/** Returns the similarity of two shapes: 1 for a common schema, else the common share of the smaller one's names. */
export function likeness(left: ObjectShape | undefined, right: ObjectShape | undefined): number {
  if (left === undefined || right === undefined) return 0;
  if (left.own !== undefined && left.own === right.own) return 1;
  const [ours, theirs] = [left.detail(), right.detail()];
  if (ours !== undefined && theirs !== undefined) return likeness(ours, theirs);
  for (const reference of left.references) if (right.references.has(reference)) return 1;
  const [small, large] =
    left.properties.size <= right.properties.size
      ? [left.properties, right.properties]
      : [right.properties, left.properties];
  const shared = [...small.keys()].filter((name) => large.has(name)).length;
  // One common name, usually an id, is weak evidence.
  return small.size === 0 || (shared === 1 && large.size > 3) ? 0 : (shared / small.size) * 0.95;
}

/** Reads the shapes of schemas in a document with only internal `$ref`s. Each shape is read once. */
export class ShapeReader {
  readonly #root: JsonObject;
  readonly #known = new Map<JsonObject, ObjectShape | undefined>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  #parts(schema: JsonValue | undefined, keywords = ['allOf']): readonly JsonObject[] {
    return isJsonObject(schema) ? schemasInPlace(this.#root, schema, keywords) : [];
  }

  /** Returns the shape of an object schema; undefined if it declares no property. */
  read(schema: JsonValue | undefined): ObjectShape | undefined {
    if (!isJsonObject(schema)) return undefined;
    if (this.#known.has(schema)) return this.#known.get(schema);
    // The first alternative represents a resource of several kinds.
    const first = subschemasAt(schema, ['oneOf', 'anyOf'])[0];
    const shape =
      this.#shapeOf(this.#parts(schema)) ??
      this.#shapeOf(this.#parts(first)) ??
      this.#shapeOf(this.#parts(schema, ['allOf', 'oneOf', 'anyOf']));
    this.#known.set(schema, shape);
    return shape;
  }

  #shapeOf(schemas: readonly JsonObject[]): ObjectShape | undefined {
    const properties = new Map<string, ShapedProperty>();
    const required = new Set(
      schemas.flatMap((part) => (Array.isArray(part['required']) ? part['required'] : [])),
    );
    for (const part of schemas) {
      for (const [name, schema] of Object.entries(
        isJsonObject(part['properties']) ? part['properties'] : {},
      )) {
        if (typeof schema !== 'boolean' && !isJsonObject(schema)) continue;
        const readOnly = this.#parts(schema).some((each) => each['readOnly'] === true);
        properties.set(name, { schema, required: required.has(name), readOnly });
      }
    }
    const references = schemas.flatMap(({ $ref: reference }) =>
      typeof reference === 'string' ? [reference] : [],
    );
    const detail = properties.get('attributes') ?? properties.get('properties');
    return properties.size === 0
      ? undefined
      : {
          references: new Set(references),
          own: references.at(-1),
          detail: () => (detail === undefined ? undefined : this.read(detail.schema)),
          properties,
        };
  }

  /** Returns whether a schema has an `enum`. */
  isListed(schema: JsonValue | undefined): boolean {
    return this.#parts(schema).some((part) => Array.isArray(part['enum']));
  }

  /** Returns the types that a schema allows; none if it declares none. A schema with only `items` is an array. */
  types(schema: JsonValue | undefined): readonly string[] {
    return this.#parts(schema).flatMap(({ type, items, properties }) =>
      [type ?? (items !== undefined && properties === undefined ? 'array' : [])]
        .flat()
        .flatMap((each) => (typeof each === 'string' && each !== 'null' ? [each] : [])),
    );
  }

  /** Returns whether a body may be an object. A body that is not JSON may be one. */
  mayBeObject(schema: JsonValue | undefined): boolean {
    const types = this.types(schema);
    return this.read(schema) !== undefined || types.includes('object') || types.length === 0;
  }

  #itemsOf(schema: JsonValue | undefined): JsonValue | undefined {
    return this.#parts(schema).find((part) => part['items'] !== undefined)?.['items'];
  }

  /**
   * Finds the resource in a body: the body itself, or inside an envelope like `{pet: {…}}` and `{data: {…}}`.
   *
   * @param like - a known representation of the resource; the most similar one is returned
   * @param id - the property that identifies it
   */
  representation(
    schema: JsonValue | undefined,
    like?: ObjectShape,
    id?: string,
  ): FoundRepresentation | undefined {
    const bare = this.read(schema);
    if (bare === undefined) return undefined;
    const inner = [...bare.properties].flatMap(([name, property]): FoundRepresentation[] => {
      const shape = this.read(property.schema);
      return shape === undefined || this.types(property.schema).includes('array')
        ? []
        : [{ path: [name], shape }];
    });
    const wrappers = inner.filter(({ path: [name = ''] }) => isEnvelope(name));
    // `{status: …, data: {id: …}}`
    const named =
      id === undefined || bare.properties.has(id)
        ? undefined
        : wrappers.find(({ shape }) => shape.properties.has(id));
    if (like !== undefined) {
      const deeper = inner.flatMap(({ path, shape }) =>
        [...shape.properties].flatMap(([name, property]): FoundRepresentation[] => {
          const below =
            path.length === 1 && isEnvelope(path[0] ?? '') ? this.read(property.schema) : undefined;
          return below === undefined ? [] : [{ path: [...path, name], shape: below }];
        }),
      );
      const closest = best([{ path: [], shape: bare }, ...inner, ...deeper], like);
      if (closest !== undefined) return closest.path.length === 0 ? (named ?? closest) : closest;
    }
    if (named !== undefined) return named;
    const own = [...bare.properties.keys()].filter((name) => !isPaging(name));
    const [only] = inner.filter(({ path }) => own.includes(path[0] ?? ''));
    // `{pet: {…}}`, `{data: {…}, meta: {…}}`. An update may contain only one member of the resource.
    const isMember = like !== undefined && own.every((name) => like.properties.has(name));
    // `{Data: {…}, Risk: {…}}`
    const [held] = wrappers;
    const areObjects = own.every((name) => inner.some(({ path }) => path[0] === name));
    if (held !== undefined && areObjects && !isMember) return this.#inEnvelope(held);
    return only !== undefined && own.length === 1 && !isMember
      ? this.#inEnvelope(only)
      : { path: [], shape: bare };
  }

  /** Handles nested envelopes: `{data: {pet: {…}}}`. */
  #inEnvelope(found: FoundRepresentation): FoundRepresentation {
    const [name, ...others] = [...found.shape.properties.keys()].filter((each) => !isPaging(each));
    const schema = name === undefined ? undefined : found.shape.properties.get(name)?.schema;
    const shape = this.types(schema).includes('array') ? undefined : this.read(schema);
    const isAround = isEnvelope(found.path[0] ?? '') && others.length === 0;
    return name === undefined || shape === undefined || !isAround || isEnvelope(name)
      ? found
      : { path: [...found.path, name], shape };
  }

  /** Finds the list in a body: `[…]`, `{items: […], total}`, `{data: {items: […]}}`, a map by id, or a list of ids. */
  list(schema: JsonValue | undefined, hints: ListHints = {}): FoundList | undefined {
    return this.#list(schema, hints, 0);
  }

  #list(schema: JsonValue | undefined, hints: ListHints, depth: number): FoundList | undefined {
    const { like, names = [] } = hints;
    const items = this.#itemsOf(schema);
    if (items !== undefined) {
      const element = this.representation(items, like);
      if (element !== undefined)
        return { kind: 'array', path: [], element: element.path, shape: element.shape };
      const [type = ''] = this.types(items);
      if (type === 'boolean') return undefined;
      return scalars.includes(type)
        ? { kind: 'ids', path: [], element: [], shape: undefined }
        : { kind: 'array', path: [], element: [], shape: undefined };
    }
    const bare = this.read(schema);
    if (bare === undefined) {
      const further = this.#parts(schema).find((part) => isJsonObject(part['additionalProperties']));
      const shape = further && this.read(further['additionalProperties']);
      return shape && (like === undefined || likeness(shape, like) >= 0.5)
        ? { kind: 'map', path: [], element: [], shape }
        : undefined;
    }
    const found = [...bare.properties].flatMap(([name, property]): FoundList[] => {
      const isWrapper = depth < 2 && (isEnvelope(name) || name === '_embedded');
      const below =
        this.#itemsOf(property.schema) !== undefined || isWrapper
          ? this.#list(property.schema, hints, depth + 1)
          : undefined;
      return below === undefined || below.kind === 'map' ? [] : [{ ...below, path: [name, ...below.path] }];
    });
    const ofObjects = found.filter(({ shape }) => shape !== undefined);
    if (like !== undefined) {
      const alike = ofObjects.filter(({ shape }) => likeness(shape, like) >= 0.5);
      if (alike.length > 0)
        return alike.toSorted((a, b) => likeness(b.shape, like) - likeness(a.shape, like))[0];
    }
    const rest = [...bare.properties.keys()].filter((name) => !isPaging(name));
    const some = ofObjects.length > 0 ? ofObjects : found;
    const own = some.filter(({ path: [first = ''] }) => !isPaging(first));
    const [only, ...others] = own.length > 0 ? own : some;
    if (only === undefined || others.length > 0) return undefined;
    const [name = ''] = only.path;
    // `{"videos": […], …}` of `GET /videos`, and each response of an operation named `list…`.
    const isNamed =
      names.includes('list') || names.some((each) => stem(each) === stem(name)) || collections.includes(name);
    return isNamed || rest.length <= 2 ? only : undefined;
  }
}

function best(all: readonly FoundRepresentation[], like: ObjectShape): FoundRepresentation | undefined {
  const [closest] = all.toSorted((a, b) => likeness(b.shape, like) - likeness(a.shape, like));
  return closest !== undefined && likeness(closest.shape, like) >= 0.5 ? closest : undefined;
}
