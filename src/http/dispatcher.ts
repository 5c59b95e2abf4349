import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, type Dispatcher, getGlobalDispatcher } from 'undici';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkOptionNames } from '../errors/suggest.ts';

/** What `fetch` hands its requests to: a dispatcher of undici. */
export type HttpDispatcher = Dispatcher;

/** Which requests a dispatcher keeps from the network. */
export interface DispatcherOptions {
  /** Answered here: `https://api.example.com`. @defaultValue all, so that no request leaves the process */
  readonly origins?: readonly (string | URL)[];
  /** What other requests go to. @defaultValue the dispatcher that is the global one when this is made */
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
 * A dispatcher of undici whose connections stay in the process, so that whatever `fetch` does (bodies of
 * every kind, aborting, answers that break off) it does as over a network. It accepts the handlers of undici
 * 7 and those of the undici in Node 20. `connect` is given `http:` or `https:`, and gives the client's end of a
 * connection to the server, over which plain HTTP/1.1 is spoken for both.
 *
 * @throws ClocheError OPTION_INVALID for an origin that is none
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
    // A connection for each request costs nothing here. Before it uses one again, undici waits for a timer; where a test
    // has stopped the timers, they would pile up.
    pipelining: 0,
    connect({ protocol }, connected) {
      // `as`: undici uses of a socket what a Duplex has, and looks whether there is more.
      const connection = connect(protocol) as Socket;
      // No socket is connected at once, and undici would wait for ever for what is queued until then.
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
