import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';

/** Renders header fields for the head of a message. */
export function renderFields(fields: HeaderList): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** Fields of one connection, whether or not Connection names them (RFC 9110 §7.6.1). */
const always = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);
/** Fields that always stay, even if Connection names them: a message needs its end and its destination. */
const never = new Set(['content-length', 'transfer-encoding', 'host']);

interface PartedFields {
  /** Alternating names and values, in the order and spelling in which they came. */
  readonly kept: readonly string[];
  /** The options in Connection, in lower case: `close`, `upgrade`. */
  readonly options: ReadonlySet<string>;
  /** The fields that are not forwarded, by their name in lower case. */
  readonly removed: ReadonlyMap<string, string>;
}

/**
 * Separates `rawHeaders` of Node into fields to forward and fields of one connection (RFC 9110 §7.6.1). Trailer
 * (§6.6.2) is forwarded only with a message in chunks: no other has trailers, and Node rejects it there.
 */
export function partHopFields(
  rawFields: readonly string[],
  { isChunked }: { readonly isChunked: boolean },
): PartedFields {
  const fields = toHeaderList(rawFields);
  const listed = headerValue(fields, 'connection')?.split(',') ?? [];
  const options = new Set(listed.map((option) => option.trim().toLowerCase()));
  const kept: string[] = [];
  const removed = new Map<string, string>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const isIdle = key === 'trailer' && !isChunked;
    if (always.has(key) || isIdle || (options.has(key) && !never.has(key))) {
      const before = removed.get(key);
      removed.set(key, before === undefined ? value : `${before}, ${value}`);
    } else {
      kept.push(name, value);
    }
  }
  return { kept, options, removed };
}

/**
 * Returns the fields of a request to the service: Host is that of the base URL (RFC 9110 §7.2), and Connection
 * describes the connection of the proxy. With Via (§7.6.3) a proxy recognizes a request that returns to it.
 */
export function toUpstreamFields(
  { kept, removed }: PartedFields,
  input: {
    /** The host of the base URL. */
    readonly host: string;
    /** The name by which this proxy recognizes itself. */
    readonly pseudonym: string;
    /** Whether the client uses HTTP/1.0, which needs no Host; the proxy is a client of HTTP/1.1. */
    readonly isOld: boolean;
    /** Whether the client wants to end the connection after this request. */
    readonly isLast: boolean;
    /** Whether an Upgrade is passed on (RFC 9110 §7.8). */
    readonly isUpgrade: boolean;
  },
): readonly string[] {
  const isHost = (index: number): boolean => index % 2 === 0 && kept[index]?.toLowerCase() === 'host';
  const fields = kept.map((text, index) => (isHost(index - 1) ? input.host : text));
  if (input.isOld && !kept.some((_, index) => isHost(index))) {
    fields.unshift('Host', input.host);
  }
  const upgrade = input.isUpgrade ? removed.get('upgrade') : undefined;
  // Trailers are passed on, so the service may know that they are accepted (RFC 9110 §10.1.4).
  const takesTrailers = /\btrailers\b/iu.test(removed.get('te') ?? '');
  const options = [
    ...(upgrade === undefined ? [] : ['Upgrade']),
    ...(takesTrailers ? ['TE'] : []),
    ...(input.isLast && upgrade === undefined ? ['close'] : []),
  ];
  return [
    ...fields,
    'Via',
    `${input.isOld ? '1.0' : '1.1'} ${input.pseudonym}`,
    ...(takesTrailers ? ['TE', 'trailers'] : []),
    ...(upgrade === undefined ? [] : ['Upgrade', upgrade]),
    ...(options.length === 0 ? [] : ['Connection', options.join(', ')]),
  ];
}

/** Returns whether a request has passed a proxy before, according to its Via (RFC 9110 §7.6.3). */
export function hasPassed(rawFields: readonly string[], pseudonym: string): boolean {
  return toHeaderList(rawFields).some(
    ([name, value]) =>
      name.toLowerCase() === 'via' &&
      value.split(',').some((entry) => entry.trim().split(/[ \t]+/u)[1] === pseudonym),
  );
}

/**
 * Responds instead of the service, with a reason for people (RFC 9110 §15.6.3) and the fields of a mark. If part of a
 * response has passed already, the connection is closed: the client must not mistake the part for the whole.
 */
export function refuse(
  response: ServerResponse,
  {
    reason,
    mark,
    status = 502,
  }: { readonly reason: string; readonly mark: readonly string[]; readonly status?: 502 | 508 },
): void {
  if (response.headersSent) {
    response.socket?.destroy();
    return;
  }
  const text = `cloche proxy has no answer to pass on: ${reason}.\n`;
  const length = String(Buffer.byteLength(text));
  // This connection is tied to no connection to the service.
  response.shouldKeepAlive = false;
  response.writeHead(status, STATUS_CODES[status], [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    length,
    'Connection',
    'close',
    ...mark,
  ]);
  response.end(text);
}

interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Alternating names and values. */
  readonly fields: readonly string[];
}

/**
 * Checks the parts of a status line that Node's parser accepts from a service, but that no server may send.
 *
 * @throws Error for a status that has no three digits or begins with 0 (RFC 9110 §15), and for a control character in
 *   the reason phrase (RFC 9112 §4)
 */
export function checkStatusLine({ status, reason }: Omit<ResponseHead, 'fields'>): void {
  if (status < 100 || status > 999) throw new Error(`its status is ${String(status).padStart(3, '0')}`);
  if (/[^\t\u0020-\u007E\u0080-\u00FF]/u.test(reason)) {
    throw new Error('its reason phrase has a control character');
  }
}

/**
 * Writes the head of a response without Node's writer, which accepts only three interim responses (RFC 9110 §15.2), and
 * no unchanged switch of protocols (§15.2.2).
 *
 * @throws Error for a status line that {@link checkStatusLine} rejects
 */
export function writeHead(socket: Writable, head: ResponseHead): void {
  checkStatusLine(head);
  const fields = renderFields(toHeaderList(head.fields));
  socket.write(`HTTP/1.1 ${head.status} ${head.reason}\r\n${fields}\r\n`, 'latin1');
}
