import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isMounted } from '../control/control.ts';
import type {
  ConnectionFault,
  Delivery,
  MaybePromise,
  MockResponse,
  Mounted,
  Reach,
  RequestContent,
  RequestHead,
} from '../message.ts';
import type { Admission, Answered, Responder } from '../responder.ts';
import {
  type Delays,
  hasEarlyAnswer,
  linger,
  noteAnswer,
  whenItsTurn,
  writeHalf,
  writeInTurn,
} from './delivery.ts';

/** How long a request that comes once more is taken for the same one, in milliseconds. */
const forgottenAfter = 1000;

/**
 * Remembers requests whose connection was dropped and that a browser sends again on its own.
 *
 * Where a connection that was used before ends without an answer, Chromium takes it for one that was idle too long, and
 * sends the request again over another one, a POST too (RFC 9112 §9.3.1 lets a client do so only where that does no
 * harm). The page would never see the fault of a rule for the next request alone. So what such a browser sends again is
 * dropped again, without being counted, until it fails on a connection of its own, which Chromium tells the page.
 */
function createResendMemory() {
  const noted = new Map<string, NodeJS.Timeout>();

  function keyOf({ method, url, rawHeaders }: IncomingMessage): string {
    return [method, url, ...rawHeaders].join('\n');
  }

  function forget(key: string): void {
    clearTimeout(noted.get(key));
    noted.delete(key);
  }

  return {
    note(request: IncomingMessage): void {
      const isUsed = request.socket.bytesWritten > 0;
      if (isUsed && request.headers['user-agent']?.includes('Chrome/') === true) {
        const key = keyOf(request);
        forget(key);
        noted.set(key, setTimeout(forget, forgottenAfter, key).unref());
      }
    },
    /** Whether a request is one that was noted, and so to be dropped once more. */
    isResent(request: IncomingMessage): boolean {
      const key = noted.size === 0 ? '' : keyOf(request);
      if (!noted.has(key)) return false;
      if (request.socket.bytesWritten === 0) forget(key);
      return true;
    },
  };
}

/** What stands in a host and port (RFC 3986 §3.2.2), as far as it takes no parser to tell. */
const hostAndPort = /^[^\s/?#@\\"<>]*$/u;

/** Whether a request has exactly one Host, or none in HTTP/1.0 (RFC 9112 §3.2). Node.js joins several with a comma. */
export function isValidHost(host: string | undefined, isOld: boolean): boolean {
  return host === undefined ? isOld : hostAndPort.test(host);
}

/** The head of a request as Node has it, looked at in place. */
export class NodeRequestHead implements RequestHead {
  readonly #headers: IncomingMessage['headers'];
  readonly #fields: readonly string[];
  readonly method: string;
  readonly target: string;
  readonly origin: string | undefined;

  constructor(request: IncomingMessage) {
    this.#headers = request.headers;
    // Not the request: who keeps the fields must not keep the connection.
    this.#fields = request.rawHeaders;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    // A connection in the process stands for one over TLS, too.
    this.origin = 'encrypted' in request.socket ? `https://${request.headers.host ?? ''}` : undefined;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (typeof value === 'string') return value;
    // A parameter may be called `constructor`: what the object inherits is no field.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  fields(): readonly string[] {
    return this.#fields;
  }
}

/**
 * Reads the content of a request, and throws away what is more than the limit, which a change of the contract meanwhile
 * does not move. It is given on once, when all of it is there, or as soon as it is too large; never where the connection
 * ends before.
 */
function readContent(request: IncomingMessage, limit: number, then: (content: RequestContent) => void): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) {
      if (length - chunk.length <= limit) {
        chunks = undefined;
        first = undefined;
        then('too-large');
      }
      return;
    }
    if (first === undefined) {
      first = chunk;
    } else {
      chunks ??= [first];
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    if (length <= limit) then(chunks === undefined ? first : Buffer.concat(chunks, length));
  });
}

