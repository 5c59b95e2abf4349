import type { Answer } from '../../http/answer.ts';
import { headerValue } from '../../http/header-list.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Send } from '../../http/send.ts';
import type { Delivery } from '../steps/delivery.ts';
import type { Responder } from '../steps/responder.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { answerAtOnce } from './answer-at-once.ts';
import type { Pauses } from './create-pauses.ts';

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

/** What a client sees of a response whose connection ends where it is told to. */
function deliver(response: HttpResponse, connection: Delivery['connection']): Answer {
  if (connection === 'keep') {
    return { kind: 'response', response };
  }
  const { status, headers, body } = response;
  if (connection === 'drop' || body.length === 0) {
    const reason = 'the connection was closed before an answer came';
    return { kind: 'dropped', reason, received: nothing };
  }
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = encoder.encode(`HTTP/1.1 ${status} \r\n${fields}\r\n`);
  const half = body.subarray(0, body.length >> 1);
  const received = new Uint8Array(head.length + half.length);
  received.set(head);
  received.set(half, head.length);
  const reason = `the connection was closed in the middle of the answer: ${body.length - half.length} bytes of the content did not come`;
  return { kind: 'dropped', reason, received };
}

/** White space around a value is no part of it (RFC 9110 §5.5). */
function trimField(value: string | undefined): string | undefined {
  return value?.replaceAll(/^[ \t]+|[ \t]+$/gu, '');
}

/** Sends requests to the steps of a mock, without a network. How content is framed makes no difference here. */
export function createSend(responder: Responder, pauses: Pauses): Send {
  return async ({ method, target, headers, body }: HttpRequest, { signal } = {}) => {
    if (signal?.aborted === true) {
      return { kind: 'timed-out', afterMs: 0, received: nothing };
    }
    const head = {
      method,
      target,
      header: (name: string) => trimField(headerValue(headers, name)),
      // A recipient may put a blank in the place of NUL (RFC 9110 §5.5); over a network none comes this far.
      fields: () => headers.flat().map((text) => text.replaceAll('\0', ' ')),
    };
    const answer = await answerAtOnce(responder, head, body);
    const { delivery } = answer;
    if (delivery === undefined) {
      return { kind: 'response', response: toHttpResponse(answer) };
    }
    const begun = performance.now();
    if (await pauses.wait(delivery.delayMs, signal)) {
      return { kind: 'timed-out', afterMs: performance.now() - begun, received: nothing };
    }
    return deliver(toHttpResponse(answer), delivery.connection);
  };
}
