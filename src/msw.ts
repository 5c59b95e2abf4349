import { HttpHandler, HttpResponse } from 'msw';
import type { Contract } from './contract/contract.ts';
import { createPathFinder } from './contract/router.ts';
import { ClocheError } from './errors/cloche-error.ts';
import type { Mock } from './mock/mock.ts';

/** The part of a mock that the handlers need: a mock of Node.js or of a browser. */
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

/** Passes a request to the mock unchanged, except for its URL. */
async function ask(mock: HandledMock, base: Base, request: Request): Promise<Response> {
  const { method, headers, signal } = request;
  const asked = new URL(request.url);
  const whole = new URL(asked.origin + (toTarget(asked, base) ?? ''));
  const body = request.body === null ? undefined : await request.arrayBuffer();
  try {
    const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
    const answer = await mock.fetch(whole, init);
    if (base.prefix !== '') rebaseFields(answer, asked.origin, base.prefix);
    return answer;
  } catch (error) {
    // For the page, a connection that a fault ends is a network error. MSW turns a thrown error into a status 500.
    if (error instanceof TypeError) return HttpResponse.error();
    throw error;
  }
}

/** Handles every request to a path of the contract, and no other. */
class MockHandler extends HttpHandler {
  readonly #isHandled: (request: Request) => boolean;

  constructor(mock: HandledMock, base: Base) {
    const target = (request: Request): string | undefined => toTarget(new URL(request.url), base);
    super(/^/u, '*', ({ request }) => ask(mock, base, request));
    let contract: Contract | undefined;
    let find: ReturnType<typeof createPathFinder> | undefined;
    this.#isHandled = (request) => {
      if (find === undefined || contract !== mock.contract) {
        // A running mock may switch to another contract.
        ({ contract } = mock);
        find = createPathFinder(mock.contract);
      }
      const path = target(request)?.split('?', 1)[0];
      return path !== undefined && find(path).route !== undefined;
    };
  }

  override async parse(given: Parameters<HttpHandler['parse']>[0]): ReturnType<HttpHandler['parse']> {
    const parsed = await super.parse(given);
    return { ...parsed, match: { matches: this.#isHandled(given.request), params: {} } };
  }
}

/**
 * Creates handlers for MSW 2 or 3. The mock answers every request to a path of its contract. An option of MSW
 * determines how the other requests are reported: `onUnhandledRequest` in MSW 2, `onUnhandledFrame` in MSW 3.
 *
 * @throws ClocheError OPTION_INVALID for an invalid base URL
 *
 * @example
 * import { createMock } from 'cloche';
 * import { createHandlers } from 'cloche/msw';
 * import { setupServer } from 'msw/node';
 *
 * const mock = await createMock('orders.yaml');
 * const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com' }));
 * server.listen();
 */
export function createHandlers(mock: HandledMock, options: HandlerOptions = {}): readonly HttpHandler[] {
  return [new MockHandler(mock, toBase(options.baseUrl))];
}
