import { HttpHandler, HttpResponse } from 'msw';
import {
  createInterceptor,
  type HandledMock,
  type HandlerOptions,
  type Interceptor,
} from './mock/intercept.ts';

export type { HandledMock, HandlerOptions } from './mock/intercept.ts';

async function answerRequest({ answer }: Interceptor, request: Request): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  try {
    return await answer({ url, method, headers, signal, body });
  } catch (error) {
    // For the page, a connection that a fault ends is a network error. MSW turns a thrown error into a status 500.
    if (error instanceof TypeError) return HttpResponse.error();
    throw error;
  }
}

/** Handles every request to a path of the contract, and no other. */
class MockHandler extends HttpHandler {
  readonly #interceptor: Interceptor;

  constructor(interceptor: Interceptor) {
    super(/^/u, '*', ({ request }) => answerRequest(interceptor, request));
    this.#interceptor = interceptor;
  }

  override async parse(given: Parameters<HttpHandler['parse']>[0]): ReturnType<HttpHandler['parse']> {
    const parsed = await super.parse(given);
    return {
      ...parsed,
      match: { matches: this.#interceptor.handles(new URL(given.request.url)), params: {} },
    };
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
  return [new MockHandler(createInterceptor(mock, options))];
}
