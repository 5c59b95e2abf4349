import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { addDefaultHeaders } from './add-default-headers.ts';
import type { Answer } from './answer.ts';
import { AnswerHandler } from './answer-handler.ts';
import { createLender } from './create-lender.ts';
import { createSocketSend } from './create-socket-send.ts';
import type { HttpRequest } from './http-request.ts';
import { pathPrefix } from './path-prefix.ts';
import type { Framing, Send, SendOptions } from './send.ts';
import { type SendTarget, usualResponseLimit } from './send-target.ts';
import { splitContent } from './split-content.ts';
import { isStaleConnectionDrop } from './stale-connection.ts';
import { prepareUrlConnections, type UrlConnection } from './prepare-url-connections.ts';

/** What {@link createUrlSend} is made from. */
export interface UrlSendOptions extends SendTarget {
  /** How many requests may be under way at once; more of them wait. */
  readonly connections: number;
}

/** A send to a real service. */
export interface UrlSend {
  readonly send: Send;
  /** Waits for what is under way, then closes all connections. */
  close(): Promise<void>;
}

/** Long enough for the one packet to leave before the next is written. */
const betweenPacketsMs = 5;

async function* withPauses(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      await pause(betweenPacketsMs);
    }
    yield piece;
  }
}

function toUndiciBody(content: Uint8Array | undefined, framing: Framing): Uint8Array | Readable | null {
  if (content === undefined || content.length === 0) {
    return null;
  }
  switch (framing) {
    case 'content-length':
      return content;
    case 'chunked':
      return Readable.from(splitContent(content));
    case 'several-packets':
      return Readable.from(withPauses(splitContent(content)));
  }
}

/** What undici would leave out or change: the raw socket sends it as it stands. */
function needsSocket({ method, headers }: HttpRequest): boolean {
  return (
    method === 'CONNECT' ||
    headers.some(([name]) => name.length === 10 && name.toLowerCase() === 'connection')
  );
}

/**
 * Creates a send to a base URL over kept-alive connections.
 *
 * The request leaves as it is given, with Host, Connection and the field that frames its content beside it;
 * no redirect is followed, and interim answers are skipped. The body of an answer has its content codings
 * (gzip, deflate, br) taken off, so that it can be judged, while the fields stay as they came. What undici
 * refuses to write (a second Host, a Content-Length that lies, CONNECT) goes over a raw socket.
 *
 * Nothing is ever sent twice. A service may close a kept connection just as a request leaves on it, and
 * whether the request was acted on cannot be known then, so that a POST must not be repeated behind the
 * caller's back (RFC 9110 §9.2.2, RFC 9112 §9.3.1). Hence idle connections are closed after a second, or
 * earlier where the service's Keep-Alive says so; the first connection that the service drops unannounced
 * ends all reuse; and such a drop is an answer that `isStaleConnectionDrop` knows, for the caller to confirm
 * with a request of its own, which then has a fresh connection.
 *
 * @throws ClocheError OPTION_INVALID where `ca` holds no certificate; `send` never rejects
 */
export function createUrlSend(options: UrlSendOptions): UrlSend {
  const { baseUrl, timeoutMs, headers: defaults = [], responseLimit = usualResponseLimit } = options;
  const prefix = pathPrefix(baseUrl);
  let mayReuse = true;
  function endReuse(): void {
    mayReuse = false;
  }
  const lender = createLender({
    limit: options.connections,
    create: prepareUrlConnections(options, endReuse),
  });
  const socketSend = createSocketSend({ ...options, headers: [] });

  async function borrow(): Promise<UrlConnection> {
    const connection = lender.borrow() ?? (await lender.wait());
    if (mayReuse || !connection.client.stats.connected) {
      return connection;
    }
    void connection.client.close();
    return lender.replace(connection);
  }

  async function sendByUndici(
    request: HttpRequest,
    { framing, signal }: SendOptions,
  ): Promise<Answer | undefined> {
    const headers = request.headers.flat();
    if (framing === 'several-packets' && request.body !== undefined && request.body.length > 0) {
      headers.push('Content-Length', String(request.body.length));
    }
    const connection = await borrow();
    const answer = await new Promise<Answer | undefined>((settle) => {
      const { method } = request;
      const handler = new AnswerHandler({
        connection,
        method,
        place: baseUrl.host,
        timeoutMs,
        responseLimit,
        signal,
        settle,
      });
      const body = toUndiciBody(request.body, framing ?? 'content-length');
      const path = prefix + request.target;
      connection.client.dispatch(
        { path, method, headers, body, ...(mayReuse ? {} : { reset: true }) },
        handler,
      );
    });
    if (answer !== undefined && isStaleConnectionDrop(answer)) {
      endReuse();
    }
    if (answer?.kind === 'unreachable' || signal?.aborted === true) {
      // A client of undici that failed to connect may never send again, and one may still be connecting.
      void connection.client.destroy();
      lender.giveBack(lender.replace(connection));
    } else {
      lender.giveBack(connection);
    }
    return answer;
  }

  return {
    async send(request, sendOptions = {}) {
      const headers = addDefaultHeaders(request.headers, defaults);
      const whole = headers === request.headers ? request : { ...request, headers };
      const answer = needsSocket(whole) ? undefined : await sendByUndici(whole, sendOptions);
      if (answer !== undefined) {
        return answer;
      }
      const visible = await socketSend(whole, sendOptions);
      return visible.kind === 'response' ? { kind: 'response', response: visible.response } : visible;
    },
    async close() {
      await Promise.all(lender.all().map((connection) => connection.client.close()));
    },
  };
}
