import type { IncomingMessage } from 'node:http';
import type { RequestHead } from '../steps/request-head.ts';

/** The head of a request as Node has it, looked at in place. */
export class NodeRequestHead implements RequestHead {
  readonly #request: IncomingMessage;
  readonly method: string;
  readonly target: string;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }
}
