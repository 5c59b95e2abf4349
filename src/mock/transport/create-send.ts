import { headerValue } from '../../http/header-list.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Send } from '../../http/send.ts';
import type { Responder } from '../steps/responder.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { answerAtOnce } from './answer-at-once.ts';

const encoder = new TextEncoder();
const nothing = new Uint8Array();

/** The response that a server writes for an answer, the fields of the connection aside. */
export function toHttpResponse({ status, headers, body }: MockAnswer): HttpResponse {
  const bytes = body === undefined ? nothing : typeof body === 'string' ? encoder.encode(body) : body;
  const flat = body === undefined ? headers : [...headers, 'Content-Length', String(bytes.length)];
  const pairs = Array.from({ length: flat.length / 2 }, (_, index): [string, string] => [
    flat[index * 2] ?? '',
    flat[index * 2 + 1] ?? '',
  ]);
  return { status, headers: pairs, body: bytes };
}

/** White space around a value is no part of it (RFC 9110 §5.5). */
function trimField(value: string | undefined): string | undefined {
  return value?.replaceAll(/^[ \t]+|[ \t]+$/gu, '');
}

/** Sends requests to the steps of a mock, without a network. How content is framed makes no difference here. */
export function createSend(responder: Responder): Send {
  return async ({ method, target, headers, body }: HttpRequest, { signal } = {}) => {
    if (signal?.aborted === true) {
      return { kind: 'timed-out', afterMs: 0, received: nothing };
    }
    const head = { method, target, header: (name: string) => trimField(headerValue(headers, name)) };
    return { kind: 'response', response: toHttpResponse(await answerAtOnce(responder, head, body)) };
  };
}
