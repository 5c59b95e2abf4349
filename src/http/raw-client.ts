import type { Socket } from 'node:net';
import { abortListeners } from './abort.ts';
import {
  asSocket,
  type ConnectTarget,
  mostHeaderBytes,
  openConnection,
  type TlsOptions,
  toTlsOptions,
  withPauses,
} from './connect.ts';
import { decodeContent } from './content-coding.ts';
import { describeDrop, isTlsAlert, toUnreachable } from './failures.ts';
import {
  addDefaultHeaders,
  type Answer,
  cutResponse,
  type HttpRequest,
  type Send,
  type SendOptions,
  usualResponseLimit,
} from './message.ts';
import { readHttpResponse } from './parse-response.ts';
import { openTunnel, routeThrough } from './outgoing-proxy.ts';
import { pathPrefix } from './path.ts';
import { serializeRequest } from './serialize-request.ts';
import { eventWaits, isStream } from './streams.ts';

/** How long to wait for bytes after the end of a response if the service keeps the connection open. */
const lingerMs = 100;

/** Options of a raw send. */
interface SocketSendOptions {
  /**
   * Whether a proxy forwards http: requests, instead of opening a tunnel to the service. It then decides how the
   * response is framed. @defaultValue false
   */
  readonly forwards?: boolean;
}

/**
 * Creates a send that uses a raw connection for each request. It shows what a client library hides: content after the
 * end of a HEAD, 204 or 304 response, a wrong Content-Length, a status outside 100–599, bytes that are not HTTP. It is
 * slower than `createUrlSend`, and meant for probes of the framing. The connection is closed after each response, even
 * if the request asks to keep it.
 *
 * The time-out applies separately to the connection and to the response. Content codings are decoded, and the header
 * fields are unchanged.
 *
 * @throws ClocheError OPTION_INVALID for certificates that `toTlsOptions` rejects; the send never rejects
 */
export function createSocketSend(target: ConnectTarget, { forwards = false }: SocketSendOptions = {}): Send {
  const { baseUrl, proxy, headers = [] } = target;
  const route = routeThrough(forwards ? target : { baseUrl });
  const tunnelProxy = route.origin === '' ? proxy : undefined;
  const service = { target, tls: toTlsOptions(target), route, tunnelProxy };
  return (given, options = {}) =>
    new Promise((resolve) => {
      const request = { ...given, headers: addDefaultHeaders(given.headers, headers) };
      new RawExchange(service, { ...options, request, resolve }).open();
    });
}

/** A service to send raw requests to. */
interface RawService {
  readonly target: ConnectTarget;
  readonly tls: TlsOptions;
  readonly route: ReturnType<typeof routeThrough>;
  /** The proxy that opens a tunnel to the service; undefined without one. */
  readonly tunnelProxy: URL | undefined;
}

interface RawRequest extends SendOptions {
  readonly request: HttpRequest;
  /** Receives the answer. */
  readonly resolve: (answer: Answer) => void;
}

/** A request on a connection of its own. */
class RawExchange {
  readonly #service: RawService;
  readonly #sent: RawRequest;
  readonly #started = performance.now();
  readonly #connecting = new AbortController();
  readonly #chunks: Uint8Array[] = [];
  readonly #responseLimit: number;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout;
  #length = 0;
  #isConnected = false;
  #sentAt = 0;
  #isWhole = false;
  #lastByteAt = 0;

  constructor(service: RawService, sent: RawRequest) {
    this.#service = service;
    this.#sent = sent;
    this.#responseLimit = service.target.responseLimit ?? usualResponseLimit;
    this.#timer = setTimeout(this.#onTime, service.target.timeoutMs);
  }

