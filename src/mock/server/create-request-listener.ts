import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Admitted, Responder } from '../steps/responder.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { ConnectionFault } from '../steps/connection-fault.ts';
import type { RequestContent } from '../steps/request-head.ts';
import { hasValidHost } from './has-valid-host.ts';
import { linger } from './linger.ts';
import { NodeRequestHead } from './node-request-head.ts';

/** What the writing of answers depends on besides the answers. */
export interface ListenerState {
  /** Whether the server takes no more requests, so that each answer is the last of its connection. */
  readonly isClosing: () => boolean;
  readonly lingerMs: number;
}

function hasContent({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
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
  response.end(body);
}

/**
 * The listener of a node:http server that has a responder answer: no Request is made, no list of fields, and
 * no promise where the store answers at once.
 */
export function createRequestListener(
  responder: Responder,
  { isClosing, lingerMs }: ListenerState,
): RequestListener {
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

  function readContent(request: IncomingMessage, then: (content: RequestContent) => void): void {
    let chunks: Buffer[] | undefined;
    let first: Buffer | undefined;
    let length = 0;
    // A change of the contract while content comes in is no matter of this request.
    const limit = responder.contentLimit;
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
      if (length <= limit) {
        then(chunks === undefined ? first : Buffer.concat(chunks, length));
      }
    });
  }

  function respond(request: IncomingMessage, response: ServerResponse, admitted: Admitted): void {
    if (Number(request.headers['content-length'] ?? 0) > responder.contentLimit) {
      finish(request, response, responder.respond(admitted, 'too-large'));
      return;
    }
    if (request.headers.expect?.toLowerCase() === '100-continue') {
      response.writeContinue();
    }
    readContent(request, (content) => {
      try {
        finish(request, response, responder.respond(admitted, content));
      } catch (error) {
        fail(request, response, error);
      }
    });
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (!hasValidHost(request)) {
      reject(request, response, 'invalid-host');
      return;
    }
    const admission = responder.admit(new NodeRequestHead(request));
    if (admission.kind === 'answered') {
      finish(request, response, admission.answer);
    } else if (hasContent(request)) {
      respond(request, response, admission);
    } else {
      finish(request, response, responder.respond(admission, undefined));
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
