import type { HttpRequest } from '../../http/http-request.ts';
import type { ParseError } from './read-parse-error.ts';
import { toOriginForm } from './to-origin-form.ts';

/** A request line (RFC 9112 §3). */
const form = /^([!#$%&'*+.^`|~\w-]+) (\S+) HTTP\/\d\.\d\r?$/u;

/**
 * Reads what a request that is no HTTP asks for.
 *
 * @returns empty texts where it stopped being HTTP before it said so, or said so in an earlier piece
 */
export function readRequestLine({
  packet,
  unread,
}: Pick<ParseError, 'packet' | 'unread'>): Pick<HttpRequest, 'method' | 'target'> {
  const read = Buffer.from(packet.subarray(0, packet.length - unread.length)).toString('latin1');
  // What comes before an empty line is of the request before.
  const [line = ''] = (read.split(/\n\r?\n/u).at(-1) ?? '').split('\n', 1);
  const [, method = '', target = ''] = form.exec(line) ?? [];
  return method === '' ? { method, target } : { method, target: toOriginForm(target) };
}
