import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { createUpstreamAgent } from './create-upstream-agent.ts';
import type { Upstream } from './upstream.ts';

/**
 * A connection of a client, tied to the one to the service that carries its requests: where either ends, the other
 * does. So a client meets the service's own way of keeping connections, and nothing is ever sent twice to hide that
 * the service closed one just as a request left on it (RFC 9112 §9.3.1).
 */
export class ClientConnection {
  readonly agent: Agent;
  readonly #socket: Socket;
  readonly #known = new WeakSet<Socket>();
  #underWay = 0;
  #isServiceGone = false;

  constructor(socket: Socket, upstream: Upstream) {
    this.#socket = socket;
    this.agent = createUpstreamAgent(upstream);
    socket.once('close', () => this.agent.destroy());
  }

  /** Whether the answer to a request of this connection has not passed yet. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Notes that a request of this connection is forwarded. */
  begin(request: ClientRequest): void {
    this.#underWay += 1;
    request.once('socket', (socket) => {
      if (!this.#known.has(socket)) {
        this.#known.add(socket);
        this.#isServiceGone = false;
        socket.once('close', this.#onServiceClose);
      }
    });
  }

  /** Notes that the answer to one has passed, or never will, and that nothing more of the request comes. */
  end(): void {
    this.#underWay -= 1;
    this.#endTogether();
  }

  readonly #onServiceClose = (): void => {
    this.#isServiceGone = true;
    this.#endTogether();
  };

  #endTogether(): void {
    if (this.#isServiceGone && !this.isUnderWay) {
      this.#socket.destroySoon();
    }
  }
}
