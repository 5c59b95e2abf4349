import type { Agent, ClientRequest, ServerResponse } from 'node:http';
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
  readonly #ready: 'connect' | 'secureConnect';
  readonly #ways = new WeakMap<Socket, { isReady: boolean; requests: number }>();
  #underWay = 0;
  #latest: ServerResponse | undefined;
  #isServiceGone = false;

  constructor(socket: Socket, upstream: Upstream) {
    this.#socket = socket;
    this.agent = createUpstreamAgent(upstream);
    this.#ready = upstream.baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once('close', () => this.agent.destroy());
  }

  /** Whether the answer to a request of this connection has not passed yet. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Whether what comes is content of the latest request, and not the beginning of another. */
  get isInContent(): boolean {
    return this.#latest?.req.complete === false;
  }

  /**
   * Whether another answer may be written: none has begun, and none is waited for but that to the request of which the
   * content is still coming.
   */
  get isSilent(): boolean {
    const isUnread = this.isInContent && this.#latest?.headersSent === false;
    return this.#underWay === 0 || (this.#underWay === 1 && isUnread);
  }

  /** Notes that a request of this connection is forwarded, and where its answer will be written. */
  begin(request: ClientRequest, response: ServerResponse): void {
    this.#underWay += 1;
    this.#latest = response;
    request.once('socket', (socket) => {
      const known = this.#ways.get(socket);
      if (known !== undefined) {
        known.requests += 1;
        return;
      }
      const way = { isReady: false, requests: 1 };
      this.#ways.set(socket, way);
      this.#isServiceGone = false;
      socket.once(this.#ready, () => {
        way.isReady = true;
      });
      socket.once('close', this.#onServiceClose);
    });
  }

  /** Whether a request came to a connection that stood, and to one that had carried others before it. */
  wayOf({ socket }: ClientRequest): { readonly wasConnected: boolean; readonly isReused: boolean } {
    const way = socket === null ? undefined : this.#ways.get(socket);
    return { wasConnected: way?.isReady ?? false, isReused: (way?.requests ?? 0) > 1 };
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
