import { DocumentError, type OpenApiDocument } from '../document/document.ts';
import {
  findDocumentRoot,
  listDocumentRoots,
  mountedDocuments,
  plainPointer,
  resolveObject,
  visitReferences,
} from '../document/references.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import {
  type CompiledSchema,
  compileSchema,
  createSharedDefinitions,
  shareDefinitions,
  rememberByReading,
} from '../schema/compile.ts';
import { fromOpenApiSchema } from '../schema/from-openapi.ts';
import type { JsonSchema } from '../schema/walk.ts';

/** The direction of a value: a request may omit read-only properties, a response write-only ones. */
export type Direction = 'request' | 'response';

const known = new WeakMap<OpenApiDocument['root'], Map<Direction, DocumentSchemas>>();

/**
 * Returns the schema at a place of a document. Its `$defs` contain all schemas that it refers to, directly or
 * indirectly. There is one per resolved schema and direction. Schemas share their definitions. Each definition is
 * converted and compiled once, on first use.
 *
 * @throws DocumentError SCHEMA_UNUSABLE, with line and column, from its `validator`, if the schema cannot be compiled
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

/** A schema that others refer to, or that is compiled directly. */
interface Definition {
  readonly schema: JsonSchema;
  /** The targets of its references. */
  readonly targets: ReadonlySet<JsonPointer>;
}

/** Finds the component schemas that extend a schema by `allOf`, directly or indirectly. It searches on first use. */
function findExtensions(root: JsonObject): (base: JsonPointer) => readonly JsonPointer[] {
  let direct: Map<JsonPointer, JsonPointer[]> | undefined;

  function group(): Map<JsonPointer, JsonPointer[]> {
    const groups = new Map<JsonPointer, JsonPointer[]>();
    for (const whole of listDocumentRoots(root)) {
      const { schemas } = resolveObject(root, `${whole}/components`)?.value ?? {};
      for (const [name, schema] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
        const { allOf } = isJsonObject(schema) ? schema : {};
        for (const part of Array.isArray(allOf) ? allOf : []) {
          const { $ref: reference } = isJsonObject(part) ? part : {};
          const base = typeof reference === 'string' ? plainPointer(reference) : undefined;
          if (base === undefined) continue;
          const place = appendPointer(`${whole}/components/schemas`, name);
          groups.set(base, [...(groups.get(base) ?? []), place]);
        }
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
    const definition = this.#convertSchema(original, place);
    this.#definitions.set(place, definition);
    return definition;
  }

  /** Converts a referenced schema: a base schema with a discriminator allows each of its extensions. */
  #defineWhole(place: JsonPointer): Definition {
    const { discriminator } = resolveObject(this.#document.root, place)?.value ?? {};
    const isBase = isJsonObject(discriminator) && this.#extensionsOf(place).length > 0;
    return isBase ? this.#convertSchema({ $ref: `#${place}` }, place) : this.#define(place);
  }

  #convertSchema(original: JsonSchema, place: JsonPointer): Definition {
    const targets = new Set<JsonPointer>();
    // References name local definitions by their place in the document.
    const { $defs: _, ...bare } = typeof original === 'boolean' ? {} : original;
    const { root } = this.#document;
    const { version, openapi, own } = versionAt(this.#document, place);
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
      // 3.0.3 added the sentence that ties `nullable` to a type in the same schema.
      isNullableWhole: /^3\.0\.[0-2](?!\d)/u.test(openapi),
    });
    return { schema, targets };
  }

  /** Returns a place and all places that its references reach. Places that reach each other share one set. */
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

/** Creates the names of definitions: as in the document if the name is free and needs no escaping. */
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
        // In document order: names do not depend on which schema is used first.
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

/** Returns the version that applies at a place, and as the root there states it. Combined documents may have several. */
export function versionAt(
  document: OpenApiDocument,
  pointer: JsonPointer,
): Pick<OpenApiDocument, 'version' | 'openapi'> & { readonly own: JsonValue | undefined } {
  const own = resolvePointer(document.root, `${findDocumentRoot(pointer)}/openapi`);
  if (document.root[mountedDocuments] === undefined || typeof own !== 'string') return { ...document, own };
  return { version: own.startsWith('3.0') ? '3.0' : '3.1', openapi: own, own };
}

/** Returns the deepest existing part of a pointer: the compiler adds keywords, the last one of a schema `false`. */
function deepestPlace(root: JsonObject, pointer: JsonPointer): JsonPointer {
  let place = pointer;
  while (place !== '' && resolvePointer(root, place) === undefined) {
    place = place.slice(0, place.lastIndexOf('/'));
  }
  return place;
}
/** Returns the target of a reference without sibling keywords; 3.0 ignores siblings (§4.7.23). */
function followReference(document: OpenApiDocument, pointer: JsonPointer): JsonPointer {
  const { root } = document;
  const { version } = versionAt(document, pointer);
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

/** Adds line and column to the error of an unusable schema, as for other document problems. */
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
