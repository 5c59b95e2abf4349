import type { Dispatcher } from 'undici';

/** What `fetch` hands its requests to: a dispatcher of undici. */
export type HttpDispatcher = Dispatcher;