/** Reads content that is wanted: whoever waits to be told so is, and what is announced as too large is not read. */
function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, take }: { readonly limit: number; readonly take: (content: RequestContent) => void },
): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    take('too-large');
    return;
  }
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  readContent(request, limit, take);
}

/** What the writing of answers depends on besides the answers. */
export interface ListenerState {
  /** Whether the server takes no more requests, so that each answer is the last of its connection. */
  readonly isClosing: () => boolean;
  readonly delays: Delays;
  readonly lingerMs: number;
  /** How what is on a connection came, for what is mounted. */
  readonly reachOf: (socket: Socket) => Reach;
}

/**
 * How long content is waited for where the head decided the answer, in milliseconds: nearly all clients send small
 * content along with the head, and whoever stops halfway gets the answer no less.
 */
const contentWaitMs = 100;

function hasContent({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Goes on when all of a request has come: a connection that ends before is reset, and what was written may be lost. */
function whenRead(request: IncomingMessage, goOn: () => void): void {
  if (request.complete || !hasContent(request) || request.headers.expect !== undefined) {
    goOn();
    return;
  }
  request.once('end', goOn);
  request.resume();
}

/** How the answer to a request will reach its client, which its head decides. */
function deliveryOf(admission: Admission): Delivery | undefined {
  return admission.kind === 'answered' ? admission.answer.delivery : admission.interference?.delivery;
}

/** Whether a response waits for the whole request: a forced one does; a dropped connection or a refusal need not. */
function isCarriedThrough({ answer }: Answered): boolean {
  return answer.note.forced === true && answer.delivery?.connection !== 'drop';
}

/** Writes an answer; `isLast` closes the connection after it. */
function write(response: ServerResponse, answer: MockResponse, isLast: boolean): void {
  const { status, headers, body } = answer;
  const fields = [...headers];
  if (body !== undefined) {
    fields.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  }
  if (isLast) fields.push('Connection', 'close');
  response.writeHead(status, fields);
  writeInTurn(response, body);
}

/** Creates the listener of a node:http server; it avoids objects and promises when the store answers at once. */
export function createRequestListener(
  responder: Responder,
  { isClosing, delays, lingerMs, reachOf }: ListenerState,
): RequestListener {
  const resends = createResendMemory();
  /** Connections that end with the answer to a request which came: what comes after it came for nothing. */
  const ending = new WeakSet<Socket>();

  /** Answers what cannot be admitted, and closes the connection. */
  function reject(request: IncomingMessage, response: ServerResponse, fault: ConnectionFault): void {
    const answer = responder.refuse({ fault, head: new NodeRequestHead(request) });
    linger(request.socket, lingerMs);
    write(response, answer, true);
    request.resume();
  }

  /** Answers when the mock itself is wrong, and says so where the user of the process sees it. */
  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    process.emitWarning(error instanceof Error ? error : String(error));
    try {
      reject(request, response, 'internal-error');
    } catch {
      // The log may be what is wrong, or half of an answer is out already.
      request.socket.destroy();
    }
  }

  /** Answers late, not whole, or not at all. */
  function deliver(
    request: IncomingMessage,
    response: ServerResponse,
    { delayMs, connection, ...answer }: MockResponse & Delivery,
  ): void {
    if (delayMs > 0 && !isClosing()) {
      // What is still to come would be taken for a client that is too slow.
      request.resume();
      const delivery = connection === 'keep' ? undefined : { delayMs: 0, connection };
      delays.wait(delayMs, response, () => {
        try {
          finish(request, response, { ...answer, delivery });
        } catch (error) {
          fail(request, response, error);
        }
      });
    } else if (connection === 'drop') {
      whenItsTurn(response, () => {
        resends.note(request);
        request.socket.destroy();
      });
    } else if (connection === 'truncate') {
      whenRead(request, () => whenItsTurn(response, () => writeHalf(response, answer)));
    } else {
      finish(request, response, { ...answer, delivery: undefined });
    }
  }

  function finish(
    request: IncomingMessage,
    response: ServerResponse,
    answer: MaybePromise<MockResponse>,
  ): void {
    if (answer instanceof Promise) {
      answer
        .then((made) => finish(request, response, made))
        .catch((error: unknown) => fail(request, response, error));
      return;
    }
    if (answer.delivery !== undefined) {
      deliver(request, response, { ...answer, ...answer.delivery });
      return;
    }
    if (request.complete || !hasContent(request)) {
      write(response, answer, isClosing());
      return;
    }
    // Content that is still to come is small enough to be read and thrown away, or it ends the connection.
    const { 'content-length': length = Infinity, expect } = request.headers;
    const isLast = isClosing() || Number(length) > responder.contentLimit || expect !== undefined;
    if (isLast) linger(request.socket, lingerMs);
    write(response, answer, isLast);
    request.resume();
  }

  function toAnswer(admission: Admission, content: RequestContent): MaybePromise<MockResponse> {
    return admission.kind === 'admitted'
      ? responder.respond(admission, content)
      : responder.conclude(admission, content);
  }

  function respond(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    receive(request, response, {
      limit: responder.contentLimit,
      take(content) {
        try {
          finish(request, response, toAnswer(admission, content));
        } catch (error) {
          fail(request, response, error);
        }
      },
    });
  }

  /** Answers what the head decided. Small content that is on its way anyhow is waited for a little: the log shows it. */
  function conclude(request: IncomingMessage, response: ServerResponse, answered: Answered): void {
    const { 'content-length': length, expect } = request.headers;
    if (length === undefined || Number(length) > responder.contentLimit || expect !== undefined) {
      finish(request, response, responder.conclude(answered, 'not-read'));
      return;
    }
    let isOver = false;
    function end(content: RequestContent | 'not-read'): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (hasEarlyAnswer(request.socket)) {
        // What came after the head was no content, and was answered so.
        return;
      }
      try {
        finish(request, response, responder.conclude(answered, content));
      } catch (error) {
        fail(request, response, error);
      }
    }
    const giveUp = (): void => end('not-read');
    const timer = setTimeout(giveUp, contentWaitMs);
    request.once('close', giveUp);
    readContent(request, responder.contentLimit, end);
  }

  /** Has what is mounted answer, whose content need not be small. */
  async function answerMounted(
    request: IncomingMessage,
    response: ServerResponse,
    mounted: Mounted,
  ): Promise<void> {
    const asked = { head: new NodeRequestHead(request), reach: reachOf(request.socket) };
    const take = (content: RequestContent): void =>
      finish(request, response, mounted.answer({ ...asked, content }));
    if (!hasContent(request)) {
      take(undefined);
      return;
    }
    const refused = await mounted.refuse(asked);
    if (refused === undefined) {
      receive(request, response, { limit: mounted.contentLimit, take });
    } else {
      finish(request, response, refused);
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (ending.has(request.socket)) {
      request.resume();
      return;
    }
    const { headers, httpVersionMajor, httpVersionMinor } = request;
    if (!isValidHost(headers.host, httpVersionMajor === 1 && httpVersionMinor === 0)) {
      reject(request, response, 'invalid-host');
      return;
    }
    const { mounted } = responder;
    if (mounted !== undefined && isMounted(request.url ?? '', mounted.prefix)) {
      answerMounted(request, response, mounted).catch((error: unknown) => fail(request, response, error));
      return;
    }
    if (resends.isResent(request)) {
      request.socket.destroy();
      return;
    }
    const admission = responder.admit(new NodeRequestHead(request));
    if ((deliveryOf(admission)?.connection ?? 'keep') !== 'keep') ending.add(request.socket);
    if (!hasContent(request)) {
      finish(request, response, toAnswer(admission, undefined));
    } else if (admission.kind === 'admitted' || isCarriedThrough(admission)) {
      respond(request, response, admission);
    } else {
      conclude(request, response, admission);
    }
  }

  return (request, response) => {
    noteAnswer(request.socket, response);
    try {
      answer(request, response);
    } catch (error) {
      fail(request, response, error);
    }
  };
}
