import { request as requestHttp } from 'node:http';
import { request as requestTls } from 'node:https';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { ClocheError } from '../errors/cloche-error.ts';
import { describeConnectionFailure, ProxyFailure } from './failures.ts';
import type { HeaderList, SendTarget } from './message.ts';

/** Returns the host of a URL without the brackets of an IPv6 address (RFC 3986 §3.2.2). */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}

/** The URL of a proxy, and the option or variable that it comes from. */
class ProxyUrl extends URL {
  readonly source: string;

  constructor(url: string, source: string) {
    super(url);
    this.source = source;
  }
}

/** Names a proxy, and the option or variable that it comes from. */
function nameProxy(proxy: URL): string {
  return `the proxy ${proxy.host}${proxy instanceof ProxyUrl ? ` of ${proxy.source}` : ''}`;
}

/** Returns the remedy for a proxy that cannot be used. */
function proxyRemedy(proxy: URL): string {
  const source = proxy instanceof ProxyUrl ? proxy.source : 'the proxy';
  return /_proxy$/iu.test(source)
    ? `Correct ${source}, or name the host of the service in NO_PROXY`
    : `Correct ${source}, or leave it out`;
}

/**
 * Parses the URL of a proxy. As for curl, a URL without a scheme is an http: URL.
 *
 * @param source - the origin of the text: `--proxy`, `HTTPS_PROXY`
 * @throws ClocheError OPTION_INVALID for another URL; its message does not show credentials
 */
function parseProxy(text: string, source: string): URL {
  const whole = /^[a-z][a-z\d+.-]*:\/\//iu.test(text) ? text : `http://${text}`;
  const url = URL.parse(whole);
  if (url !== null && /^https?:$/u.test(url.protocol) && url.hostname !== '')
    return new ProxyUrl(url.href, source);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use the proxy of',
    subject: `${source} ${text.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/iu, '$1***@')}`,
    reason: 'it is no http or https URL',
    remedy: 'Write it as http://127.0.0.1:3128, or http://user:password@127.0.0.1:3128',
  });
}

