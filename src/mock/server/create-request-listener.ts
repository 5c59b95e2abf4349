import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isMounted } from '../control/is-mounted.ts';
import type { Mounted, Reach } from '../control/mounted.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Admission, Answered, Responder } from '../steps/responder.ts';
import type { Delivery } from '../steps/delivery.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { ConnectionFault } from '../steps/connection-fault.ts';
import type { RequestContent } from '../steps/request-head.ts';
import type { Delays } from './create-delays.ts';
import { createResendMemory } from './create-resend-memory.ts';
import { hasValidHost } from './has-valid-host.ts';
import { hasEarlyAnswer, linger } from './linger.ts';
import { NodeRequestHead } from './node-request-head.ts';
import { readContent } from './read-content.ts';
import { whenItsTurn } from './when-its-turn.ts';
import { writeHalf } from './write-half.ts';

/** What the writing of answers depends on besides the answers. */
export interface ListenerState {
  /** Whether the server takes no more requests, so that each answer is the last of its connection. */
  readonly isClosing: () => boolean;
  readonly delays: Delays;
  readonly lingerMs: number;
  /** How a request came, for what is mounted. */
  readonly reachOf: (request: IncomingMessage) => Reach;
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

/**
 * Whether an answer waits for the whole request, as if the steps had been taken: it is forced. A connection that is
 * dropped, or a refusal, need not.
 */
function isCarriedThrough({ answer }: Answered): boolean {
  return answer.note.forced === true && answer.delivery?.connection !== 'drop';
}

/** Writes an answer; `isLast` closes the connection after it. */
function write(response: ServerResponse, answer: MockAnswer, isLast: boolean): void {
  const { status, headers, body } = answer;
  const fields = [...headers];
  if (body !== undefined) {
    fields.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  }
  if (isLast) {
    fields.push('Connection', 'close');
  }
  response.writeHead(status, fields);
  if (typeof body !== 'string' || body === '') {
    response.end(body);
    return;
  }
  // Node writes head and content at once at the end of this tick. `end(body)` would write an empty text behind them, so
  // that the two go to the system as a list, which costs a tenth of all that a request takes.
  response.write(body);
  process.nextTick(end, response);
}

function end(response: ServerResponse): void {
  response.end();
}

/**
 * The listener of a node:http server that has a responder answer: no Request is made, no list of fields, and
 * no promise where the store answers at once.
 */
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
    { delayMs, connection, ...answer }: MockAnswer & Delivery,
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
    answer: MaybePromise<MockAnswer>,
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
    const isSmall = Number(request.headers['content-length'] ?? Infinity) <= responder.contentLimit;
    const isAwaited = request.headers.expect === undefined;
    const isLast = isClosing() || !isSmall || !isAwaited;
    if (isLast) {
      linger(request.socket, lingerMs);
    }
    write(response, answer, isLast);
    request.resume();
  }

  function toAnswer(admission: Admission, content: RequestContent): MaybePromise<MockAnswer> {
    return admission.kind === 'admitted'
      ? responder.respond(admission, content)
      : responder.conclude(admission, content);
  }

  function respond(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    if (Number(request.headers['content-length'] ?? 0) > responder.contentLimit) {
      finish(request, response, toAnswer(admission, 'too-large'));
      return;
    }
    if (request.headers.expect?.toLowerCase() === '100-continue') {
      response.writeContinue();
    }
    readContent(request, responder.contentLimit, (content) => {
      try {
        finish(request, response, toAnswer(admission, content));
      } catch (error) {
        fail(request, response, error);
      }
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
      if (isOver) {
        return;
      }
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
    const { headers } = request;
    const asked = { head: new NodeRequestHead(request), reach: reachOf(request) };
    const then = (content: RequestContent): void =>
      finish(request, response, mounted.answer({ ...asked, content }));
    const refused = hasContent(request) ? await mounted.refuse(asked) : undefined;
    if (refused !== undefined) {
      finish(request, response, refused);
    } else if (!hasContent(request)) {
      then(undefined);
    } else if (Number(headers['content-length'] ?? 0) > mounted.contentLimit) {
      then('too-large');
    } else {
      if (headers.expect?.toLowerCase() === '100-continue') {
        response.writeContinue();
      }
      readContent(request, mounted.contentLimit, then);
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (ending.has(request.socket)) {
      request.resume();
      return;
    }
    if (!hasValidHost(request)) {
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
    if ((deliveryOf(admission)?.connection ?? 'keep') !== 'keep') {
      ending.add(request.socket);
    }
    if (!hasContent(request)) {
      finish(request, response, toAnswer(admission, undefined));
    } else if (admission.kind === 'admitted' || isCarriedThrough(admission)) {
      respond(request, response, admission);
    } else {
      conclude(request, response, admission);
    }
  }

  return (request, response) => {
    try {
      answer(request, response);
    } catch (error) {
      fail(request, response, error);
    }
  };
}
