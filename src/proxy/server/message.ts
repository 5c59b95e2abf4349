import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { ClientConnection, Upstream } from './connection.ts';
import type { WatchedExchange } from './record.ts';

/** A request on its way to the service. */
export interface Forwarding {
  readonly upstream: Upstream;
  readonly connection: ClientConnection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: WatchedExchange;
  /** The path prefix of the base URL included. */
  readonly path: string;
  /** Names and values in turn, as they leave. */
  readonly fields: readonly string[];
  /** The connection of the client, where the request asks for it to become a tunnel. */
  readonly tunnel: Socket | undefined;
  /** The field that names the exchange in the answer, its name and its value; empty where none does. */
  readonly mark: readonly string[];
  /** Why an exchange is left that the client no longer waits for. */
  readonly whyLeft: () => string;
}

/** What belongs to one connection, whether or not Connection names it (RFC 9110 §7.6.1). */
const always: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);
/** What says where a message ends and where it goes stays, whoever names it: without it there is no message. */
const never: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** Header fields parted into those that travel on and those of one connection. */
interface PartedFields {
  /** Names and values in turn, in the order and spelling in which they came. */
  readonly kept: readonly string[];
  /** What Connection lists, in lower case: `close`, `upgrade`. */
  readonly options: ReadonlySet<string>;
  /** The fields that do not travel on, by their name in lower case. */
  readonly removed: ReadonlyMap<string, string>;
}

function* pairs(fields: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < fields.length; index += 2) {
    yield [fields[index] ?? '', fields[index + 1] ?? ''];
  }
}

/**
 * Parts header fields into those that travel on and those of one connection (RFC 9110 §7.6.1).
 *
 * @param fields - names and values in turn, as Node has them in `rawHeaders`
 */
export function partHopFields(fields: readonly string[]): PartedFields {
  const options = new Set<string>();
  for (const [name, value] of pairs(fields)) {
    if (name.length === 10 && name.toLowerCase() === 'connection') {
      value.split(',').forEach((option) => options.add(option.trim().toLowerCase()));
    }
  }
  const kept: string[] = [];
  const removed = new Map<string, string>();
  for (const [name, value] of pairs(fields)) {
    const key = name.toLowerCase();
    if (always.has(key) || (options.has(key) && !never.has(key))) {
      const before = removed.get(key);
      removed.set(key, before === undefined ? value : `${before}, ${value}`);
    } else {
      kept.push(name, value);
    }
  }
  return { kept, options, removed };
}

/**
 * Answers in the place of the service, in a sentence for people (RFC 9110 §15.6.3). Where a part of an answer has
 * passed already, the connection is closed, so that nobody takes it for the whole.
 *
 * @param reason - without a full stop
 */
export function refuse({ response, mark }: Pick<Forwarding, 'response' | 'mark'>, reason: string): void {
  if (response.headersSent) {
    response.socket?.destroy();
    return;
  }
  const text = `cloche proxy has no answer to pass on: ${reason}.\n`;
  // There is no connection to the service that this one could be tied to.
  response.shouldKeepAlive = false;
  response.writeHead(502, [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
    ...mark,
  ]);
  response.end(text);
}

/**
 * The fields of a request as they leave for the service: Host is that of the base URL (RFC 9110 §7.2), and
 * Connection says what is true of our own connection. No Via is added, which an intermediary would have to
 * (§7.6.3): services answer otherwise where they see one, and the proxy is to see what they answer without it.
 *
 * @param input.host - of the base URL
 * @param input.isOld - whether the client speaks HTTP/1.0, in which nobody needs a Host; ours is a client of 1.1
 * @param input.isLast - whether the client wants no more of the connection
 * @param input.isUpgrade - whether an Upgrade is passed on (RFC 9110 §7.8)
 */
export function toUpstreamFields(
  { kept, removed }: PartedFields,
  input: {
    readonly host: string;
    readonly isOld: boolean;
    readonly isLast: boolean;
    readonly isUpgrade: boolean;
  },
): readonly string[] {
  const fields = [...kept];
  let hasHost = false;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    if (fields[index]?.toLowerCase() === 'host') {
      fields[index + 1] = input.host;
      hasHost = true;
    }
  }
  if (!hasHost && input.isOld) {
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
    ...(takesTrailers ? ['TE', 'trailers'] : []),
    ...(upgrade === undefined ? [] : ['Upgrade', upgrade]),
    ...(options.length === 0 ? [] : ['Connection', options.join(', ')]),
  ];
}

/** What stands in the head of an answer. */
interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
}

/**
 * Writes the head of an answer past Node's own writer, which takes no interim answer (RFC 9110 §15.2) but three
 * and no switch of protocols (§15.2.2) as they come.
 */
export function writeHead(socket: Writable, { status, reason, fields }: AnswerHead): void {
  let lines = '';
  for (let index = 0; index + 1 < fields.length; index += 2) {
    lines += `${fields[index] ?? ''}: ${fields[index + 1] ?? ''}\r\n`;
  }
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`, 'latin1');
}