/** Returns whether an entry of NO_PROXY, such as `example.com:8080` or `10.0.0.0/8`, names the host of a URL. */
function isNamedBy(entry: string, baseUrl: URL): boolean {
  const host = bareHost(baseUrl);
  const [, network = '', bits] = /^\[?([\da-f.:]+)\]?\/(\d+)$/iu.exec(entry) ?? [];
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (isIP(network) !== 0) {
    if (isIP(host) !== isIP(network) || Number(bits) > (family === 'ipv6' ? 128 : 32)) return false;
    const list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    return list.check(host, family);
  }
  const [, name = entry, port] = isIPv6(entry) ? [] : (/^(.*?)(?::(\d+))?$/u.exec(entry) ?? []);
  const usualPort = baseUrl.protocol === 'https:' ? '443' : '80';
  if (port !== undefined && port !== (baseUrl.port || usualPort)) return false;
  const bare = name.replace(/^\*?\.|^\[|[\].]$/gu, '').toLowerCase();
  return bare !== '' && (host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`)));
}

/**
 * Returns the proxy for a base URL: the given one, else that of HTTPS_PROXY or HTTP_PROXY unless NO_PROXY names the
 * host. As for curl, lower-case names take precedence, loopback addresses are no exception, and an entry of NO_PROXY
 * is `*`, a host with its subdomains, an address or a CIDR network.
 *
 * @throws ClocheError OPTION_INVALID if it is no http or https URL
 */
export function chooseProxy(
  baseUrl: URL,
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  if (given !== undefined) return parseProxy(given, '--proxy');
  const find = (name: string): string => (env[name.toLowerCase()] === undefined ? name : name.toLowerCase());
  const read = (name: string): string => env[find(name)] ?? '';
  const name = baseUrl.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const excluded = read('NO_PROXY').split(/[\s,]+/u);
  const isExcluded = excluded.some((entry) => entry === '*' || isNamedBy(entry, baseUrl));
  return read(name) === '' || isExcluded ? undefined : parseProxy(read(name), find(name));
}

/** Decodes the percent-encoding of a user or a password, and leaves a bare `%` as it is. */
function decodeUserinfo(text: string): string {
  const bytes = text.replaceAll(/%([\da-f]{2})/giu, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Lists the texts in the URL of a proxy that no report may show. */
export function proxySecrets(proxy: URL | undefined): readonly string[] {
  const { password = '' } = proxy ?? {};
  return password === '' ? [] : [...new Set([password, decodeUserinfo(password)])];
}

/** Returns the field with the credentials for a proxy, if its URL has some (RFC 9110 §11.7.2). */
function proxyFields({ username, password }: URL): HeaderList {
  if (username === '' && password === '') return [];
  const credentials = `${decodeUserinfo(username)}:${decodeUserinfo(password)}`;
  return [['Proxy-Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]];
}

/** The way of the requests to a service. */
interface ProxyRoute {
  /** The URL to connect to: that of the service, or of the proxy that forwards the requests. */
  readonly hop: URL;
  /** The origin to write before the path of each request (RFC 9112 §3.2.2); empty without a proxy. */
  readonly origin: string;
  /** The fields to add to each request. */
  readonly fields: HeaderList;
  /** The hop in words. */
  readonly place: string;
  /** The remedy if the hop is not reached; undefined if it is the service. */
  readonly remedy?: string | undefined;
}

/** Returns the way of requests: a proxy forwards an http: request by its whole URL, and opens a tunnel for https:. */
export function routeThrough({ baseUrl, proxy }: Pick<SendTarget, 'baseUrl' | 'proxy'>): ProxyRoute {
  return proxy === undefined || baseUrl.protocol === 'https:'
    ? { hop: baseUrl, origin: '', fields: [], place: baseUrl.host }
    : {
        hop: proxy,
        origin: baseUrl.origin,
        fields: proxyFields(proxy),
        place: nameProxy(proxy),
        remedy: proxyRemedy(proxy),
      };
}

/** Returns the failure of a proxy that answered instead of the service. */
export function rejectedByProxy(proxy: URL, status: number, attempt: string): ProxyFailure {
  const reason = `${nameProxy(proxy)} answered ${attempt} with ${status}`;
  const advice = status === 407 ? ': write its credentials into its URL, http://user:password@…' : '';
  return new ProxyFailure(reason + advice, proxyRemedy(proxy));
}

/**
 * Asks a proxy for a tunnel to the host of a base URL (RFC 9110 §9.3.6), and returns its connection.
 *
 * @throws ProxyFailure if the proxy is unreachable or rejects it, or after the signal
 */
export function openTunnel(
  proxy: URL,
  baseUrl: URL,
  { timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Socket> {
  const port = baseUrl.port || (baseUrl.protocol === 'https:' ? '443' : '80');
  const path = `${baseUrl.hostname}:${port}`;
  const open = proxy.protocol === 'https:' ? requestTls : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open({
      method: 'CONNECT',
      host: bareHost(proxy),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path,
      agent: false,
      headers: Object.fromEntries([['Host', path], ...proxyFields(proxy)]),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
    request.once('connect', ({ statusCode: status = 0 }, socket: Socket, head) => {
      if (status >= 200 && status < 300) {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        resolve(socket.setNoDelay(true));
      } else {
        socket.destroy();
        reject(rejectedByProxy(proxy, status, `CONNECT ${path}`));
      }
    });
    request.once('timeout', () => {
      request.destroy(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }));
    });
    request.once('error', (error) => {
      const failure = {
        error,
        place: nameProxy(proxy),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      reject(new ProxyFailure(describeConnectionFailure(failure), proxyRemedy(proxy)));
    });
    request.end();
  });
}

/** Returns why a proxy opens no tunnel to the host of a base URL; undefined if it does. */
export async function whyNoTunnel(proxy: URL, baseUrl: URL, timeoutMs: number): Promise<string | undefined> {
  try {
    (await openTunnel(proxy, baseUrl, { timeoutMs })).destroy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