  /** Opens the connection; the request is sent when it is ready. */
  open(): void {
    const { target, tls, route, tunnelProxy } = this.#service;
    const { signal } = this.#sent;
    abortListeners(signal).add(this.#onAbort);
    if (target.connect !== undefined) {
      const opened = asSocket(target.connect());
      this.#listen(opened);
      queueMicrotask(() => opened.emit(target.baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect'));
    } else if (tunnelProxy === undefined) {
      const isProxy = route.hop === target.proxy;
      this.#listen(openConnection(route.hop, isProxy ? { rejectUnauthorized: true } : tls));
    } else {
      // The time-out of this send ends it too.
      void this.#listenThrough(tunnelProxy);
    }
    if (signal?.aborted === true) this.#onAbort();
  }

  async #listenThrough(through: URL): Promise<void> {
    const { target, tls } = this.#service;
    const { signal } = this.#connecting;
    try {
      const tunnel = await openTunnel(through, target.baseUrl, { signal });
      if (signal.aborted) tunnel.destroy();
      else this.#listen(openConnection(target.baseUrl, tls, tunnel), tunnel);
    } catch (error) {
      this.#end('the service', error);
    }
  }

  #listen(opened: Socket, tunnel?: Socket): void {
    this.#socket = opened
      .on('data', (bytes: Uint8Array) => this.#take(bytes))
      .on('error', (error) => this.#end('the service', error))
      .on('end', () => this.#end('the service'))
      .on('close', () => this.#end('the service'));
    const ready = this.#service.route.hop.protocol === 'https:' ? 'secureConnect' : 'connect';
    if (opened === tunnel) this.#send(opened);
    else opened.once(ready, () => this.#send(opened));
  }

  #send(connected: Socket): void {
    const { target, route } = this.#service;
    const { request, framing = 'content-length' } = this.#sent;
    this.#isConnected = true;
    this.#sentAt = performance.now();
    this.#timer.refresh();
    const prefix = route.origin + pathPrefix(target.baseUrl);
    const sent = { ...request, headers: [...request.headers, ...route.fields] };
    const { host: authority } = target.baseUrl;
    void sendPieces(connected, serializeRequest({ request: sent, authority, prefix, framing }));
  }

  #take(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    this.#lastByteAt = performance.now();
    if (this.#length > this.#responseLimit + mostHeaderBytes) {
      this.#end('length');
      return;
    }
    if (this.#isWhole) return;
    const { method } = this.#sent.request;
    const reading = readHttpResponse({ bytes: this.#received(), method, ended: false });
    const begun = reading.kind === 'incomplete' ? reading.begun : undefined;
    const isEvent = begun !== undefined && isStream(begun.headers);
    this.#isWhole = reading.kind !== 'incomplete' || (isEvent && begun.body.length > 0);
    if (this.#isWhole || isEvent) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#onTime, this.#isWhole ? lingerMs : eventWaits.first);
    }
  }

  #received(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  #end(by: Ending['by'], error?: unknown): void {
    const { target, route } = this.#service;
    const { timeoutMs } = target;
    if (!this.#isConnected || isTlsAlert(error)) {
      this.#settle(toUnreachable({ ...route, error, timeoutMs }));
      return;
    }
    const afterMs = Math.round(performance.now() - this.#started);
    const isSending = performance.now() - this.#lastByteAt < timeoutMs / 2;
    const ending = { by, error, received: this.#received(), afterMs, isSending };
    this.#settle(toAnswer(ending, this.#sent.request.method, this.#responseLimit));
  }

  readonly #onTime = (): void => {
    const late = Object.assign(new Error('too late'), { code: 'ETIMEDOUT' });
    this.#end('time', this.#isConnected ? undefined : late);
  };

  readonly #onAbort = (): void => {
    const afterMs = Math.round(performance.now() - this.#started);
    this.#settle({ kind: 'timed-out', afterMs, received: this.#received() });
  };

  #settle(answer: Answer): void {
    const { signal, onTook, resolve } = this.#sent;
    clearTimeout(this.#timer);
    abortListeners(signal).delete(this.#onAbort);
    this.#connecting.abort();
    this.#socket
      ?.removeAllListeners()
      .on('error', () => {})
      .destroy();
    // The wait for bytes after the end of the response is not part of it.
    const tookUntil = answer.kind === 'response' ? this.#lastByteAt : performance.now();
    if (this.#isConnected) onTook?.(tookUntil - this.#sentAt);
    resolve(answer);
  }
}

/** Sends pieces with pauses. Errors appear as the end of the socket. */
async function sendPieces(socket: Socket, pieces: readonly Uint8Array[]): Promise<void> {
  for await (const piece of withPauses(pieces)) {
    if (!socket.writable) return;
    socket.write(piece);
  }
}

interface Ending {
  readonly by: 'time' | 'the service' | 'length';
  readonly error: unknown;
  readonly received: Uint8Array;
  readonly afterMs: number;
  readonly isSending: boolean;
}

function toAnswer(ending: Ending, method: string, responseLimit: number): Answer {
  const { by, error, received, afterMs, isSending } = ending;
  const ended = by === 'the service' && error === undefined;
  const reading = readHttpResponse({ bytes: received, method, ended });
  if (reading.kind === 'response') {
    const response = decodeContent(reading.response, responseLimit);
    return { kind: 'response', response, trailing: reading.trailing };
  }
  if (reading.kind === 'not-http') return { kind: 'not-http', reason: reading.reason, received };
  const { begun } = reading;
  if (by === 'length') {
    return begun === undefined
      ? { kind: 'not-http', reason: 'its header section has no end in sight', received }
      : { kind: 'response', response: cutResponse(begun, responseLimit) };
  }
  if (by !== 'time') return { kind: 'dropped', reason: describeDrop(error, received, method), received };
  return begun !== undefined && isStream(begun.headers, isSending)
    ? { kind: 'response', response: begun }
    : { kind: 'timed-out', afterMs, received };
}
