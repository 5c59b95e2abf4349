import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { isMounted } from '../control/control.ts';
import {
  type ConnectionFault,
  createHead,
  type MaybePromise,
  type MockResponse,
  type Reach,
  type RequestHead,
} from '../message.ts';
import type { Responder } from '../responder.ts';
import { hasEarlyAnswer, linger, whenAllAnswered } from './delivery.ts';
import { isValidHost } from './request-listener.ts';

/** Writes a response if Node offers no response object (RFC 9112 §2.1), as the last of its connection. */
function writeToSocket(socket: Socket, { status, headers, body = '' }: MockResponse): void {
  // A 204 has no Content-Length (RFC 9110 §8.6).
  const length = status === 204 ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const fields = [...headers, ...length, 'Connection', 'close'];
  const lines = fields.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, 'latin1');
  socket.write(body);
  socket.destroySoon();
}

/** An error of Node for bytes that are not a valid request. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The message of its parser, which repeats no received text. */
  readonly reason?: string;
  /** The last bytes received. */
  readonly rawPacket?: Uint8Array;
  /** The number of these bytes that its parser consumed. */
  readonly bytesParsed?: number;
}

const faults: Readonly<Record<string, ConnectionFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'header-fields-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk-extensions-too-large',
};

/** The first byte of a TLS handshake (RFC 8446 §5.1). */
const tlsHandshake = 0x16;

function explain({ code, reason, rawPacket }: ClientError): string | undefined {
  if (code === 'HPE_INVALID_METHOD' && rawPacket?.[0] === tlsHandshake) {
    return 'it begins as TLS does; the mock is at http://, not https://';
  }
  if (code === 'HPE_PAUSED_H2_UPGRADE') return 'it is HTTP/2; the mock speaks HTTP/1.1';
  if (code === 'HPE_INVALID_EOF_STATE') return 'it ends before the request does';
  return reason === undefined ? undefined : `"${reason}"`;
}

/** A head parsed from bytes (RFC 9112 §3), of a request whose method Node's parser does not know. */
interface WrittenHead {
  readonly head: RequestHead;
  /** Whether it is of HTTP/1.0. */
  readonly isOld: boolean;
}

