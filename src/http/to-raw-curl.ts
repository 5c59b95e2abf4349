import type { HttpRequest } from './http-request.ts';
import { latin1Text } from './latin1-text.ts';
import { pathPrefix } from './path-prefix.ts';
import { printForBash } from './print-for-bash.ts';
import { quoteWord } from './quote-for-bash.ts';
import type { SecretVariable } from './secret-variables.ts';
import type { Framing } from './send.ts';
import { serializeRequest } from './serialize-request.ts';
import { toBashParts } from './to-bash-parts.ts';

/**
 * Writes a request as one line of bash whose curl sends the bytes as they are and prints all that comes: it
 * reads nothing into them, since it is told to speak Telnet. There is none over TLS.
 *
 * @param source.baseUrl - an http: URL
 * @example
 * printf 'OPTIONS /things HTTP/1.1\r\nHost: 127.0.0.1:4010\r\nConnection: close\r\n\r\n' |
 *   curl -sS --max-time 5 telnet://127.0.0.1:4010
 */
export function toRawCurl(source: {
  readonly request: HttpRequest;
  readonly baseUrl: URL;
  readonly variables: readonly SecretVariable[];
  readonly framing: Framing;
}): string {
  const { request, baseUrl, variables, framing } = source;
  const authority = baseUrl.host;
  const pieces = serializeRequest({ request, authority, prefix: pathPrefix(baseUrl), framing });
  const parts = toBashParts(pieces.map((piece) => latin1Text(piece)).join(''), variables);
  const place = baseUrl.port === '' ? `${authority}:80` : authority;
  return `${printForBash(parts)} | curl -sS --max-time 5 ${quoteWord(`telnet://${place}`)}`;
}
