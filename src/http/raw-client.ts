import type { Socket } from 'node:net';
import { abortListeners } from './abort.ts';
import {
  asSocket,
  type ConnectTarget,
  mostHeaderBytes,
  openConnection,
  toTlsOptions,
  withPauses,
} from './connect.ts';
import { decodeContent } from './content-coding.ts';
import { describeDrop, isTlsAlert, toUnreachable } from './failures.ts';
import { addDefaultHeaders, type Answer, cutResponse, type Send, usualResponseLimit } from './message.ts';
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
  const { baseUrl, proxy, timeoutMs, responseLimit = usualResponseLimit } = target;
  const tls = toTlsOptions(target);
  const route = routeThrough(forwards ? target : { baseUrl });
  const tunnelProxy = route.origin === '' ? proxy : undefined;
  return (given, { signal, framing = 'content-length', onTook } = {}) => {
    const request = { ...given, headers: addDefaultHeaders(given.headers, target.headers ?? []) };
    const { method } = request;
    return new Promise((resolve) => {
      const started = performance.now();
      const connecting = new AbortController();
      let socket: Socket | undefined;
      const chunks: Uint8Array[] = [];
      let length = 0;
      let isConnected = false;
      let sentAt = 0;
      let isWhole = false;
      let lastByteAt = 0;
      let timer = setTimeout(onTime, timeoutMs);

      function settle(answer: Answer): void {
        clearTimeout(timer);
        abortListeners(signal).delete(onAbort);
        connecting.abort();
        socket
          ?.removeAllListeners()
          .on('error', () => {})
          .destroy();
        // The wait for bytes after the end of the response is not part of it.
        if (isConnected) onTook?.((answer.kind === 'response' ? lastByteAt : performance.now()) - sentAt);
        resolve(answer);
      }
      function onEnd(by: Ending['by'], error?: unknown): void {
        const afterMs = Math.round(performance.now() - started);
        const isSending = performance.now() - lastByteAt < timeoutMs / 2;
        const ending = { by, error, received: Buffer.concat(chunks), afterMs, isSending };
        settle(
          isConnected && !isTlsAlert(error)
            ? toAnswer(ending, method, responseLimit)
            : toUnreachable({ ...route, error, timeoutMs }),
        );
      }
      function onTime(): void {
        onEnd('time', isConnected ? undefined : Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }));
      }
      function onAbort(): void {
        const afterMs = Math.round(performance.now() - started);
        settle({ kind: 'timed-out', afterMs, received: Buffer.concat(chunks) });
      }
      function onConnected(connected: Socket): void {
        isConnected = true;
        sentAt = performance.now();
        timer.refresh();
        const prefix = route.origin + pathPrefix(baseUrl);
        const sent = { ...request, headers: [...request.headers, ...route.fields] };
        const { host: authority } = baseUrl;
        void sendPieces(connected, serializeRequest({ request: sent, authority, prefix, framing }));
      }
      function onBytes(bytes: Uint8Array): void {
        chunks.push(bytes);
        length += bytes.length;
        lastByteAt = performance.now();
        if (length > responseLimit + mostHeaderBytes) {
          onEnd('length');
          return;
        }
        const soFar = { bytes: Buffer.concat(chunks), method, ended: false };
        if (isWhole) return;
        const reading = readHttpResponse(soFar);
        const begun = reading.kind === 'incomplete' ? reading.begun : undefined;
        const isEvent = begun !== undefined && isStream(begun.headers);
        isWhole = reading.kind !== 'incomplete' || (isEvent && begun.body.length > 0);
        if (isWhole || isEvent) {
          clearTimeout(timer);
          timer = setTimeout(onTime, isWhole ? lingerMs : eventWaits.first);
        }
      }

      function listen(opened: Socket, tunnel?: Socket): void {
        socket = opened
          .on('data', onBytes)
          .on('error', (error) => onEnd('the service', error))
          .on('end', () => onEnd('the service'))
          .on('close', () => onEnd('the service'));
        const ready = route.hop.protocol === 'https:' ? 'secureConnect' : 'connect';
        if (opened === tunnel) onConnected(opened);
        else opened.once(ready, () => onConnected(opened));
      }

      async function listenThrough(through: URL): Promise<void> {
        try {
          const tunnel = await openTunnel(through, baseUrl, { signal: connecting.signal });
          if (connecting.signal.aborted) tunnel.destroy();
          else listen(openConnection(baseUrl, tls, tunnel), tunnel);
        } catch (error) {
          onEnd('the service', error);
        }
      }

      abortListeners(signal).add(onAbort);
      if (target.connect !== undefined) {
        const opened = asSocket(target.connect());
        listen(opened);
        queueMicrotask(() => opened.emit(baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect'));
      } else if (tunnelProxy === undefined) {
        listen(openConnection(route.hop, route.hop === proxy ? { rejectUnauthorized: true } : tls));
      } else {
        // The time-out of this send ends it too.
        void listenThrough(tunnelProxy);
      }
      if (signal?.aborted === true) {
        onAbort();
      }
    });
  };
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
