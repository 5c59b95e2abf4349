import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';

/** Of the header section of a message; Node's own limit is 16 KiB. */
export const mostHeaderBytes: number = 256 * 1024;

/** Header fields as they stand in the head of a message. */
export function renderFields(fields: HeaderList): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** What belongs to one connection, whether or not Connection names it (RFC 9110 §7.6.1). */
const always = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);
/** What says where a message ends and where it goes stays, whoever names it: without it there is no message. */
const never = new Set(['content-length', 'transfer-encoding', 'host']);

interface PartedFields {
  /** Names and values in turn, in the order and spelling in which they came. */
  readonly kept: readonly string[];
  /** What Connection lists, in lower case: `close`, `upgrade`. */
  readonly options: ReadonlySet<string>;
  /** The fields that do not travel on, by their name in lower case. */
  readonly removed: ReadonlyMap<string, string>;
}

/**
 * Parts `rawHeaders` of Node into fields that travel on and those of one connection (RFC 9110 §7.6.1). Trailer
 * (§6.6.2) travels only with a message in chunks: no other has trailers, and Node refuses to announce them.
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
 * The fields of a request as they leave for the service: Host is that of the base URL (RFC 9110 §7.2), and
 * Connection says what is true of our own connection. Via (§7.6.3) tells a proxy that a request comes to it again.
 */
export function toUpstreamFields(
  { kept, removed }: PartedFields,
  input: {
    /** Of the base URL. */
    readonly host: string;
    /** The name by which this proxy knows itself again. */
    readonly pseudonym: string;
    /** Whether the client speaks HTTP/1.0, in which nobody needs a Host; ours is a client of 1.1. */
    readonly isOld: boolean;
    /** Whether the client wants no more of the connection. */
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
  // Trailers are passed on, so a service may be told that they are taken (RFC 9110 §10.1.4).
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

/** Whether a request has passed a proxy before, by its Via (RFC 9110 §7.6.3). */
export function hasPassed(rawFields: readonly string[], pseudonym: string): boolean {
  return toHeaderList(rawFields).some(
    ([name, value]) =>
      name.toLowerCase() === 'via' &&
      value.split(',').some((entry) => entry.trim().split(/[ \t]+/u)[1] === pseudonym),
  );
}

/**
 * Answers in the place of the service, with a reason for people (RFC 9110 §15.6.3) and the fields of a mark. Where a part
 * of an answer has passed already, the connection is closed, so that nobody takes it for the whole.
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
  // There is no connection to the service that this one could be tied to.
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
  /** Names and values in turn. */
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
 * Writes the head of an answer past Node's own writer, which accepts no interim answer (RFC 9110 §15.2) but three
 * and no switch of protocols (§15.2.2) as they come.
 *
 * @throws Error for a status line that {@link checkStatusLine} refuses
 */
export function writeHead(socket: Writable, head: ResponseHead): void {
  checkStatusLine(head);
  const fields = renderFields(toHeaderList(head.fields));
  socket.write(`HTTP/1.1 ${head.status} ${head.reason}\r\n${fields}\r\n`, 'latin1');
}
