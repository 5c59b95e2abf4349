import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import {
  type DocumentPlace,
  type DocumentProblem,
  type LocatedText,
  type OpenApiDocument,
  toDocumentError,
} from './document.ts';
import { plainPointer, resolveObject } from './references.ts';
import type { StructureVersion } from './structure.ts';
import { convertSwagger } from './swagger.ts';

const firstLine = 'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"';

/** The supported versions. 2.0 is converted to 3.0; 3.2 is read like 3.1, with the structure of 3.2. */
export type WrittenVersion = '2.0' | '3.0' | '3.1' | '3.2';

/** Returns the OpenAPI version of a document (OpenAPI 3.1 §4.8.1 and §4.1), or the problem that makes it unusable. */
function checkVersion(root: JsonObject): WrittenVersion | DocumentProblem {
  const { openapi, swagger } = root;
  if (swagger !== undefined) {
    // Without quotes YAML reads it as a number, which can only mean 2.0.
    if (swagger === '2.0' || (isJsonNumber(swagger) && /^2(?:\.0)?$/u.test(String(swagger)))) return '2.0';
    const remedy = 'Write swagger: "2.0", or "openapi" with its version';
    return { pointer: '/swagger', reason: 'the version is none that Cloche reads', remedy };
  }
  if (Object.hasOwn(root, 'asyncapi')) {
    const remedy = 'Name an OpenAPI document, which describes an HTTP interface';
    return { pointer: '/asyncapi', reason: 'this is an AsyncAPI document', remedy };
  }
  if (openapi === undefined) {
    return { pointer: '', reason: 'there is no "openapi" field', remedy: firstLine };
  }
  const pointer = '/openapi';
  if (isJsonNumber(openapi)) {
    const text = String(openapi);
    const remedy = `Write it as a string of three numbers: "${text}.0"`;
    return { pointer, reason: `the version ${text} is a number`, remedy };
  }
  if (typeof openapi !== 'string') {
    return { pointer, reason: 'the version must be a string', remedy: 'Write "3.1.0" or "3.0.4"' };
  }
  const [, version] = /^(3\.[012])\.\d+(?:-.+)?$/u.exec(openapi) ?? [];
  if (version === '3.0' || version === '3.1' || version === '3.2') return version;
  const reason = `the version ${JSON.stringify(openapi)} is none that Cloche reads`;
  return { pointer, reason, remedy: 'Write "3.1.0" or "3.0.4", three numbers' };
}

/** Returns a document and its version. @throws DocumentError DOCUMENT_VERSION if there is none */
export function requireVersion(text: LocatedText): { own: JsonObject; version: WrittenVersion } {
  const { root: own } = text;
  const none = { pointer: '', reason: 'this is no OpenAPI document', remedy: firstLine };
  if (!isJsonObject(own)) throw toDocumentError('DOCUMENT_VERSION', text, [none]);
  const version = checkVersion(own);
  if (typeof version === 'object') throw toDocumentError('DOCUMENT_VERSION', text, [version]);
  return { own, version };
}

/**
 * Converts a document of 2.0 to 3.0, reusing the objects of the text. Resolves the media type references of 3.2.
 *
 * @param text - with internal references only, each a plain pointer
 * @param origins - receives the names in the text of parts that were moved
 * @throws DocumentError DOCUMENT_INVALID if a document of 2.0 declares too many media types
 */
export function toReadVersion(
  text: LocatedText & { readonly root: JsonObject },
  written: WrittenVersion,
  origins: WeakMap<object, DocumentPlace>,
): { root: JsonObject; version: OpenApiDocument['version']; structure: StructureVersion } {
  const { root, places } = text;
  if (written === '2.0' || written === '3.2') places.settle();
  if (written === '2.0') {
    const refuse = (problem: DocumentProblem): never => {
      throw toDocumentError('DOCUMENT_INVALID', text, [problem]);
    };
    return { root: convertSwagger(root, { places, origins, refuse }), version: '3.0', structure: '3.0' };
  }
  if (written !== '3.2') return { root, version: written, structure: written };
  resolveMediaTypes(root);
  return { root, version: '3.1', structure: written };
}

/** Replaces each reference to a media type with its target (OpenAPI 3.2 §4.14), so that all readers find it in place. */
function resolveMediaTypes(root: JsonObject): void {
  const visit = (part: JsonValue): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isJsonObject(part)) return;
    const { content } = part;
    for (const [range, media] of isJsonObject(content) ? Object.entries(content) : []) {
      const reference = isJsonObject(media) ? media['$ref'] : undefined;
      const pointer = typeof reference === 'string' ? plainPointer(reference) : undefined;
      const target = pointer === undefined ? undefined : resolveObject(root, pointer)?.value;
      if (isJsonObject(content) && target !== undefined) content[range] = target;
    }
    Object.values(part).forEach(visit);
  };
  const { paths = {}, components = {}, webhooks = {} } = root;
  [paths, components, webhooks].forEach(visit);
}
