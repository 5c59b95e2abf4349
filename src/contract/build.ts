import { DocumentError, type OpenApiDocument } from '../document/document.ts';
import { resolveObject } from '../document/references.ts';
import { selfContainedSchema } from '../document/self-contained-schema.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import { appendPointer, type JsonPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type CompiledSchema, compileSchema, rememberByReading } from '../schema/compile.ts';
import { fromOpenApiSchema } from '../schema/from-openapi.ts';
import type {
  Contract,
  DeclaredHeader,
  DeclaredResponse,
  MediaTypeContract,
  Operation,
  PathTemplate,
  RequestBody,
  SecurityAlternative,
  SecurityScheme,
  StatusPattern,
} from './contract.ts';
import { inferOperationKind } from './infer-resources.ts';
import { createParameterReader, type Parameter } from './read-parameters.ts';
import { parsePathTemplate } from './router.ts';

/**
 * Does what may find a schema unusable, and says so as of any other mistake in a document: at its line and
 * column, as far as the document knows them.
 *
 * @param input.pointer - the place of the schema
 * @throws DocumentError SCHEMA_UNUSABLE
 */
function locateSchemaError<T>(input: {
  readonly document: OpenApiDocument;
  readonly pointer: JsonPointer;
  readonly work: () => T;
}): T {
  const { document, pointer, work } = input;
  try {
    return work();
  } catch (error) {
    const place = document.locate(pointer);
    if (!(error instanceof ClocheError) || error.code !== 'SCHEMA_UNUSABLE' || place === undefined) {
      throw error;
    }
    const { reason, remedy } = error;
    const problem = { ...place, reason: `the schema at ${pointer} cannot be used: ${reason}`, remedy };
    throw new DocumentError('SCHEMA_UNUSABLE', { source: document.source, problems: [problem] });
  }
}

/** Which way a value travels: a request may leave read-only properties out, a response write-only ones. */
type Direction = 'request' | 'response';

const compiled = new WeakMap<OpenApiDocument['root'], Map<string, CompiledSchema>>();

/** The place that a reference leads to on which nothing else is said; in 3.0 nothing can be (§4.7.23). */
function followReference({ root, version }: OpenApiDocument, pointer: JsonPointer): JsonPointer {
  const seen = new Set<JsonPointer>();
  let place = pointer;
  while (!seen.has(place)) {
    seen.add(place);
    const schema = resolvePointer(root, place);
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    const isAlone = version === '3.0' || (isJsonObject(schema) && Object.keys(schema).length === 1);
    if (typeof reference !== 'string' || !reference.startsWith('#') || !isAlone) return place;
    place = reference.slice(1);
  }
  return pointer;
}

/**
 * Compiles the schema at a place of a document: once for each schema that references lead to, and direction.
 *
 * @throws DocumentError SCHEMA_UNUSABLE, with its line and column, where it cannot be compiled; so does its
 * `validator`
 */
export function compileSchemaAt(
  document: OpenApiDocument,
  pointer: JsonPointer,
  direction: Direction,
): CompiledSchema {
  const place = followReference(document, pointer);
  const known = compiled.get(document.root) ?? new Map<string, CompiledSchema>();
  compiled.set(document.root, known);
  const key = `${direction} ${place}`;
  const compile = (): CompiledSchema => {
    const { schema, placeOf } = selfContainedSchema({ root: document.root, pointer: place });
    const converted = fromOpenApiSchema({ schema, version: document.version, direction });
    const made = compileSchema({ schema: converted, pointer: place, placeOf });
    return {
      ...made,
      validator: rememberByReading((reading) =>
        locateSchemaError({ document, pointer: place, work: () => made.validator(reading) }),
      ),
    };
  };
  const schema = known.get(key) ?? locateSchemaError({ document, pointer: place, work: compile });
  known.set(key, schema);
  return schema;
}

function readExamples(root: JsonObject, media: JsonObject, pointer: JsonPointer): JsonValue[] {
  const single = media['example'];
  const several = isJsonObject(media['examples']) ? Object.keys(media['examples']) : [];
  const values = several.map(
    (name) => resolveObject(root, appendPointer(pointer, 'examples', name))?.value['value'],
  );
  return [single, ...values].filter((value) => value !== undefined);
}

