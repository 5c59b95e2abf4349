import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientConnection } from './client-connection.ts';
import type { Upstream } from './upstream.ts';
import type { WatchedExchange } from './watched-exchange.ts';

/** A request on its way to the service. */
export interface Forwarding {
  readonly upstream: Upstream;
  readonly connection: ClientConnection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: WatchedExchange;
  /** The path prefix of the base URL included. */
  readonly path: string;
  /** Names and values in turn, as they leave. */
  readonly fields: readonly string[];
  /** The connection of the client, where the request asks for it to become a tunnel. */
  readonly tunnel: Socket | undefined;
  /** The field that names the exchange in the answer, its name and its value; empty where none does. */
  readonly mark: readonly string[];
  /** Why an exchange is left that the client no longer waits for. */
  readonly whyLeft: () => string;
}
