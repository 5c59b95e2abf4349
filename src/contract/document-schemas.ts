import { DocumentError, type OpenApiDocument } from '../document/document.ts';
import { plainPointer, resolveObject, visitReferences } from '../document/references.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import {
  type CompiledSchema,
  compileSchema,
  createSharedDefinitions,
  shareDefinitions,
  rememberByReading,
} from '../schema/compile.ts';
import { fromOpenApiSchema } from '../schema/from-openapi.ts';
import type { JsonSchema } from '../schema/walk.ts';

/** Which way a value travels: a request may leave read-only properties out, a response write-only ones. */
export type Direction = 'request' | 'response';

const known = new WeakMap<OpenApiDocument['root'], Map<Direction, DocumentSchemas>>();

/**
 * The schema at a place of a document, with everything that it refers to, recursively, in its `$defs`: one for each schema
 * that references lead to, and direction. Schemas share their definitions, each of which is converted and compiled once;
 * nothing is done before it is asked for.
 *
 * @throws DocumentError SCHEMA_UNUSABLE, at its line and column, from its `validator`, where it cannot be compiled
 */
export function compileSchemaAt(
  document: OpenApiDocument,
  place: JsonPointer,
  direction: Direction,
): CompiledSchema {
  const { root } = document;
  const directions = known.get(root) ?? new Map<Direction, DocumentSchemas>();
  known.set(root, directions);
  const schemas = directions.get(direction) ?? new DocumentSchemas(document, direction);
  directions.set(direction, schemas);
  return schemas.get(followReference(document, place));
}

/** A schema that others refer to, or that is compiled itself. */
interface Definition {
  readonly schema: JsonSchema;
  /** Where its references lead to. */
  readonly targets: ReadonlySet<JsonPointer>;
}

/** Finds the component schemas that extend one by `allOf`, at any number of steps; looked for when first asked. */
function findExtensions(root: JsonObject): (base: JsonPointer) => readonly JsonPointer[] {
  let direct: Map<JsonPointer, JsonPointer[]> | undefined;

  function group(): Map<JsonPointer, JsonPointer[]> {
    const groups = new Map<JsonPointer, JsonPointer[]>();
    const { schemas } = resolveObject(root, '/components')?.value ?? {};
    for (const [name, schema] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
      const { allOf } = isJsonObject(schema) ? schema : {};
      for (const part of Array.isArray(allOf) ? allOf : []) {
        const { $ref: reference } = isJsonObject(part) ? part : {};
        const base = typeof reference === 'string' ? plainPointer(reference) : undefined;
        if (base === undefined) continue;
        const place = appendPointer('/components/schemas', name);
        groups.set(base, [...(groups.get(base) ?? []), place]);
      }
    }
    return groups;
  }

  return (base) => {
    direct ??= group();
    const found = new Set(direct.get(base));
    for (const place of found) direct.get(place)?.forEach((each) => found.add(each));
    found.delete(base);
    return [...found];
  };
}

/** The schemas of a document, for one direction. */
class DocumentSchemas {
  readonly #document: OpenApiDocument;
  readonly #direction: Direction;
  readonly #names: ReturnType<typeof createNames>;
  readonly #extensionsOf: ReturnType<typeof findExtensions>;
  readonly #definitions = new Map<JsonPointer, Definition>();
  readonly #closures = new Map<JsonPointer, ReadonlySet<JsonPointer>>();
  readonly #defsOf = new Map<ReadonlySet<JsonPointer>, JsonObject>();
  readonly #shared = createSharedDefinitions();
  readonly #made = new Map<JsonPointer, CompiledSchema>();

  constructor(document: OpenApiDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
    this.#names = createNames(document.root);
    this.#extensionsOf = findExtensions(document.root);
  }

  get(pointer: JsonPointer): CompiledSchema {
    const schema = this.#made.get(pointer) ?? this.#make(pointer);
    this.#made.set(pointer, schema);
    return schema;
  }

