import type { Mock } from '../mock.ts';
import type { Responder } from '../steps/responder.ts';
import { answerAtOnce } from './answer-at-once.ts';
import { toHttpResponse } from './create-send.ts';
import type { Pauses } from './create-pauses.ts';

/** Makes a relative URL whole; the mock does not look at it. */
const anyOrigin = 'http://mock.invalid';

/** Statuses that a Response must have no body with (Fetch Standard §2.2.3). */
const bodyless = [101, 103, 204, 205, 304];

function otherSideClosed(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}

/** Half of a content, and then the error of a connection that ended, as fetch gives them. */
function cutOff(content: Uint8Array): ReadableStream<Uint8Array> {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) {
        controller.error(new TypeError('terminated', { cause: otherSideClosed() }));
        return;
      }
      isBegun = true;
      controller.enqueue(content.subarray(0, content.length >> 1));
    },
  });
}

/** A `fetch` that is answered by the steps of a mock, without a network. */
export function createFetch(responder: Responder, pauses: Pauses): Mock['fetch'] {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, anyOrigin) : input, init);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const head = {
      method: request.method,
      target: pathname + search,
      header: (name: string) => request.headers.get(name) ?? undefined,
      fields: () => [...request.headers].flat(),
    };
    const content = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const answer = await answerAtOnce(responder, head, content);
    const connection = answer.delivery?.connection ?? 'keep';
    if (await pauses.wait(answer.delivery?.delayMs, request.signal)) {
      throw request.signal.reason;
    }
    const { status, headers, body } = toHttpResponse(answer);
    const isBodyless = bodyless.includes(status) || request.method === 'HEAD';
    if (connection === 'drop' || (connection === 'truncate' && (isBodyless || body.length === 0))) {
      throw new TypeError('fetch failed', { cause: otherSideClosed() });
    }
    const whole = Uint8Array.from(body);
    return new Response(isBodyless ? null : connection === 'truncate' ? cutOff(whole) : whole, {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}
