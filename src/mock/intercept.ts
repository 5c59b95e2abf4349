import type { Contract } from '../contract/contract.ts';
import { createPathFinder } from '../contract/router.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Mock } from './mock.ts';

/** The part of a mock that answers intercepted requests: a mock of Node.js or of a browser. */
export type HandledMock = Pick<Mock, 'contract' | 'fetch'>;

/** Options that select the requests to handle. */
export interface HandlerOptions {
  /**
   * The base URL that the app uses for the service: `https://api.example.com/v1`. A path alone, `/api`, matches any
   * host. The default matches any host, with the paths of the document and its servers.
   */
  readonly baseUrl?: string | URL;
}

/** A parsed base URL: the origin, if it matters, and the prefix of the paths. */
interface Base {
  readonly origin: string | undefined;
  readonly prefix: string;
}

function toBase(baseUrl: string | URL | undefined): Base {
  const text = String(baseUrl ?? '/');
  const isPath = text.startsWith('/');
  const parsed = URL.parse(text, isPath ? 'http://mock.invalid' : undefined);
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'handle requests to',
      subject: text,
      reason: 'it is no http or https URL',
      remedy: 'Write it as "https://api.example.com/v1", or as a path: "/api"',
    });
  }
  return { origin: isPath ? undefined : parsed.origin, prefix: parsed.pathname.replace(/\/+$/u, '') };
}

/** Returns the path and query below a base URL; undefined if the request is not for the service. */
function toTarget(url: URL, { origin, prefix }: Base): string | undefined {
  const isBelow = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  return isBelow && (origin === undefined || origin === url.origin)
    ? url.pathname.slice(prefix.length) + url.search
    : undefined;
}

/** Rewrites a reference from a path of the mock to the client's path below the base URL. */
function rebase(reference: string, origin: string, prefix: string): string {
  const path = reference.startsWith(`${origin}/`) ? reference.slice(origin.length) : reference;
  const isOwn = path.startsWith('/') && !path.startsWith('//');
  return isOwn ? reference.slice(0, -path.length) + prefix + path : reference;
}

/** Rewrites the references and links (RFC 8288 §3) in response fields to the base URL, like a reverse proxy. */
function rebaseFields({ headers }: Response, origin: string, prefix: string): void {
  for (const name of ['location', 'content-location', 'link']) {
    const value = headers.get(name);
    if (value === null) continue;
    const rebased =
      name === 'link'
        ? value.replaceAll(/<([^<>]*)>/gu, (_, reference: string) => `<${rebase(reference, origin, prefix)}>`)
        : rebase(value, origin, prefix);
    headers.set(name, rebased);
  }
}

/** A request that was intercepted before it reached the network. */
interface InterceptedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: ArrayBuffer | Uint8Array<ArrayBuffer> | undefined;
  readonly signal?: AbortSignal;
}

/** Answers intercepted requests with a mock. */
export interface Interceptor {
  /** Returns true for every request to a path of the contract. */
  readonly handles: (url: URL) => boolean;
  /**
   * Passes a request to the mock unchanged, except for its URL.
   *
   * @throws TypeError if a fault ends the connection
   */
  readonly answer: (request: InterceptedRequest) => Promise<Response>;
}

/**
 * Creates an interceptor for the requests below a base URL.
 *
 * @throws ClocheError OPTION_INVALID for an invalid base URL
 */
export function createInterceptor(mock: HandledMock, { baseUrl }: HandlerOptions): Interceptor {
  const base = toBase(baseUrl);
  let contract: Contract | undefined;
  let find: ReturnType<typeof createPathFinder> | undefined;
  return {
    handles(url) {
      if (find === undefined || contract !== mock.contract) {
        // A running mock may switch to another contract.
        ({ contract } = mock);
        find = createPathFinder(mock.contract);
      }
      const path = toTarget(url, base)?.split('?', 1)[0];
      return path !== undefined && find(path).route !== undefined;
    },
    async answer({ url, method, headers, body, signal }) {
      const asked = new URL(url);
      const whole = new URL(asked.origin + (toTarget(asked, base) ?? ''));
      const answer = await mock.fetch(whole, {
        method,
        headers,
        ...(signal && { signal }),
        ...(body && { body }),
      });
      if (base.prefix !== '') rebaseFields(answer, asked.origin, base.prefix);
      return answer;
    },
  };
}