  #define(place: JsonPointer): Definition {
    const earlier = this.#definitions.get(place);
    if (earlier !== undefined) return earlier;
    const original = resolvePointer(this.#document.root, place);
    if (typeof original !== 'boolean' && !isJsonObject(original)) {
      throw new TypeError(`No schema stands at ${place}`);
    }
    const definition = this.#convertSchema(original);
    this.#definitions.set(place, definition);
    return definition;
  }

  /** A base schema with a discriminator is what a reference to it chooses from. */
  #defineWhole(place: JsonPointer): Definition {
    const { discriminator } = resolveObject(this.#document.root, place)?.value ?? {};
    const isBase = isJsonObject(discriminator) && this.#extensionsOf(place).length > 0;
    return isBase ? this.#convertSchema({ $ref: `#${place}` }) : this.#define(place);
  }

  #convertSchema(original: JsonSchema): Definition {
    const targets = new Set<JsonPointer>();
    // What is used of its own definitions is referred to by its place in the document.
    const { $defs: _, ...bare } = typeof original === 'boolean' ? {} : original;
    const { root, version, openapi } = this.#document;
    const { openapi: own } = root;
    const target = { version, direction: this.#direction };
    const schema = fromOpenApiSchema(typeof original === 'boolean' ? original : bare, target, {
      extensionsOf: (reference) =>
        this.#extensionsOf(plainPointer(reference) ?? '').map((extension) => `#${extension}`),
      discriminatorDecides: typeof own !== 'string' || /^(?:3\.0\.[0-3]|3\.1\.0)$/u.test(own),
      follow: (reference) => {
        const place = plainPointer(reference);
        const target = place === undefined ? undefined : resolvePointer(root, place);
        return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
      },
      rename: (reference) => {
        const target = plainPointer(reference);
        if (target === undefined) return reference;
        targets.add(target);
        return `#/$defs/${this.#names.nameOf(target)}`;
      },
      // The sentence that ties it to a type in the same schema came with 3.0.3.
      isNullableWhole: /^3\.0\.[0-2](?!\d)/u.test(openapi),
    });
    return { schema, targets };
  }

  /** The places that are led to from one, itself included. Those that lead to each other have one set. */
  #closureOf(place: JsonPointer): ReadonlySet<JsonPointer> {
    const earlier = this.#closures.get(place);
    if (earlier !== undefined) return earlier;
    const found = new Set([place]);
    for (const each of found) {
      const inside = this.#closures.get(each);
      if (inside?.has(place) === true) {
        this.#closures.set(place, inside);
        return inside;
      }
      (inside ?? this.#define(each).targets).forEach((target) => found.add(target));
    }
    this.#closures.set(place, found);
    return found;
  }

  #closureOfAll(targets: ReadonlySet<JsonPointer>): ReadonlySet<JsonPointer> {
    const closuresOfEach = [...targets]
      .map((place) => this.#closureOf(place))
      .toSorted((left, right) => right.size - left.size);
    const [largest = new Set()] = closuresOfEach;
    return [...targets].every((target) => largest.has(target))
      ? largest
      : new Set(closuresOfEach.flatMap((each) => [...each]));
  }

