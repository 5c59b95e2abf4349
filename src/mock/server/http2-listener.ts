import { constants, type Http2ServerRequest, type OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { toHeaderList } from '../../http/message.ts';
import type { Delays } from '../clock.ts';
import { isMounted } from '../control/control.ts';
import type { MockResponse, Reach, RequestContent, RequestHead } from '../message.ts';
import { answerReceived, type Responder } from '../responder.ts';
import { closeSignal, writeStream } from './delivery.ts';

/** Fields that HTTP/2 does not have (RFC 9113 §8.2.2). */
const ofConnection = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/iu;

/** Reads the head of a request; `:authority` is its Host (RFC 9113 §8.3.1). */
function readHead({ method, url, headers, authority, rawHeaders, stream }: Http2ServerRequest): RequestHead {
  const host = authority === '' ? headers.host : authority;
  return {
    method,
    target: url,
    origin: `https://${host ?? ''}`,
    header(name) {
      const value = name === 'host' ? host : headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    // A request has either or both (RFC 9113 §8.3.1).
    fields: () => [
      ...(authority === '' || headers.host !== undefined ? [] : ['host', authority]),
      ...toHeaderList(rawHeaders)
        .filter(([name]) => !name.startsWith(':'))
        .flat(),
    ],
    signal: () => closeSignal(stream),
  };
}

async function readContent(request: Http2ServerRequest, limit: number): Promise<RequestContent> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // `as`: the chunks of a request without an encoding are bytes.
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  if (length > limit) return 'too-large';
  return length === 0 ? undefined : Buffer.concat(chunks);
}

async function answerRequest(
  responder: Responder,
  request: Http2ServerRequest,
  reach: Reach,
): Promise<MockResponse> {
  const head = readHead(request);
  const { mounted } = responder;
  if (mounted !== undefined && isMounted(head.target, mounted.prefix)) {
    const refused = await mounted.refuse({ head, reach });
    return (
      refused ?? mounted.answer({ head, reach, content: await readContent(request, mounted.contentLimit) })
    );
  }
  const received = responder.receive(head);
  return answerReceived(responder, received, await readContent(request, responder.contentLimit));
}

function write(
  { stream: responseStream }: Http2ServerRequest,
  { status, headers, body, delivery, passed }: MockResponse,
  delays: Delays,
): void {
  if (responseStream.destroyed) return;
  const connection = delivery?.connection ?? 'keep';
  const content = body === undefined ? undefined : Buffer.from(body);
  if (connection === 'drop' || (connection === 'truncate' && !content?.length)) {
    responseStream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const fields: OutgoingHttpHeaders = { ':status': status };
  for (const [name, value] of toHeaderList(headers)) {
    const former = fields[name.toLowerCase()];
    if (!ofConnection.test(name)) {
      fields[name.toLowerCase()] = former === undefined ? value : [former, value].flat().map(String);
    }
  }
  if (content !== undefined) fields['content-length'] = content.length;
  responseStream.respond(fields, { endStream: content === undefined && passed === undefined });
  if (passed !== undefined) writeStream(passed.stream, responseStream, delays);
  if (content === undefined) return;
  if (connection === 'keep') {
    responseStream.end(content);
    return;
  }
  responseStream.write(content.subarray(0, content.length >> 1), () =>
    responseStream.close(constants.NGHTTP2_INTERNAL_ERROR),
  );
}

/** Creates the listener of requests over HTTP/2. A dropped connection of a fault resets only the stream of its request. */
export function createHttp2Listener(
  responder: Responder,
  {
    delays,
    reachOf,
  }: { readonly delays: Delays; readonly reachOf: (socket: Pick<Socket, 'remoteAddress'>) => Reach },
): (request: Http2ServerRequest) => void {
  async function respond(request: Http2ServerRequest, reach: Reach): Promise<void> {
    const answer = await answerRequest(responder, request, reach);
    const { delayMs = 0 } = answer.delivery ?? {};
    if (delayMs === 0) {
      write(request, answer, delays);
      return;
    }
    const cancel = delays.wait(delayMs, () => write(request, answer, delays));
    request.stream.once('close', cancel);
  }

  return (request) => {
    const { stream } = request;
    // A client that goes away ends only its own request.
    stream.on('error', () => stream.destroy());
    const reach = reachOf({ remoteAddress: stream.session?.socket.remoteAddress });
    respond(request, reach).catch((error: unknown) => {
      if (!stream.aborted) process.emitWarning(error instanceof Error ? error : String(error));
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  };
}
