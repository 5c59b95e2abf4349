import { findDeclaredResponse } from '../contract/find-declared-response.ts';
import type { Operation } from '../contract/operation.ts';
import type { DeclaredResponse } from '../contract/declared-response.ts';
import type { Answer } from '../http/answer.ts';
import { decodeUtf8 } from '../http/decode-utf8.ts';
import { headerValue } from '../http/header-list.ts';
import type { HttpResponse } from '../http/http-response.ts';
import { isJsonMediaType } from '../http/is-json-media-type.ts';
import { matchesMediaRange } from '../http/matches-media-range.ts';
import { parseMediaType } from '../http/media-type.ts';
import { parseJson } from '../json/parse-json.ts';
import type { AnswerReading, ContentReading } from './answer-reading.ts';

function readContent(response: HttpResponse, declared: DeclaredResponse | undefined): ContentReading {
  if (response.body.length === 0) {
    return { kind: 'none' };
  }
  const contentType = headerValue(response.headers, 'content-type');
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  // What has no media type may be taken for bytes of any kind (RFC 9110 §8.3).
  const essence = mediaType?.essence ?? 'application/octet-stream';
  const media = declared?.media.find(({ range }) => matchesMediaRange(essence, range));
  if (mediaType === undefined || !isJsonMediaType(mediaType.essence)) {
    return { kind: 'other', mediaType: contentType, media };
  }
  if (response.cutAfter !== undefined) {
    return { kind: 'cut', media };
  }
  if (response.undecoded !== undefined) {
    return { kind: 'undecoded', fault: response.undecoded, media };
  }
  const text = decodeUtf8(response.body);
  if (text === undefined) {
    return { kind: 'not-utf8', media };
  }
  const json = parseJson(text, { findDuplicateKeys: true, maxDepth: 10_000 });
  return json.kind === 'json' ? { kind: 'json', json, media } : { kind: 'not-json', problem: json, media };
}

/** Reads an answer as its operation declares it; without an operation nothing is declared. */
export function readAnswer(answer: Answer, operation: Operation | undefined): AnswerReading {
  if (answer.kind !== 'response') {
    return { kind: 'none', answer };
  }
  const { response } = answer;
  const declared = operation && findDeclaredResponse(operation.responses, response.status);
  return { kind: 'response', response, declared, content: readContent(response, declared) };
}