  #withDefinitions(place: JsonPointer): JsonSchema {
    const { schema, targets } = this.#defineWhole(place);
    if (typeof schema === 'boolean' || targets.size === 0) return schema;
    const closure = this.#closureOfAll(targets);
    const $defs =
      this.#defsOf.get(closure) ??
      Object.fromEntries(
        [...closure].map((target) => [this.#names.nameOf(target), this.#define(target).schema]),
      );
    this.#defsOf.set(closure, $defs);
    shareDefinitions($defs, this.#shared);
    return { ...schema, $defs };
  }

  #make(pointer: JsonPointer): CompiledSchema {
    const document = this.#document;
    const shared = this.#shared;
    let schema: JsonSchema | undefined;
    const getSchema = (): JsonSchema => (schema ??= this.#withDefinitions(pointer));
    const placeOf = (place: JsonPointer): JsonPointer => {
      const [first, name = '', ...rest] = pointerTokens(place);
      const target = first === '$defs' ? this.#names.targetOf(name) : undefined;
      return deepestPlace(
        document.root,
        target === undefined ? pointer + place : appendPointer(target, ...rest),
      );
    };
    let compiled: CompiledSchema | undefined;
    const validator = rememberByReading((reading) =>
      locateSchemaError(document, pointer, () => {
        compiled ??= compileSchema({ schema: getSchema(), pointer, placeOf, shared });
        return compiled.validator(reading);
      }),
    );
    return {
      pointer,
      placeOf,
      validator,
      get schema() {
        return getSchema();
      },
    };
  }
}

/** What the definitions are called: as in the document, where nothing else has the name, and so that nothing needs escaping. */
function createNames(root: JsonObject): {
  readonly nameOf: (target: JsonPointer) => string;
  readonly targetOf: (name: string) => JsonPointer | undefined;
} {
  const components = isJsonObject(root['components']) ? root['components'] : {};
  const schemas = isJsonObject(components['schemas']) ? components['schemas'] : {};
  const names = new Map<JsonPointer, string>();
  const targets = new Map<string, JsonPointer>();
  for (const name of Object.keys(schemas)) {
    if (/^[\w.-]+$/u.test(name)) add(`/components/schemas/${name}`, name);
  }
  let isWhole = false;

  function add(target: JsonPointer, name: string): void {
    names.set(target, name);
    targets.set(name, target);
  }

  function addOther(target: JsonPointer): string {
    const word = (pointerTokens(target).at(-1) ?? 'root').replaceAll(/[^\w.-]/gu, '_');
    let name = word;
    for (let count = 2; targets.has(name); count += 1) {
      name = `${word}-${count}`;
    }
    add(target, name);
    return name;
  }

  return {
    nameOf(target) {
      const name = names.get(target);
      if (name !== undefined) return name;
      if (!isWhole) {
        isWhole = true;
        // In the order of the document, so that a name does not depend on which schema is asked for first.
        visitReferences(root, {
          reference(_holder, reference) {
            const place = plainPointer(reference);
            if (place !== undefined && !names.has(place)) addOther(place);
          },
        });
      }
      return names.get(target) ?? addOther(target);
    },
    targetOf: (name) => targets.get(name),
  };
}

/** What was only added for the compiler is left out: the last keyword of a schema `false`. */
function deepestPlace(root: JsonObject, pointer: JsonPointer): JsonPointer {
  let place = pointer;
  while (place !== '' && resolvePointer(root, place) === undefined) {
    place = place.slice(0, place.lastIndexOf('/'));
  }
  return place;
}
/** The place that a reference leads to on which nothing else is said; in 3.0 nothing can be (§4.7.23). */
function followReference({ root, version }: OpenApiDocument, pointer: JsonPointer): JsonPointer {
  const seen = new Set<JsonPointer>();
  for (let place = pointer; !seen.has(place);) {
    seen.add(place);
    const schema = resolvePointer(root, place);
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    const isAlone = version === '3.0' || (isJsonObject(schema) && Object.keys(schema).length === 1);
    if (typeof reference !== 'string' || !reference.startsWith('#') || !isAlone) return place;
    place = reference.slice(1);
  }
  return pointer;
}

/** Says of a schema that is unusable, as of any other mistake in a document, at which line and column it is. */
function locateSchemaError<T>(document: OpenApiDocument, pointer: JsonPointer, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const place = document.locate(pointer);
    if (!(error instanceof ClocheError) || error.code !== 'SCHEMA_UNUSABLE' || place === undefined) {
      throw error;
    }
    const reason = `the schema at ${pointer} cannot be used: ${error.reason}`;
    const problem = { ...place, reason, remedy: error.remedy };
    throw new DocumentError('SCHEMA_UNUSABLE', { source: document.source, problems: [problem] });
  }
}
