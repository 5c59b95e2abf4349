import { splitCredentialHeaders } from '../arbitrary/given-credentials.ts';
import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { ConnectTarget } from '../http/connect.ts';
import type { FetchHandler } from '../http/fetch-send.ts';
import { addDefaultHeaders, type HeaderList } from '../http/message.ts';
import { holdPolicy, type Policy, type RunAnswers } from '../policy/policy.ts';
import type { CredentialsProvider, OtherUsers } from './credentials.ts';
import { NoItem } from './items.ts';
import type { Target } from './target.ts';

/** Options of a service at a base URL. */
export interface UrlTargetOptions {
  /** The contract that is enforced. */
  readonly contract: Contract;
  /** Includes a path prefix. */
  readonly baseUrl: string;
  /** A token that the service accepts. @defaultValue none, which is enough without security */
  readonly token?: string | undefined;
  /** The source of credentials. @defaultValue the token, for all schemes */
  readonly credentials?: CredentialsProvider | undefined;
  /** Further users, for checks of what they get for the items of the first. @defaultValue none */
  readonly users?: OtherUsers | undefined;
  /** Sent with every request. @defaultValue none */
  readonly headers?: HeaderList;
  /** The maximum number of open connections: with one, concurrent requests would wait. @defaultValue 10 */
  readonly connections?: number | undefined;
  /** The maximum time for a response, in milliseconds. @defaultValue 5000 */
  readonly timeoutMs?: number | undefined;
  /** The maximum bytes of content. Of a longer response only status and fields are checked. @defaultValue 16 MiB */
  readonly responseLimit?: number | undefined;
  /** Whether any certificate is accepted. @defaultValue false */
  readonly insecure?: boolean;
  /** The certificate authority to trust, PEM. */
  readonly ca?: string | undefined;
  /** The certificate that requests present to the service, PEM; it needs `clientKey`. @defaultValue none */
  readonly clientCert?: string | undefined;
  /** The private key of `clientCert`, PEM. */
  readonly clientKey?: string | undefined;
  /** The outgoing proxy, an http: or https: URL, with its credentials. @defaultValue none */
  readonly proxy?: URL | undefined;
  /** Opens connections to a service inside the process. @defaultValue connections over the network */
  readonly connect?: ConnectTarget['connect'];
  /** Answers the requests inside the process, without a connection. @defaultValue none */
  readonly fetch?: FetchHandler | undefined;
  /** The values that a run uses from the policy file next to the document. @defaultValue none */
  readonly answers?: RunAnswers;
  /** The enforced policy values: a different behaviour is a violation. @defaultValue none */
  readonly given?: Partial<Policy>;
}

/** Usual headers of clients. Some services reject requests without a User-Agent. */
const usualHeaders: HeaderList = [
  ['Accept', '*/*'],
  ['User-Agent', 'cloche'],
];
/** The minimum length of a header value that may be a secret. A shorter one occurs in too many places. */
const shortestSecret = 8;

/** Parses a base URL. @throws ClocheError OPTION_INVALID if it is not http or https, or has a query or a fragment */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the base URL',
      subject: text,
      reason: 'it is no http or https URL',
      remedy: 'Write it as http://127.0.0.1:8080, with the path prefix if there is one',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the base URL',
      subject: text.replace(/[?#].*$/su, (rest) => `${rest.charAt(0)}…`),
      reason: 'it has a query or a fragment, which no request would carry',
      remedy: 'End it with the path prefix, and pass what every request needs with --token or --header',
    });
  }
  return url;
}

/**
 * Opens a service at a base URL as the target of a run.
 *
 * @throws ClocheError OPTION_INVALID if it is not an http or https URL, or has a query or a fragment, and for
 * certificates that cannot be used
 *
 * @example
 * const target = await openUrlTarget({ contract, baseUrl: 'http://127.0.0.1:8080', token: 'secret' });
 */
export async function openUrlTarget(options: UrlTargetOptions): Promise<Target> {
  const {
    contract,
    token,
    headers: own = [],
    connections = 10,
    timeoutMs = 5_000,
    insecure = false,
  } = options;
  const { responseLimit, ca, clientCert, clientKey, proxy, connect, fetch } = options;
  const { answers = {}, given = {} } = options;
  const { credentials, others } = splitCredentialHeaders(own, contract);
  const headers = addDefaultHeaders(others, usualHeaders);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const trust = { insecure, ...(ca === undefined ? {} : { ca }), clientCert, clientKey };
  const limit = responseLimit === undefined ? {} : { responseLimit };
  const place = { baseUrl, timeoutMs, headers, proxy, ...trust, ...limit, connect };
  const sends = await (fetch === undefined ? openSends(place, connections) : openFetchSend(fetch, place));
  const longValues = own.map(([, value]) => value).filter((value) => value.length >= shortestSecret);
  return {
    contract,
    name: baseUrl.href,
    ...sends,
    isMock: false,
    proxy,
    baseUrl: baseUrl.href,
    ...holdPolicy({ beside: answers, given }),
    token,
    credentials: options.credentials,
    users: options.users,
    headers,
    givenHeaders: own,
    credentialHeaders: credentials,
    secrets: [...(token === undefined ? [] : [token]), ...longValues],
  };
}

type Sends = Pick<Target, 'send' | 'socketSend' | 'whyNoSocket' | 'close'>;

async function openSends(place: ConnectTarget, connections: number): Promise<Sends> {
  // Loaded on demand, to keep runs on the in-process mock fast.
  const { createUrlSend } = await import('../http/client.ts');
  const { whyNoTunnel } = await import('../http/outgoing-proxy.ts');
  const { createSocketSend } = await import('../http/raw-client.ts');
  const { baseUrl, proxy, timeoutMs } = place;
  const connection = createUrlSend({ ...place, connections });
  const isTunnelled = proxy !== undefined && baseUrl.protocol === 'http:';
  return {
    send: connection.send,
    socketSend: createSocketSend(place),
    whyNoSocket: isTunnelled ? await whyNoTunnel(proxy, baseUrl, timeoutMs) : undefined,
    close: () => connection.close(),
  };
}

async function openFetchSend(fetch: FetchHandler, place: ConnectTarget): Promise<Sends> {
  const { createFetchSend } = await import('../http/fetch-send.ts');
  // A case with such a request is left out, like one whose items cannot be created.
  const send = createFetchSend(fetch, { ...place, unsendable: (reason) => new NoItem(reason) });
  return { send, socketSend: undefined, close: () => Promise.resolve() };
}
