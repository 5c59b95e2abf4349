import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { acceptConnections } from './listen.ts';
import { type HttpRequest, toHeaderList } from './message.ts';

/** A path of a receiver, for the requests that one sent request causes. */
interface ReceivingPath {
  /** A random UUID, the first segment of the path. */
  readonly token: string;
  /** The requests so far, oldest first. */
  readonly received: readonly HttpRequest[];
  /** Waits for the given number of requests, for `ms` at most. It ends early if the receiver stops. */
  readonly wait: (count: number, ms: number) => Promise<void>;
}

/** A server that receives the requests of a service under test. */
export interface RequestReceiver {
  /** Its base URL for the service, without a slash at the end. */
  readonly url: string;
  /** Opens a path. `answer` returns the status of each response; other paths get 404. */
  readonly open: (answer: (method: string) => number) => ReceivingPath;
  /** Ends all waiting, now and later. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

/** The maximum length of the content of a request, in bytes. */
const longestBody = 16_777_216;
/** The maximum number of requests that a path keeps. */
const mostKept = 100;

interface OpenPath {
  readonly received: HttpRequest[];
  readonly answer: (method: string) => number;
  /** Called after each request. */
  notify: () => void;
}

/**
 * Starts to receive requests.
 *
 * @param options.port - 0 for any free port
 * @param options.url - the base URL under which the service reaches the port, from another machine if it is given
 * @param options.endsAt - the time at which all waiting ends, in milliseconds of `performance.now`
 * @throws ClocheError PORT_UNAVAILABLE if it cannot listen
 */
export async function openRequestReceiver(options: {
  readonly port: number;
  readonly url: string | undefined;
  readonly endsAt: number;
}): Promise<RequestReceiver> {
  const { port, url, endsAt } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const paths = new Map<string, OpenPath>();
  const server = createServer((request, response) => {
    void receive(request, response, paths).catch(() => response.destroy());
  });
  // Node reads only the first 2,000 header fields by default.
  server.maxHeadersCount = 0;
  const host = url === undefined ? '127.0.0.1' : '0.0.0.0';
  const place = await acceptConnections(server, { port, host, option: '--callbacks-port' });
  server.unref();
  return {
    url: (url ?? place.url).replace(/\/+$/u, ''),
    open(answer) {
      const token = randomUUID();
      const path: OpenPath = { received: [], answer, notify: () => undefined };
      paths.set(token, path);
      return {
        token,
        received: path.received,
        wait: (count, ms) =>
          new Promise((resolve) => {
            const end = (): void => {
              clearTimeout(timer);
              signal.removeEventListener('abort', end);
              resolve();
            };
            path.notify = () => void (path.received.length >= count && end());
            const timer = setTimeout(end, Math.max(0, Math.min(ms, endsAt - performance.now())));
            signal.addEventListener('abort', end);
            if (signal.aborted) end();
            path.notify();
          }),
      };
    },
    stop: () => stop.abort(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  paths: ReadonlyMap<string, OpenPath>,
): Promise<void> {
  const { method = '', url: target = '', rawHeaders } = request;
  // A base URL may have a path, which a proxy may keep or remove.
  const path = target.split(/[/?#]/u).flatMap((segment) => paths.get(segment) ?? [])[0];
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    // `as`: without an encoding, a request is a stream of buffers.
    chunks.push(chunk as Uint8Array);
    length += chunks.at(-1)?.length ?? 0;
    if (length > longestBody) {
      request.destroy();
      return;
    }
  }
  response.writeHead(path?.answer(method) ?? 404).end();
  if (path === undefined || path.received.length >= mostKept) return;
  const body = length === 0 ? undefined : new Uint8Array(Buffer.concat(chunks));
  path.received.push({ method, target, headers: toHeaderList(rawHeaders), body });
  path.notify();
}
