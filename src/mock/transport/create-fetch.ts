import type { Mock } from '../mock.ts';
import type { Responder } from '../steps/responder.ts';
import { answerAtOnce } from './answer-at-once.ts';
import { toHttpResponse } from './create-send.ts';

/** Makes a relative URL whole; the mock does not look at it. */
const anyOrigin = 'http://mock.invalid';

/** Statuses that a Response must have no body with (Fetch Standard §2.2.3). */
const bodyless = [101, 103, 204, 205, 304];

/** A `fetch` that is answered by the steps of a mock, without a network. */
export function createFetch(responder: Responder): Mock['fetch'] {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, anyOrigin) : input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const head = {
      method: request.method,
      target: pathname + search,
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const content = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const { status, headers, body } = toHttpResponse(await answerAtOnce(responder, head, content));
    return new Response(
      bodyless.includes(status) || request.method === 'HEAD' ? null : Uint8Array.from(body),
      {
        status,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
      },
    );
  };
}
