import type { HttpDispatcher } from './http-dispatcher.ts';

/** Which requests a dispatcher keeps from the network. */
export interface DispatcherOptions {
  /**
   * The origins whose requests are answered here, such as `https://api.example.com`.
   *
   * @defaultValue all, so that no request leaves the process
   */
  readonly origins?: readonly (string | URL)[];
  /**
   * What the requests to other origins go to.
   *
   * @defaultValue the dispatcher that is the global one when this one is made
   */
  readonly otherwise?: HttpDispatcher;
}
