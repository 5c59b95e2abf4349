import type { OpenApiDocument } from '../document/read-document.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import { buildMedia } from './build-media.ts';
import { compileSchemaAt } from './compile-schema-at.ts';
import type { DeclaredHeader, DeclaredResponse, StatusPattern } from './declared-response.ts';
import { resolveObject } from './resolve-object.ts';

function parseStatusPattern(key: string): StatusPattern | undefined {
  if (key === 'default') {
    return { kind: 'default' };
  }
  if (/^[1-5]XX$/iu.test(key)) {
    return { kind: 'range', hundreds: Number(key[0]) };
  }
  return /^[1-5]\d\d$/u.test(key) ? { kind: 'exact', status: Number(key) } : undefined;
}

function buildHeaders(document: OpenApiDocument, response: JsonPointer): readonly DeclaredHeader[] {
  const headers = resolveObject(document.root, appendPointer(response, 'headers'));
  return Object.keys(headers?.value ?? {}).flatMap((name): DeclaredHeader[] => {
    const header = resolveObject(document.root, appendPointer(response, 'headers', name));
    if (header === undefined || name.toLowerCase() === 'content-type') {
      return [];
    }
    const schema =
      header.value['schema'] === undefined
        ? undefined
        : compileSchemaAt(document, appendPointer(header.pointer, 'schema'), 'response');
    return [{ name, required: header.value['required'] === true, schema, pointer: header.pointer }];
  });
}

/** The responses that an operation declares (OpenAPI 3.1 §4.8.16); keys that are no status are left out. */
export function buildResponses(
  document: OpenApiDocument,
  operation: JsonPointer,
): readonly DeclaredResponse[] {
  const responses = resolveObject(document.root, appendPointer(operation, 'responses'));
  return Object.keys(responses?.value ?? {}).flatMap((key): DeclaredResponse[] => {
    const status = parseStatusPattern(key);
    const found = resolveObject(document.root, appendPointer(operation, 'responses', key));
    if (status === undefined || found === undefined) {
      return [];
    }
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
