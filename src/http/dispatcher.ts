import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, type Dispatcher, getGlobalDispatcher } from 'undici';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkOptionNames } from '../errors/suggest.ts';

/** The dispatcher that `fetch` uses: a dispatcher of undici. */
export type HttpDispatcher = Dispatcher;

/** Options that select the requests a dispatcher handles in the process. */
export interface DispatcherOptions {
  /** Origins to handle: `https://api.example.com`. @defaultValue all; no request leaves the process */
  readonly origins?: readonly (string | URL)[];
  /** Dispatcher for other requests. @defaultValue the global dispatcher at creation */
  readonly otherwise?: HttpDispatcher;
}

function toOrigin(origin: string | URL): string {
  const parsed = URL.parse(String(origin));
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'answer the origin',
      subject: String(origin),
      reason: 'it is no http or https URL',
      remedy: 'Write it as "https://api.example.com"',
    });
  }
  return parsed.origin;
}

function toOrigins(origins: DispatcherOptions['origins']): ReadonlySet<string> | undefined {
  if (origins === undefined) return undefined;
  if (!Array.isArray(origins)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'answer the origins',
      subject: String(origins),
      reason: 'it is no list',
      remedy: 'Write origins: ["https://api.example.com"]',
    });
  }
  return new Set(origins.map(toOrigin));
}

/**
 * Creates a dispatcher of undici whose connections stay in the process. `fetch` behaves as over a network: all kinds of
 * bodies, aborts, and truncated responses. It accepts the handlers of undici 7 and those of the undici in Node 20.
 * `connect` receives `http:` or `https:`, and returns the client's end of a connection to the server. Both use plain
 * HTTP/1.1.
 *
 * @throws ClocheError OPTION_INVALID for an invalid origin
 */
export function createDispatcher(
  connect: (protocol: string) => Duplex,
  options: DispatcherOptions = {},
): HttpDispatcher {
  checkOptionNames(options, {
    names: ['origins', 'otherwise'],
    attempt: 'make a dispatcher with the option',
  });
  const { origins, otherwise } = options;
  const wanted = toOrigins(origins);
  const agent = new Agent({
    // A new connection for each request costs nothing here. Before undici reuses one, it waits for a timer. If a test
    // has stopped the timers, requests would pile up.
    pipelining: 0,
    connect({ protocol }, connected) {
      // `as`: undici uses only what a Duplex has, and checks for everything else.
      const connection = connect(protocol) as Socket;
      // A real socket never connects synchronously. If this one did, undici would never send its queued requests.
      queueMicrotask(() => connected(null, connection));
    },
  });
  if (wanted === undefined) return agent;
  const outside = otherwise ?? getGlobalDispatcher();
  const inside = agent.dispatch.bind(agent);
  return Object.assign(agent, {
    dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      const origin = URL.parse(String(request.origin))?.origin;
      const isInside = origin === undefined || wanted.has(origin);
      return isInside ? inside(request, handler) : outside.dispatch(request, handler);
    },
  });
}
