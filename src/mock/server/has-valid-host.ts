import type { IncomingMessage } from 'node:http';

/** What stands in a host and port (RFC 3986 §3.2.2), as far as it takes no parser to tell. */
const hostAndPort = /^[^\s/?#@\\"<>]*$/u;

/**
 * Whether a request names its host as it must: once, with HTTP/1.0 also not at all (RFC 9112 §3.2). Several
 * fields arrive joined with a comma and a space.
 */
export function hasValidHost({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  const { host } = headers;
  return host === undefined ? httpVersionMajor === 1 && httpVersionMinor === 0 : hostAndPort.test(host);
}
