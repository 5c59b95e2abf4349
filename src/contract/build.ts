import { describePath, DocumentError, type OpenApiDocument } from '../document/document.ts';
import { listPathOperations } from '../document/path-operations.ts';
import { resolveObject } from '../document/references.ts';
import { traceConcern } from '../document/ambiguous-places.ts';
import { findCodec, loadParsers } from '../http/codecs/registry.ts';
import { essenceOf } from '../http/media-type.ts';
import { framingFields, tokenForm } from '../http/message.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
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
import { compileSchemaAt, type Direction, versionAt } from './document-schemas.ts';
import type { BareOperation } from './operation-reading.ts';
import { describeSequence } from './item-schema.ts';
import { inferKinds } from './resources.ts';
import { readCallbacks, readWebhooks } from './outgoing-requests.ts';
import { createBodyItemFinder, createItemFinder } from './path-items.ts';
import {
  createParameterReader,
  createQuerystringReader,
  type Parameter,
  type ParameterReader,
} from './read-parameters.ts';
import { parsePathTemplate } from './router.ts';

/**
 * Builds the contract of a document: its operations, with references resolved. Schemas are compiled on first use.
 *
 * @throws DocumentError DOCUMENT_INVALID if `x-cloche-resource` declares something that the operation cannot do
 */
export function buildContract(document: OpenApiDocument): Contract {
  const { root, source } = document;
  const info = isJsonObject(root['info']) ? root['info'] : {};
  const paths = Object.keys(isJsonObject(root['paths']) ? root['paths'] : {}).map(parsePathTemplate);
  return {
    source,
    title: typeof info['title'] === 'string' ? info['title'] : source,
    version: typeof info['version'] === 'string' ? info['version'] : '',
    openapi: document.version,
    writtenVersion: document.openapi,
    warnings: document.warnings ?? [],
    operations: withKinds(
      document,
      markUnclear(
        document,
        paths.flatMap((path) => buildOperations(document, path)),
      ),
    ),
    webhooks: readWebhooks(root, (pointer) => buildRequestBody(document, pointer)),
    root,
    placeOf: document.originOf ?? ((pointer) => ({ pointer })),
    locate: document.locateOrigin ?? (({ pointer }) => document.locate(pointer)),
  };
}

/**
 * Builds the contract of a document, after the parsers of its media types are loaded.
 *
 * @throws DocumentError as buildContract does
 */
export async function prepareContract(document: OpenApiDocument): Promise<Contract> {
  const contract = buildContract(document);
  const media = contract.operations.flatMap(({ requestBody, responses }) => [
    ...(requestBody?.media ?? []),
    ...responses.flatMap((response) => response.media),
  ]);
  return (await loadParsers(media)) ? buildContract(document) : contract;
}

function markUnclear(
  { root, unclear = [], causes }: OpenApiDocument,
  operations: readonly BareOperation[],
): readonly BareOperation[] {
  if (unclear.length === 0) return operations;
  const concernsOf = traceConcern(root);
  const areConcerned = concernsOf(unclear);
  const each = unclear.map((place) => ({ place, concerns: concernsOf([place]) }));
  return operations.map((operation) => {
    const { pointer } = operation;
    if (!areConcerned(pointer)) return operation;
    // Most errors are in the operation itself, which is faster to check.
    const found =
      each.find(({ place }) => place.startsWith(`${pointer}/`)) ??
      each.find(({ concerns }) => concerns(pointer));
    const cause = found && causes?.get(found.place);
    const place = cause === undefined ? 'the document' : `${cause.file}:${cause.line}`;
    return { ...operation, isUnclear: true, unclearReason: `error in ${place}` };
  });
}

