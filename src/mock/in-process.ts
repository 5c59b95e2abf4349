import { abortListeners } from '../http/abort.ts';
import {
  type Answer,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  type Send,
  toHeaderList,
} from '../http/message.ts';
import type { Delays } from './clock.ts';
import { isMounted } from './control/control.ts';
import { type Delivery, type MaybePromise, type MockResponse, type RequestHead } from './message.ts';
import type { Mock } from './mock.ts';
import { breakOff, otherSideClosed } from './passed-content.ts';
import { answerReceived, type Responder } from './responder.ts';

function answerAtOnce(
  responder: Responder,
  head: RequestHead,
  content: Uint8Array | undefined,
): MaybePromise<MockResponse> {
  const { mounted } = responder;
  if (mounted !== undefined && isMounted(head.target, mounted.prefix)) {
    return mounted.answer({ head, content, reach: 'in-process' });
  }
  const received = responder.receive(head);
  const isTooLarge = content !== undefined && content.length > responder.contentLimit;
  return answerReceived(responder, received, isTooLarge ? 'too-large' : content);
}

/** Waits, and resolves to true if the signal aborted the wait. */
function pause(delays: Delays, ms: number | undefined, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true || ms === undefined || ms === 0) {
    return Promise.resolve(signal?.aborted === true);
  }
  return new Promise((resolve) => {
    const listeners = signal && abortListeners(signal);
    const cancel = delays.wait(ms, () => settle(false));
    const onAbort = (): void => settle(true);
    function settle(isEnded: boolean): void {
      cancel();
      listeners?.delete(onAbort);
      resolve(isEnded);
    }
    listeners?.add(onAbort);
  });
}

const encoder = new TextEncoder();
const nothing = new Uint8Array();

/** Returns the response that a server would write, without the fields of the connection. */
function toHttpResponse({ status, headers, body }: MockResponse): HttpResponse {
  const bytes = typeof body === 'string' ? encoder.encode(body) : (body ?? nothing);
  const flat = body === undefined ? headers : [...headers, 'Content-Length', String(bytes.length)];
  return { status, headers: toHeaderList(flat), body: bytes };
}

/** Returns what the client receives of a response whose connection may end early. */
function deliver(response: HttpResponse, connection: Delivery['connection']): Answer {
  if (connection === 'keep') return { kind: 'response', response };
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

/** Creates a function that sends requests to a mock without a network. The framing of content makes no difference. */
export function createSend(responder: Responder, delays: Delays): Send {
  return async ({ method, target, headers, body }: HttpRequest, { signal } = {}) => {
    if (signal?.aborted === true) return { kind: 'timed-out', afterMs: 0, received: nothing };
    const head = {
      method,
      target,
      // White space around a value is not part of it (RFC 9110 §5.5).
      header: (name: string) => headerValue(headers, name)?.replaceAll(/^[ \t]+|[ \t]+$/gu, ''),
      // A recipient may replace NUL by a space (RFC 9110 §5.5). Over a network, a request with NUL is rejected earlier.
      fields: () => headers.flat().map((text) => text.replaceAll('\0', ' ')),
    };
    const answer = await answerAtOnce(responder, head, body);
    const { delivery } = answer;
    if (delivery === undefined) return { kind: 'response', response: toHttpResponse(answer) };
    const begun = performance.now();
    if (await pause(delays, delivery.delayMs, signal)) {
      return { kind: 'timed-out', afterMs: performance.now() - begun, received: nothing };
    }
    return deliver(toHttpResponse(answer), delivery.connection);
  };
}

/** The base of relative URLs; the mock ignores it. */
const anyOrigin = 'http://mock.invalid';

/** Statuses of a Response that must not have a body (Fetch Standard §2.2.3). */
const bodyless = [101, 103, 204, 205, 304];

/** Creates a `fetch` that the mock answers without a network. */
export function createFetch(responder: Responder, delays: Delays): Mock['fetch'] {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, anyOrigin) : input, init);
    request.signal.throwIfAborted();
    const { pathname, search, origin } = new URL(request.url);
    // A document may name a field that `Headers` rejects.
    const fields = new Map(request.headers);
    const head = {
      method: request.method,
      target: pathname + search,
      origin: origin === anyOrigin ? undefined : origin,
      header: (name: string) => fields.get(name.toLowerCase()),
      fields: () => [...request.headers].flat(),
      // The signal of a Request no longer follows the given one when the Request is garbage-collected.
      signal: () => init?.signal ?? request.signal,
    };
    const content = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const answer = await answerAtOnce(responder, head, content);
    const connection = answer.delivery?.connection ?? 'keep';
    if (await pause(delays, answer.delivery?.delayMs, request.signal)) throw request.signal.reason;
    const { status, headers, body } = toHttpResponse(answer);
    const isBodyless = bodyless.includes(status) || request.method === 'HEAD';
    if (connection === 'drop' || (connection === 'truncate' && (isBodyless || body.length === 0))) {
      throw new TypeError('fetch failed', { cause: otherSideClosed() });
    }
    const whole = Uint8Array.from(body);
    const { body: stream } = new Response(whole);
    const sent = connection === 'truncate' && stream !== null ? breakOff(stream) : whole;
    return new Response(isBodyless ? null : (answer.passed?.stream ?? sent), {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}
