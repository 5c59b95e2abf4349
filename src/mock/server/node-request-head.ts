import type { IncomingMessage } from 'node:http';
import type { RequestHead } from '../steps/request-head.ts';

/** The head of a request as Node has it, looked at in place. */
export class NodeRequestHead implements RequestHead {
  readonly #headers: IncomingMessage['headers'];
  readonly #fields: readonly string[];
  readonly method: string;
  readonly target: string;

  constructor(request: IncomingMessage) {
    this.#headers = request.headers;
    // Not the request: who keeps the fields must not keep the connection.
    this.#fields = request.rawHeaders;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (typeof value === 'string') {
      return value;
    }
    // A parameter may be called `constructor`: what the object inherits is no field.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  fields(): readonly string[] {
    return this.#fields;
  }
}
