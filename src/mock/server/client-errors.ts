import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { isMounted } from '../control/control.ts';
import type { ConnectionFault, MaybePromise, MockResponse, Reach, RequestHead } from '../message.ts';
import type { Responder } from '../responder.ts';
import { hasEarlyAnswer, linger, whenAllAnswered } from './delivery.ts';
import { isValidHost } from './request-listener.ts';

/** Writes an answer where Node has no response to write it with (RFC 9112 §2.1), as the last of its connection. */
function writeToSocket(socket: Socket, { status, headers, body = '' }: MockResponse): void {
  const fields = [...headers, 'Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'];
  const lines = fields.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, 'latin1');
  socket.write(body);
  socket.destroySoon();
}

/** What Node says of a connection whose bytes it cannot take for a request. */
export interface ClientError extends Error {
  readonly code?: string;
  /** In the words of its parser, which repeat nothing of what came. */
  readonly reason?: string;
  /** What came last. */
  readonly rawPacket?: Uint8Array;
  /** How much of that its parser took. */
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

/** A head as it stands in bytes (RFC 9112 §3), of a request whose method Node's parser does not know. */
class WrittenHead implements RequestHead {
  readonly origin = undefined;
  readonly method: string;
  readonly target: string;
  readonly isOld: boolean;
  readonly #fields: readonly string[];

  constructor([method, target, isOld]: readonly [string, string, boolean], fields: readonly string[]) {
    this.method = method;
    this.target = target;
    this.isOld = isOld;
    this.#fields = fields;
  }

  header(name: string): string | undefined {
    const values = this.#fields.filter(
      (_, index, fields) => index % 2 === 1 && fields[index - 1]?.toLowerCase() === name,
    );
    return values.length === 0 ? undefined : values.join(', ');
  }

  fields(): readonly string[] {
    return this.#fields;
  }
}

const requestLine = /^([!#$%&'*+.^_`|~\w-]+) ([!-~\u0080-\u00FF]+) HTTP\/1\.([01])$/u;
/** What may become one. */
const begunLine = /^[!#$%&'*+.^_`|~\w-]+(?: [!-~\u0080-\u00FF]*(?: [HTP/1.]{0,8})?)?\r?$/u;
const fieldLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/u;

/** Reads a head to its end; undefined for what can become none. */
function readHead(text: string): WrittenHead | 'begun' | undefined {
  const end = /\r?\n\r?\n/u.exec(text)?.index;
  const lines = text.slice(0, end).split(/\r?\n/u);
  const [first = ''] = lines;
  if (end === undefined && lines.length === 1) return begunLine.test(first) ? 'begun' : undefined;
  const [, method, target, minorVersion] = requestLine.exec(first) ?? [];
  if (method === undefined || target === undefined) return undefined;
  if (end === undefined) return 'begun';
  const fields = lines.slice(1).map((line) => fieldLine.exec(line));
  return fields.includes(null)
    ? undefined
    : new WrittenHead(
        [method, target, minorVersion === '0'],
        fields.flatMap((field) => [field?.[1] ?? '', field?.[2] ?? '']),
      );
}

/** What came since the parser stopped at a method that it does not know: it takes no more, and tells of each piece. */
const begun = new WeakMap<Socket, string>();

/** The text of the request at whose method the parser stopped, as far as it has come. */
function gather(socket: Socket, { rawPacket, bytesParsed = 0 }: ClientError): string {
  const piece = Buffer.from(rawPacket ?? []).toString('latin1');
  const known = begun.get(socket);
  // It takes what methods have in common, POST of POSTER, before it stops.
  const taken = /[!#$%&'*+.^_`|~\w-]*$/u.exec(piece.slice(0, bytesParsed))?.[0].length ?? 0;
  const text = known === undefined ? piece.slice(bytesParsed - taken) : known + piece;
  begun.set(socket, text);
  return text;
}

/** What answers what Node's parser cannot read. */
export interface ClientErrorPlace {
  readonly socket: Socket;
  readonly responder: Responder;
  readonly lingerMs: number;
  /** How what is on the connection came, for what is mounted. */
  readonly reach: Reach;
}

/** Answers a request by its head alone and closes the connection: CONNECT or an unregistered method (RFC 9110 §9.1). */
export function answerHead(
  head: RequestHead,
  { socket, responder, lingerMs, reach }: ClientErrorPlace,
): void {
  function write(answer: MaybePromise<MockResponse>): void {
    if (answer instanceof Promise) {
      answer.then(write).catch(() => socket.destroy());
      return;
    }
    // Half of an answer to a tunnel is none either, and a delay would keep what a client may send into it.
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
  const admission = responder.admit(head);
  if (admission.kind === 'admitted') {
    // No document can declare it (OpenAPI 3.1 §4.8.9).
    socket.destroy();
    return;
  }
  write(responder.conclude(admission, 'not-read'));
}

/** Connections on which an answer waits for those before it, and nothing that comes behind is answered. */
const ending = new WeakSet<Socket>();

/**
 * Answers what is no request, or comes to no end, behind the answers to all requests before it, and closes the
 * connection. One on which nothing came is closed without a word: browsers open connections that they may never use.
 */
export function answerClientError(error: ClientError, place: ClientErrorPlace): void {
  const { socket, responder, lingerMs } = place;
  if ((hasEarlyAnswer(socket) || ending.has(socket)) && error.code?.startsWith('HPE_') === true) {
    // What comes after an answer that was the last is read, but need not be HTTP.
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
    } else if (read !== undefined && !isValidHost(read.header('host'), read.isOld)) {
      fault = 'invalid-host';
    } else {
      head = read;
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