/**
 * The media types that a request body or a response declares.
 *
 * @param pointer - the place of the object that holds `content`
 */
function buildMedia(
  document: OpenApiDocument,
  pointer: JsonPointer,
  direction: Direction,
): readonly MediaTypeContract[] {
  const content = resolveObject(document.root, appendPointer(pointer, 'content'));
  if (content === undefined) return [];
  return Object.keys(content.value).map((range): MediaTypeContract => {
    const place = appendPointer(content.pointer, range);
    const media = resolveObject(document.root, place)?.value ?? {};
    const essence = range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return {
      range,
      isJson: isJsonMediaType(essence),
      schema:
        media['schema'] === undefined
          ? undefined
          : compileSchemaAt(document, appendPointer(place, 'schema'), direction),
      examples: readExamples(document.root, media, place),
      pointer: place,
    };
  });
}

const defaultStyle = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

function isPlace(place: unknown): place is keyof typeof defaultStyle {
  return typeof place === 'string' && Object.hasOwn(defaultStyle, place);
}

/** Header parameters of these names are ignored (OpenAPI 3.1 §4.8.12.1). */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

function buildParameter(document: OpenApiDocument, place: JsonPointer): Parameter | undefined {
  const found = resolveObject(document.root, place);
  if (found === undefined) return undefined;
  const { value, pointer } = found;
  const { name, in: location } = value;
  if (typeof name !== 'string' || !isPlace(location)) return undefined;
  if (location === 'header' && ignoredHeaders.has(name.toLowerCase())) return undefined;
  const style = typeof value['style'] === 'string' ? value['style'] : defaultStyle[location];
  const mediaType = isJsonObject(value['content']) ? Object.keys(value['content'])[0] : undefined;
  const schemaPlace =
    mediaType === undefined
      ? appendPointer(pointer, 'schema')
      : appendPointer(pointer, 'content', mediaType, 'schema');
  const hasSchema = value['schema'] !== undefined || resolveObject(document.root, schemaPlace) !== undefined;
  const schema = hasSchema ? compileSchemaAt(document, schemaPlace, 'request') : undefined;
  const explode = typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form';
  const shape = { name, in: location, style, explode, mediaType };
  return {
    ...shape,
    required: location === 'path' || value['required'] === true,
    allowsEmpty: location === 'query' && value['allowEmptyValue'] === true,
    schema,
    read: createParameterReader({ ...shape, schema: schema?.schema ?? true }),
    pointer,
  };
}

/**
 * The parameters of an operation: its own, and those of its path item that it does not override
 * (OpenAPI 3.1 §4.8.9).
 */
function buildParameters(
  document: OpenApiDocument,
  pathItem: JsonPointer,
  operation: JsonPointer,
): readonly Parameter[] {
  const byPlace = new Map<string, Parameter>();
  for (const holder of [pathItem, operation]) {
    const list = resolveObject(document.root, holder)?.value['parameters'];
    const count = Array.isArray(list) ? list.length : 0;
    for (let index = 0; index < count; index += 1) {
      const parameter = buildParameter(document, appendPointer(holder, 'parameters', index));
      if (parameter !== undefined) {
        byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
      }
    }
  }
  return [...byPlace.values()];
}

function parseStatusPattern(key: string): StatusPattern | undefined {
  if (key === 'default') return { kind: 'default' };
  if (/^[1-5]XX$/iu.test(key)) return { kind: 'range', hundreds: Number(key[0]) };
  return /^[1-5]\d\d$/u.test(key) ? { kind: 'exact', status: Number(key) } : undefined;
}

function buildHeaders(document: OpenApiDocument, response: JsonPointer): readonly DeclaredHeader[] {
  const headers = resolveObject(document.root, appendPointer(response, 'headers'));
  return Object.keys(headers?.value ?? {}).flatMap((name): DeclaredHeader[] => {
    const header = resolveObject(document.root, appendPointer(response, 'headers', name));
    if (header === undefined || name.toLowerCase() === 'content-type') return [];
    const schema =
      header.value['schema'] === undefined
        ? undefined
        : compileSchemaAt(document, appendPointer(header.pointer, 'schema'), 'response');
    return [{ name, required: header.value['required'] === true, schema, pointer: header.pointer }];
  });
}