const requestLine = /^([!#$%&'*+.^_`|~\w-]+) ([!-~\u0080-\u00FF]+) HTTP\/1\.([01])$/u;
/** An incomplete request line. */
const begunLine = /^[!#$%&'*+.^_`|~\w-]+(?: [!-~\u0080-\u00FF]*(?: [HTP/1.]{0,8})?)?\r?$/u;
const fieldLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/u;

/** Parses a head; `begun` if it is incomplete, undefined if it cannot become a head. */
function readHead(text: string): WrittenHead | 'begun' | undefined {
  const end = /\r?\n\r?\n/u.exec(text)?.index;
  const lines = text.slice(0, end).split(/\r?\n/u);
  const [first = ''] = lines;
  if (end === undefined && lines.length === 1) return begunLine.test(first) ? 'begun' : undefined;
  const [, method, target, minorVersion] = requestLine.exec(first) ?? [];
  if (method === undefined || target === undefined) return undefined;
  if (end === undefined) return 'begun';
  const fields = lines.slice(1).map((line) => fieldLine.exec(line));
  if (fields.includes(null)) return undefined;
  const flat = fields.flatMap((field) => [field?.[1] ?? '', field?.[2] ?? '']);
  return { head: createHead({ method, target }, flat), isOld: minorVersion === '0' };
}

/** The bytes since the parser stopped at an unknown method. It consumes no more, and reports each further chunk. */
const begun = new WeakMap<Socket, string>();

/** Returns the text received so far of the request at whose method the parser stopped. */
function gather(socket: Socket, { rawPacket, bytesParsed = 0 }: ClientError): string {
  const piece = Buffer.from(rawPacket ?? []).toString('latin1');
  const known = begun.get(socket);
  // It consumes the common beginning of methods, POST of POSTER, before it stops.
  const taken = /[!#$%&'*+.^_`|~\w-]*$/u.exec(piece.slice(0, bytesParsed))?.[0].length ?? 0;
  const text = known === undefined ? piece.slice(bytesParsed - taken) : known + piece;
  begun.set(socket, text);
  return text;
}

/** The connection of an invalid request, and the responder for it. */
export interface ClientErrorPlace {
  readonly socket: Socket;
  readonly responder: Responder;
  readonly lingerMs: number;
  /** The way requests on the connection reach the mock, for the control interface. */
  readonly reach: Reach;
}

/**
 * Answers a request by its head alone and closes the connection: CONNECT, or a method that Node's parser does not know
 * (RFC 9110 §9.1). A request of such a method with content gets 501.
 */
export function answerHead(
  head: RequestHead,
  { socket, responder, lingerMs, reach }: ClientErrorPlace,
): void {
  function write(answer: MaybePromise<MockResponse>): void {
    if (answer instanceof Promise) {
      answer.then(write).catch(() => socket.destroy());
      return;
    }
    // A truncated response to a tunnel is treated as dropped. A delay is ignored: the client may already send data.
    if ((answer.delivery?.connection ?? 'keep') !== 'keep') {
      socket.destroy();
      return;
    }
    linger(socket, lingerMs);
    writeToSocket(socket, answer);
  }

  const { mounted } = responder;
  if (mounted !== undefined && isMounted(head.target, mounted.prefix)) {
    write(mounted.answer({ head, reach, content: undefined }));
    return;
  }
  const received = responder.receive(head);
  if (received.kind === 'accepted') {
    // Only `additionalOperations` of OpenAPI 3.2 declare such a method. Node's parser reads no content for it.
    const hasContent = (head.header('content-length') ?? '0') !== '0' || head.header('transfer-encoding');
    const detail = `this version of Node.js cannot read the content of a ${head.method} request`;
    write(
      hasContent
        ? responder.refuse({ fault: 'not-mocked', head, detail })
        : responder.respond(received, undefined),
    );
    return;
  }
  write(responder.respondEarly(received, 'not-read'));
}

/** Connections with a pending final response; later requests on them get none. */
const ending = new WeakSet<Socket>();

/**
 * Answers an invalid or incomplete request after the responses to all earlier requests, and closes the connection. A
 * connection without any bytes is closed without a response: browsers open connections that they may never use.
 */
export function answerClientError(error: ClientError, place: ClientErrorPlace): void {
  const { socket, responder, lingerMs } = place;
  if ((hasEarlyAnswer(socket) || ending.has(socket)) && error.code?.startsWith('HPE_') === true) {
    // Bytes after the final response are read, and need not be HTTP.
    return;
  }
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0 || !socket.writable || hasEarlyAnswer(socket)) {
    socket.destroy();
    return;
  }
  let fault = faults[error.code ?? ''] ?? 'not-http';
  let head: RequestHead | undefined;
  if (error.code === 'HPE_INVALID_METHOD') {
    const text = gather(socket, error);
    const read = text.length > maxHeaderSize ? 'too-large' : readHead(text);
    if (read === 'begun') return;
    if (read === 'too-large') {
      fault = 'header-fields-too-large';
    } else if (read !== undefined && !isValidHost(read.head.header('host'), read.isOld)) {
      fault = 'invalid-host';
    } else {
      head = read?.head;
    }
  }
  begun.delete(socket);
  ending.add(socket);
  whenAllAnswered(socket, () => {
    if (!socket.writable) return;
    if (head !== undefined) {
      answerHead(head, place);
      return;
    }
    const answer = responder.refuse({ fault, detail: fault === 'not-http' ? explain(error) : undefined });
    linger(socket, lingerMs);
    writeToSocket(socket, answer);
  });
}
