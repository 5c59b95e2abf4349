// Fixtures of Playwright Test. They have the shapes that `test.extend` takes, so that Playwright need not be installed.
import {
  createInterceptor,
  type HandledMock,
  type HandlerOptions,
  type Interceptor,
} from './mock/intercept.ts';
import type { Mock } from './mock/mock.ts';

export type { HandledMock, HandlerOptions } from './mock/intercept.ts';

/** The part of a mock that the fixtures need. */
export type PageMock = HandledMock & Pick<Mock, 'reset' | 'close'>;

/** The part of a request of Playwright that the mock needs. */
export interface PageRequest {
  url(): string;
  method(): string;
  allHeaders(): Promise<Record<string, string>>;
  postDataBuffer(): Buffer | null;
  isNavigationRequest(): boolean;
}

/** The part of a route of Playwright that the mock needs. */
export interface PageRoute {
  request(): PageRequest;
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(errorCode: 'connectionreset'): Promise<void>;
  fallback(): Promise<void>;
}

/** The part of a browser context of Playwright that the mock needs. */
export interface PageContext {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
  unrouteAll(options: { behavior: 'ignoreErrors' }): Promise<void>;
}

type Use<Value> = (value: Value) => Promise<void>;

/** Fixtures for `test.extend`. */
export interface MockFixtures<Made extends PageMock> {
  /** The mock of a worker: tests of several workers share no state. */
  readonly workerMock: [(args: object, use: Use<Made>) => Promise<void>, { scope: 'worker' }];
  /** The mock, which answers the requests of the pages of a test. It is reset after the test. */
  readonly mock: [
    (args: { workerMock: Made; context: PageContext }, use: Use<Made>) => Promise<void>,
    { auto: true },
  ];
}

/** Answers a request of a page. A page that is opened from the service is no request to it. */
async function answerRoute(route: PageRoute, { answer }: Interceptor): Promise<void> {
  const request = route.request();
  if (request.isNavigationRequest()) return route.fallback();
  const sent = request.postDataBuffer();
  try {
    const response = await answer({
      url: request.url(),
      method: request.method(),
      headers: await request.allHeaders(),
      body: sent === null ? undefined : new Uint8Array(sent),
    });
    const body = Buffer.from(await response.arrayBuffer());
    const cookies = response.headers.getSetCookie();
    // Playwright sends each line of a value as a field.
    const headers = {
      ...Object.fromEntries(response.headers),
      ...(cookies[0] && { 'set-cookie': cookies.join('\n') }),
    };
    await route.fulfill({ status: response.status, headers, body });
  } catch (error) {
    // A fault ended the connection.
    if (!(error instanceof TypeError)) throw error;
    await route.abort('connectionreset');
  }
}

/**
 * Creates fixtures of Playwright Test: `mock` answers the requests of pages to the paths of its contract, in process
 * and without a port. Each worker has one mock, which is reset after each test.
 *
 * @param create - creates the mock of a worker
 * @throws ClocheError OPTION_INVALID for an invalid base URL, when a test starts
 *
 * @example
 * import { test as base } from '@playwright/test';
 *
 * const test = base.extend<{ mock: Mock }, { workerMock: Mock }>(
 *   mockFixtures(() => createMock('orders.yaml'), { baseUrl: 'https://api.example.com' }),
 * );
 * test('says that the shop is busy', async ({ page, mock }) => {
 *   mock.faults.put({ answer: { status: 503 } });
 *   await page.goto('/');
 * });
 */
export function mockFixtures<Made extends PageMock>(
  create: () => Promise<Made>,
  options: HandlerOptions = {},
): MockFixtures<Made> {
  return {
    workerMock: [
      // Playwright reads the names of the needed fixtures from the pattern.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const mock = await create();
        await use(mock);
        await mock.close();
      },
      { scope: 'worker' },
    ],
    mock: [
      async ({ workerMock, context }, use) => {
        const interceptor = createInterceptor(workerMock, options);
        await context.route(interceptor.handles, (route) => answerRoute(route, interceptor));
        await use(workerMock);
        await context.unrouteAll({ behavior: 'ignoreErrors' });
        await workerMock.reset();
      },
      { auto: true },
    ],
  };
}