/** The responses that an operation declares (OpenAPI 3.1 §4.8.16); keys that are no status are left out. */
function buildResponses(document: OpenApiDocument, operation: JsonPointer): readonly DeclaredResponse[] {
  const responses = resolveObject(document.root, appendPointer(operation, 'responses'));
  return Object.keys(responses?.value ?? {}).flatMap((key): DeclaredResponse[] => {
    const status = parseStatusPattern(key);
    const found = resolveObject(document.root, appendPointer(operation, 'responses', key));
    if (status === undefined || found === undefined) return [];
    const description = found.value['description'];
    return [
      {
        status,
        description: typeof description === 'string' ? description : '',
        headers: buildHeaders(document, found.pointer),
        media: buildMedia(document, found.pointer, 'response'),
        pointer: found.pointer,
      },
    ];
  });
}

function buildScheme(root: JsonObject, name: string): SecurityScheme {
  const scheme = resolveObject(root, appendPointer('/components/securitySchemes', name))?.value ?? {};
  const { type, in: place, name: parameter } = scheme;
  const httpScheme = typeof scheme['scheme'] === 'string' ? scheme['scheme'].toLowerCase() : '';
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && httpScheme === 'bearer')) {
    return { kind: 'bearer', name };
  }
  if (type === 'http' && httpScheme === 'basic') return { kind: 'basic', name };
  if (type === 'apiKey' && typeof parameter === 'string') {
    if (place === 'header' || place === 'query' || place === 'cookie') {
      return { kind: 'api-key', name, in: place, parameter };
    }
  }
  return {
    kind: 'unjudged',
    name,
    reason: `the scheme is ${httpScheme || (typeof type === 'string' ? type : 'unnamed')}`,
  };
}

/**
 * The ways in which an operation lets a request in (OpenAPI 3.1 §4.8.30): its own list, else that of the
 * document.
 */
function buildSecurity(root: JsonObject, operation: JsonObject): readonly SecurityAlternative[] {
  const list = operation['security'] ?? root['security'];
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((names) => Object.keys(names).map((name) => buildScheme(root, name)));
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

function buildRequestBody(document: OpenApiDocument, operation: string): RequestBody | undefined {
  const found = resolveObject(document.root, appendPointer(operation, 'requestBody'));
  if (found === undefined) return undefined;
  return {
    required: found.value['required'] === true,
    media: buildMedia(document, found.pointer, 'request'),
    pointer: found.pointer,
  };
}

function buildOperations(
  document: OpenApiDocument,
  path: PathTemplate,
  paths: readonly PathTemplate[],
): readonly Operation[] {
  const pathItem = resolveObject(document.root, appendPointer('/paths', path.template));
  if (pathItem === undefined) return [];
  return methods.flatMap((name): Operation[] => {
    const value = pathItem.value[name];
    if (!isJsonObject(value)) return [];
    const pointer = appendPointer(pathItem.pointer, name);
    const method = name.toUpperCase();
    const requestBody = buildRequestBody(document, pointer);
    const responses = buildResponses(document, pointer);
    return [
      {
        id: typeof value['operationId'] === 'string' ? value['operationId'] : `${method} ${path.template}`,
        method,
        path,
        pointer,
        parameters: buildParameters(document, pathItem.pointer, pointer),
        requestBody,
        responses,
        security: buildSecurity(document.root, value),
        kind: inferOperationKind({ method, path, paths, requestBody, responses }),
      },
    ];
  });
}

/**
 * Builds the model of a document: its operations, with schemas compiled and references followed.
 *
 * @param document - as readDocument gives it
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function buildContract(document: OpenApiDocument): Contract {
  const info = isJsonObject(document.root['info']) ? document.root['info'] : {};
  const paths = Object.keys(isJsonObject(document.root['paths']) ? document.root['paths'] : {}).map(
    parsePathTemplate,
  );
  return {
    source: document.source,
    title: typeof info['title'] === 'string' ? info['title'] : document.source,
    version: typeof info['version'] === 'string' ? info['version'] : '',
    openapi: document.version,
    operations: paths.flatMap((path) => buildOperations(document, path, paths)),
    root: document.root,
    placeOf: document.originOf ?? ((pointer) => ({ pointer })),
    locate: document.locateOrigin ?? (({ pointer }) => document.locate(pointer)),
  };
}
