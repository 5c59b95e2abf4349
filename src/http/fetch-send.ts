import { abortListeners } from './abort.ts';
import { decodeContent } from './content-coding.ts';
import {
  addDefaultHeaders,
  type Answer,
  cutResponse,
  type HttpRequest,
  type Send,
  type SendTarget,
  usualResponseLimit,
} from './message.ts';
import { pathPrefix } from './path.ts';
import { eventWaits, isStream } from './streams.ts';

/** A function that answers a fetch `Request`, as Hono, Bun, Deno and route handlers of Next have it. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Options of {@link createFetchSend}. */
interface FetchSendOptions extends Pick<SendTarget, 'baseUrl' | 'timeoutMs' | 'headers' | 'responseLimit'> {
  /** Creates the error to throw for a request that a `Request` cannot carry unchanged. */
  readonly unsendable: (reason: string) => Error;
}

const nothing = new Uint8Array();

/** Creates the `Request`. Throws for one that it would refuse, and returns undefined for one that it would change. */
function toFetchRequest(request: HttpRequest, url: string): Request | undefined {
  const { method, headers, body } = request;
  const sent = new Request(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    // A copy, because a handler may detach its buffer.
    ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
  });
  return sent.method === method && sent.url === url ? sent : undefined;
}

/**
 * Creates a send that calls a handler of fetch without a network. The Fetch Standard normalizes requests: it joins
 * fields of one name and trims their values. A request whose method or URL it would change, or that it refuses, is not
 * sent: `unsendable` creates the error. There is no connection, so the framing of content makes no difference.
 *
 * A handler that throws has no response; that is a dropped connection, with the error as its reason.
 */
export function createFetchSend(handler: FetchHandler, options: FetchSendOptions): Send {
  const {
    baseUrl,
    timeoutMs,
    headers: defaults = [],
    responseLimit = usualResponseLimit,
    unsendable,
  } = options;
  const prefix = baseUrl.origin + pathPrefix(baseUrl);

  function toRequest(given: HttpRequest): Request {
    const request = { ...given, headers: addDefaultHeaders(given.headers, defaults) };
    let reason = 'it would change its method or URL';
    try {
      const sent = toFetchRequest(request, prefix + request.target);
      if (sent !== undefined) return sent;
    } catch (error) {
      reason = describeError(error);
    }
    throw unsendable(`a Request of fetch cannot carry ${given.method} ${given.target}: ${reason}`);
  }

  return async (given, { signal } = {}) => {
    const request = toRequest(given);
    const startedAt = performance.now();
    return new Promise((resolve) => {
      function settle(answer: Answer): void {
        clearTimeout(timer);
        abortListeners(signal).delete(onTime);
        resolve(answer);
      }
      function onTime(): void {
        const afterMs = Math.round(performance.now() - startedAt);
        settle({ kind: 'timed-out', afterMs, received: nothing });
      }
      const timer = setTimeout(onTime, timeoutMs);
      abortListeners(signal).add(onTime);
      if (signal?.aborted === true) onTime();
      else void receive(handler, request, responseLimit).then(settle);
    });
  };
}

async function receive(handler: FetchHandler, request: Request, responseLimit: number): Promise<Answer> {
  let response: Response;
  try {
    response = await handler(request);
  } catch (error) {
    return { kind: 'dropped', reason: `the handler threw ${describeError(error)}`, received: nothing };
  }
  try {
    const { status } = response;
    const headers = [...response.headers];
    // A server sends no content to HEAD, whatever the handler returned.
    const stream = request.method === 'HEAD' ? null : response.body;
    const read =
      stream === null
        ? { body: nothing, isCut: false }
        : await readBody(stream, { responseLimit, isEvents: isStream(headers) });
    const whole = { status, headers, body: read.body };
    if (read.isCut) return { kind: 'response', response: cutResponse(whole, responseLimit) };
    return { kind: 'response', response: decodeContent(whole, responseLimit) };
  } catch (error) {
    const reason = `the handler returned no Response that can be read: ${describeError(error)}`;
    return { kind: 'dropped', reason, received: nothing };
  }
}

/** Reads content up to a limit. Of a stream of events, it waits for the first ones only. */
async function readBody(
  stream: ReadableStream<Uint8Array>,
  { responseLimit, isEvents }: { readonly responseLimit: number; readonly isEvents: boolean },
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= responseLimit) {
    const next = isEvents
      ? await Promise.race([reader.read(), wait(eventWaits[length > 0 ? 'more' : 'first'])])
      : await reader.read();
    if (next?.value === undefined) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  // This stops the handler. An error of its stream no longer matters.
  void reader.cancel().catch(() => undefined);
  return { body: Buffer.concat(chunks), isCut: length > responseLimit };
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
