import { toHeaderList } from '../../http/message.ts';
import { type Reach, type RequestHead, shorten } from '../message.ts';
import { type ControlResult, refuse } from './operation.ts';

/**
 * Creates the access check of the control interface, which returns a refusal or undefined. Programs on this machine
 * have access, and clients with the control token. Pages of other origins have none, even if their host name resolves
 * to this machine (DNS rebinding).
 */
export function createGuard(
  token: string | undefined,
): (head: RequestHead, reach: Reach) => ControlResult | undefined {
  return (head, reach) => {
    const sent = readTokens(head);
    if (token !== undefined && sent.some((each) => equalSecrets(each, token))) return undefined;
    if (reach === 'network') return askForToken('The mock listens for other machines', token);
    if (reach === 'loopback' && isForwarded(head)) {
      return askForToken('A proxy handed the request on from another machine', token);
    }
    if (head.header('cloche-control-token') !== undefined && token !== undefined) {
      return refuse(401, 'The Cloche-Control-Token of the request is not that of this mock.');
    }
    return reach === 'in-process' ? undefined : refuseStranger(head);
  };
}

const encoder = new TextEncoder();

/** Compares a text with a secret, in a time that does not reveal how much of it is right. */
function equalSecrets(text: string, secret: string): boolean {
  const sent = encoder.encode(text);
  const wanted = encoder.encode(secret);
  let difference = sent.length ^ wanted.length;
  for (const [index, byte] of wanted.entries()) difference |= byte ^ (sent[index] ?? 0);
  return difference === 0;
}

/**
 * A Host, or the authority of a URL, that names the machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
 * A page whose host name was rebound to this machine still sends its own host name.
 */
const loopbackHost = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/iu;

/** A loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), with or without a port. */
const loopbackAddress = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}(?::\d+)?|::1|\[::1\](?::\d+)?)$/iu;

/** A parameter of Forwarded with the client or the host of a request (RFC 7239 §5.2, §5.3). */
const forwarded = /(?:^|[;,\s])(for|host)=(?:"([^"]*)"|([^;,\s]*))/giu;

/**
 * Names of fields in which proxies, tunnels and content delivery networks give the address of the client: `x-real-ip`,
 * `fly-client-ip`, `cf-connecting-ipv6`, `x-azure-clientip`, `x-envoy-external-address`, `x-vercel-forwarded-for`.
 */
const clientField =
  /(?:^|-)(?:(?:client|connecting|connection|external|originating|peer|pseudo|real|remote|socket|source|user|viewer)-?(?:ip(?:v[46])?|addr(?:ess)?)|(?:forwarded|proxied)-for)$/iu;

/** Names of fields in which they give the host that the client requested. */
const hostField = /(?:^|-)(?:forwarded|original)-host$/iu;

function itemsOf(head: RequestHead, name: RegExp): readonly string[] {
  return toHeaderList(head.fields()).flatMap(([field, value]) =>
    name.test(field) ? value.split(',').map((each) => each.trim()) : [],
  );
}

/** Returns true if a proxy forwards the request from another machine. A tunnel sends all requests from this one. */
export function isForwarded(head: RequestHead): boolean {
  const pairs = [...(head.header('forwarded') ?? '').matchAll(forwarded)].map(
    ([, name = '', quoted, plain = '']) => ({ name: name.toLowerCase(), value: quoted ?? plain }),
  );
  const valuesOf = (wanted: string): readonly string[] =>
    pairs.filter(({ name }) => name === wanted).map(({ value }) => value);
  const clients = [...itemsOf(head, clientField), ...valuesOf('for')];
  const hosts = [...itemsOf(head, hostField), ...valuesOf('host')];
  return (
    clients.some((client) => !loopbackAddress.test(client)) || hosts.some((host) => !loopbackHost.test(host))
  );
}

/** Returns the host that a request names: in its target, if it is a whole URL, or in Host (RFC 9112 §3.2). */
function hostOf(head: RequestHead): string | undefined {
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(head.target) ?? [];
  return authority ?? head.header('host');
}

/** Returns true if Origin is the host of the request: a page of the mock itself. `null` never is (RFC 6454 §7.3). */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//u.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: page } = new URL(origin);
  // A URL omits the default port of its scheme, but Host may name it.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === page;
}

/** The values of Sec-Fetch-Site that a request from a page of the mock may have (Fetch Metadata §2.1). */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Returns the control tokens in the two fields that can carry one. */
function readTokens(head: RequestHead): readonly string[] {
  const [, bearer] = /^bearer +([^ ]+) *$/iu.exec(head.header('authorization') ?? '') ?? [];
  const field = head.header('cloche-control-token');
  return [bearer, field].filter((token) => token !== undefined);
}

function askForToken(why: string, token: string | undefined): ControlResult {
  const how = '"Authorization: Bearer …" or "Cloche-Control-Token: …"';
  return refuse(
    401,
    token === undefined
      ? `${why}, and the mock has no control token: start it with --control-token or $CLOCHE_CONTROL_TOKEN, and send that as ${how}.`
      : `${why}: send the control token of the mock as ${how}.`,
  );
}

/** Refuses requests from pages of other origins, and from pages whose host name was rebound to this machine. */
function refuseStranger(head: RequestHead): ControlResult | undefined {
  const host = hostOf(head);
  if (host === undefined || !loopbackHost.test(host)) {
    const named = host === undefined ? 'no host' : `the host ${JSON.stringify(shorten(host))}`;
    return refuse(
      403,
      `The control interface answers this machine alone, and the request names ${named}: use 127.0.0.1 or localhost, or send the control token.`,
    );
  }
  const origin = head.header('origin');
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    return refusePage(`the request comes from ${JSON.stringify(shorten(origin))}`);
  }
  const site = head.header('sec-fetch-site');
  return site === undefined || ownSites.has(site)
    ? undefined
    : refusePage(`the browser calls the request ${JSON.stringify(shorten(site))}`);
}

function refusePage(why: string): ControlResult {
  return refuse(
    403,
    `The control interface is not for pages of other origins, and ${why}: use it from outside the page, or from the inspector.`,
  );
}
