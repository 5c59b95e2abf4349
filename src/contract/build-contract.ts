import type { OpenApiDocument } from '../document/read-document.ts';
import { appendPointer } from '../json/json-pointer.ts';
import { buildMedia } from './build-media.ts';
import { buildParameters } from './build-parameters.ts';
import { buildResponses } from './build-responses.ts';
import { buildSecurity } from './build-security.ts';
import type { Contract } from './contract.ts';
import { inferOperationKind } from './infer-operation-kind.ts';
import type { Operation } from './operation.ts';
import { parsePathTemplate } from './parse-path-template.ts';
import type { PathTemplate } from './path-template.ts';
import type { RequestBody } from './request-body.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

function buildRequestBody(document: OpenApiDocument, operation: string): RequestBody | undefined {
  const found = resolveObject(document.root, appendPointer(operation, 'requestBody'));
  if (found === undefined) {
    return undefined;
  }
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
  if (pathItem === undefined) {
    return [];
  }
  return methods.flatMap((name): Operation[] => {
    const value = pathItem.value[name];
    if (!isJsonObject(value)) {
      return [];
    }
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