function withKinds(document: OpenApiDocument, operations: readonly BareOperation[]): readonly Operation[] {
  const { source, root } = document;
  const kinds = inferKinds(root, operations, ({ pointer, reason, remedy }) => {
    const place = document.locate(pointer) ?? { file: source, line: 1, column: 1 };
    throw new DocumentError('DOCUMENT_INVALID', {
      source,
      problems: [{ ...place, reason: `${describePath(root, pointer)}: ${reason}`, remedy }],
    });
  });
  const known = operations.map((operation, index) => {
    const kind = kinds[index];
    return { ...operation, kind: kind ?? { kind: 'sample' as const, evidence: '' } };
  });
  const itemsOf = createItemFinder(known, document.root);
  const all: readonly Operation[] = known.map((each) => {
    const operation: Operation = {
      ...each,
      items: itemsOf(each.path.template),
      bodyItems: () => bodyItemsOf(operation),
    };
    return operation;
  });
  const bodyItemsOf = createBodyItemFinder(itemsOf, all);
  return all;
}

function buildOperations(document: OpenApiDocument, path: PathTemplate): readonly BareOperation[] {
  const pathItem = resolveObject(document.root, appendPointer('/paths', path.template));
  if (pathItem === undefined) return [];
  return listPathOperations(pathItem).flatMap(({ method, pointer, value }): BareOperation[] => {
    if (!tokenForm.test(method)) return [];
    const requestBody = buildRequestBody(document, pointer);
    const responses = buildResponses(document, pointer);
    const security = buildSecurity(document.root, value);
    const declared = buildParameters(document, pathItem.pointer, pointer);
    const callbacks = readCallbacks(document.root, { pointer, value }, (place) =>
      buildRequestBody(document, place),
    );
    return [
      {
        id: typeof value['operationId'] === 'string' ? value['operationId'] : `${method} ${path.template}`,
        method,
        path,
        pointer,
        // The security scheme adds the API key. A parameter of the same name would send it twice.
        parameters: declared.filter((parameter) => !security.flat().some((each) => isKeyOf(each, parameter))),
        requestBody,
        responses,
        security,
        ...(callbacks && { callbacks }),
      },
    ];
  });
}

