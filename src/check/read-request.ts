import type { Operation } from '../contract/operation.ts';
import { findInvalidParameters } from '../contract/find-invalid-parameters.ts';
import { toParameterSource } from '../contract/parameter-source.ts';
import { headerValue } from '../http/header-list.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { matchesMediaRange } from '../http/matches-media-range.ts';
import { parseMediaType } from '../http/media-type.ts';
import type { Framing } from '../http/send.ts';
import { readAccept } from './read-accept.ts';
import { readBody } from './read-body.ts';
import { readCredentials } from './read-credentials.ts';
import type { RequestReading } from './request-reading.ts';

function readMediaTypeSpelling(request: HttpRequest, operation: Operation): 'usual' | 'unusual' {
  const contentType = headerValue(request.headers, 'content-type');
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  const declared = operation.requestBody?.media ?? [];
  const matches =
    mediaType !== undefined && declared.some(({ range }) => matchesMediaRange(mediaType.essence, range));
  return matches && contentType !== mediaType.essence ? 'unusual' : 'usual';
}

/**
 * Reads a request as the operation that it reached takes it, from the bytes that left (rule: judge what
 * was sent, not what was meant).
 *
 * @param input.operation - undefined where the document has no operation for method and path
 * @param input.pathParameters - as the router gives them
 * @param input.goodTokens - the tokens that are known to be accepted
 */
export function readRequest(input: {
  readonly request: HttpRequest;
  readonly operation: Operation | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly goodTokens: readonly string[];
  readonly framing: Framing;
}): Omit<RequestReading, 'key'> {
  const { request, operation, framing } = input;
  const bodyBytes = request.body?.length ?? 0;
  if (operation === undefined) {
    return {
      credentials: 'not-required',
      body: { kind: 'not-expected' },
      bodyBytes,
      accept: 'met',
      invalidParameters: [],
      mediaTypeSpelling: 'usual',
      framing,
    };
  }
  return {
    credentials: readCredentials(request, operation, input.goodTokens),
    body: readBody(request, operation.requestBody),
    bodyBytes,
    accept: readAccept(headerValue(request.headers, 'accept'), operation),
    invalidParameters: findInvalidParameters(
      operation.parameters,
      toParameterSource({
        target: request.target,
        path: input.pathParameters,
        header: (name) => headerValue(request.headers, name),
      }),
      {
        formats: 'ignore',
        integers: 'by-value',
      },
    ),
    mediaTypeSpelling: readMediaTypeSpelling(request, operation),
    framing,
  };
}