/** Returns the parameters of an operation and those that it inherits from its path item (OpenAPI 3.1 §4.8.9). */
function buildParameters(
  document: OpenApiDocument,
  pathItem: JsonPointer,
  operation: JsonPointer,
): readonly Parameter[] {
  const places = [pathItem, operation].flatMap((holder) => {
    const list = resolveObject(document.root, holder)?.value['parameters'];
    return Array.isArray(list) ? list.map((_, index) => appendPointer(holder, 'parameters', index)) : [];
  });
  const parameters = places.flatMap((place) => buildParameter(document, place) ?? []);
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

const defaultStyle = {
  path: 'simple',
  query: 'form',
  querystring: 'form',
  header: 'simple',
  cookie: 'form',
} as const;

function isPlace(place: unknown): place is keyof typeof defaultStyle {
  return typeof place === 'string' && Object.hasOwn(defaultStyle, place);
}

/** Header parameters of these names are ignored (OpenAPI 3.1 §4.8.12.1). */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

function buildParameter(document: OpenApiDocument, place: JsonPointer): Parameter | undefined {
  const found = resolveObject(document.root, place);
  if (found === undefined) return undefined;
  const { value, pointer } = found;
  const { name, in: location, content } = value;
  if (typeof name !== 'string' || !isPlace(location)) return undefined;
  if (location === 'querystring' && !isJsonObject(content)) return undefined;
  if (location === 'header' && ignoredHeaders.has(name.toLowerCase())) return undefined;
  const style = typeof value['style'] === 'string' ? value['style'] : defaultStyle[location];
  const explode =
    typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form' || style === 'cookie';
  const mediaType = isJsonObject(content) ? Object.keys(content)[0] : undefined;
  const holder = mediaType === undefined ? pointer : appendPointer(pointer, 'content', mediaType);
  const schema = schemaIn(document, holder, 'request');
  const shape = { name, in: location, style, explode, mediaType };
  /** Creates the reader at the first request: a run that sends no request to the operation does not need it. */
  function createReader(): ParameterReader {
    if (location === 'querystring') {
      const encoding = readEncoding(document.root, holder);
      return createQuerystringReader({ range: mediaType ?? '', schema, ...encoding, pointer: holder });
    }
    const mayHaveDots = versionAt(document, pointer).version === '3.0';
    return createParameterReader({ ...shape, mayHaveDots, schema: schema?.schema ?? true });
  }
  let read: ParameterReader | undefined;
  return {
    ...shape,
    required: location === 'path' || value['required'] === true,
    allowsEmpty: location === 'query' && value['allowEmptyValue'] === true,
    schema,
    examples: readExamples(document.root, holder),
    read(source) {
      read ??= createReader();
      return read(source);
    },
    pointer,
  };
}

function buildRequestBody(document: OpenApiDocument, operation: JsonPointer): RequestBody | undefined {
  const found = resolveObject(document.root, appendPointer(operation, 'requestBody'));
  return (
    found && {
      required: found.value['required'] === true,
      media: buildMedia(document, found.pointer, 'request'),
      pointer: found.pointer,
    }
  );
}

/** Returns the responses that an operation declares (OpenAPI 3.1 §4.8.16). Keys that are not a status are ignored. */
function buildResponses(document: OpenApiDocument, operation: JsonPointer): readonly DeclaredResponse[] {
  const responses = resolveObject(document.root, appendPointer(operation, 'responses'));
  return Object.keys(responses?.value ?? {}).flatMap((key): DeclaredResponse[] => {
    const status = parseStatusPattern(key);
    const found = resolveObject(document.root, appendPointer(operation, 'responses', key));
    if (status === undefined || found === undefined) return [];
    const { description } = found.value;
    return [
      {
        status,
        description: typeof description === 'string' ? description : '',
        headers: buildHeaders(document, found.pointer),
        media: isBodiless(status) ? [] : buildMedia(document, found.pointer, 'response'),
        pointer: found.pointer,
      },
    ];
  });
}

/** Returns whether HTTP forbids content in responses with this status (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
function isBodiless(pattern: StatusPattern): boolean {
  return pattern.kind === 'exact' && [204, 205, 304].includes(pattern.status);
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
    // Media types define Content-Type. A document cannot define framing and connection fields (RFC 9110 §7.6.1).
    const isNotOurs = name.toLowerCase() === 'content-type' || framingFields.has(name.toLowerCase());
    if (header === undefined || isNotOurs || !tokenForm.test(name)) return [];
    const { value, pointer } = header;
    const schema = schemaIn(document, pointer, 'response');
    const examples = readExamples(document.root, pointer);
    return [{ name, required: value['required'] === true, schema, examples, pointer }];
  });
}

function buildMedia(
  document: OpenApiDocument,
  holder: JsonPointer,
  direction: Direction,
): readonly MediaTypeContract[] {
  const content = resolveObject(document.root, appendPointer(holder, 'content'));
  if (content === undefined) return [];
  // If several keys match, the most specific applies (OpenAPI 3.1 §4.8.13), so it comes first.
  const ranges = Object.keys(content.value).toSorted((a, b) => wildcards(a) - wildcards(b));
  // In a document of version 2.0, all media types share one object.
  const known = new Map<JsonValue | undefined, Omit<MediaTypeContract, 'range' | 'codec' | 'pointer'>>();
  return ranges.map((range): MediaTypeContract => {
    const pointer = appendPointer(content.pointer, range);
    const media = content.value[range];
    const shared = known.get(media) ?? {
      schema: schemaIn(document, pointer, direction),
      ...readEncoding(document.root, pointer),
      ...readStreamOptions(media),
      examples: readExamples(document.root, pointer),
    };
    known.set(media, shared);
    const codec = findCodec(essenceOf(range));
    const sequence =
      codec?.parseStream && describeSequence({ document, media: pointer, direction, codec }, shared.schema);
    return { range, codec, ...shared, ...sequence, pointer };
  });
}

function wildcards(range: string): number {
  return range.split('*').length;
}

function readEncoding(root: JsonObject, media: JsonPointer): Pick<MediaTypeContract, 'encoding'> {
  const { encoding } = resolveObject(root, media)?.value ?? {};
  if (!isJsonObject(encoding)) return {};
  const properties = Object.entries(encoding).map(([name, value]) => {
    const { contentType, style, explode } = isJsonObject(value) ? value : {};
    return [
      name,
      {
        ...(typeof contentType === 'string' ? { contentType } : {}),
        ...(typeof style === 'string' ? { style } : {}),
        ...(typeof explode === 'boolean' ? { explode } : {}),
      },
    ] as const;
  });
  return { encoding: new Map(properties) };
}

function readStreamOptions(media: JsonValue | undefined): Pick<MediaTypeContract, 'stream'> {
  const given = isJsonObject(media) ? media['x-cloche-stream'] : undefined;
  if (!isJsonObject(given)) return {};
  const { pauseMs, open } = given;
  return { stream: { ...(typeof pauseMs === 'number' && { pauseMs }), open: open === true } };
}

/** Returns the examples of a media type, a parameter or a header (OpenAPI 3.1 §4.8.12, §4.8.14, §4.8.21). */
function readExamples(root: JsonObject, media: JsonPointer): readonly JsonValue[] {
  const { example, examples } = resolveObject(root, media)?.value ?? {};
  const several = Object.keys(isJsonObject(examples) ? examples : {}).map((name) => {
    const { value, dataValue = value } =
      resolveObject(root, appendPointer(media, 'examples', name))?.value ?? {};
    return dataValue;
  });
  return [example, ...several].filter((value) => value !== undefined);
}

/** Returns the security alternatives of an operation, or those of the document (OpenAPI 3.1 §4.8.30). */
function buildSecurity(root: JsonObject, operation: JsonObject): readonly SecurityAlternative[] {
  const list = operation['security'] ?? root['security'];
  if (!Array.isArray(list)) return [];
  const alternatives = list
    .filter(isJsonObject)
    .map((names) => Object.entries(names).map(([name, scopes]) => buildScheme(root, name, scopes)));
  const possible = alternatives.filter((schemes) => new Set(schemes.flatMap(authorizationForm)).size < 2);
  if (possible.length > 0) return possible;
  return alternatives.map((schemes) => schemes.map(withoutAuthorization));
}

/** Returns the form in which a scheme writes Authorization. A request has this field once (RFC 9110 §11.6.2). */
function authorizationForm(scheme: SecurityScheme): readonly string[] {
  const isField =
    scheme.kind === 'api-key' && scheme.in === 'header' && /^authorization$/iu.test(scheme.parameter);
  return scheme.kind === 'bearer' || scheme.kind === 'basic' || isField ? [scheme.kind] : [];
}

function withoutAuthorization(scheme: SecurityScheme): SecurityScheme {
  return authorizationForm(scheme).length === 0
    ? scheme
    : { kind: 'unjudged', name: scheme.name, reason: 'another scheme wants the Authorization field too' };
}

function isKeyOf(scheme: SecurityScheme, { in: place, name }: Parameter): boolean {
  if (scheme.kind !== 'api-key' || scheme.in !== place) return false;
  return scheme.in === 'header'
    ? scheme.parameter.toLowerCase() === name.toLowerCase()
    : scheme.parameter === name;
}

function buildScheme(root: JsonObject, name: string, required: JsonValue): SecurityScheme {
  const scheme = resolveObject(root, appendPointer('/components/securitySchemes', name))?.value ?? {};
  const { type, in: place, name: parameter } = scheme;
  const httpScheme = typeof scheme['scheme'] === 'string' ? scheme['scheme'].toLowerCase() : '';
  if (type === 'oauth2' || type === 'openIdConnect') {
    const scopes = Array.isArray(required) ? required.filter((scope) => typeof scope === 'string') : [];
    return { kind: 'bearer', name, ...(scopes.length > 0 && { scopes }) };
  }
  if (type === 'http' && httpScheme === 'bearer') return { kind: 'bearer', name };
  if (type === 'http' && httpScheme === 'basic') return { kind: 'basic', name };
  if (type === 'apiKey' && typeof parameter === 'string' && parameter !== '') {
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

function schemaIn(
  document: OpenApiDocument,
  holder: JsonPointer,
  direction: Direction,
): CompiledSchema | undefined {
  const isThere = resolveObject(document.root, holder)?.value['schema'] !== undefined;
  return isThere ? compileSchemaAt(document, appendPointer(holder, 'schema'), direction) : undefined;
}
