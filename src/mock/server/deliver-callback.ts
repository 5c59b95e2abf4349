import { setTimeout as pause } from 'node:timers/promises';
import { createUrlSend } from '../../http/client.ts';
import type { Answer } from '../../http/message.ts';
import type { DeliverCallback } from '../callbacks/callback.ts';

/** The time within which the receiver must answer, in milliseconds. */
const timeoutMs = 10_000;
/** The pauses before the second and the third request, in milliseconds. */
const pauses = [200, 1000];
/** The most bytes of a response that are read; only its status counts. */
const responseLimit = 65_536;

/**
 * Sends a callback. Redirects are not followed. A request that does not reach the receiver, or gets a status of 500 or
 * higher, is sent up to two more times.
 */
export const deliverCallback: DeliverCallback = async ({ url, method, headers, body, signal }) => {
  const client = createUrlSend({ baseUrl: new URL(url.origin), timeoutMs, connections: 1, responseLimit });
  try {
    for (let attempts = 1; ; attempts += 1) {
      const target = url.pathname + url.search;
      const answer = await client.send({ method, target, headers, body }, { signal });
      const wait = mayRepeat(answer) ? pauses[attempts - 1] : undefined;
      if (wait === undefined || signal.aborted) return { ...describe(answer), attempts };
      await pause(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return { ...describe(answer), attempts };
    }
  } finally {
    void client.close();
  }
};

function mayRepeat(answer: Answer): boolean {
  return answer.kind === 'response'
    ? answer.response.status >= 500
    : answer.kind === 'unreachable' || answer.kind === 'dropped';
}

function describe(answer: Answer): Omit<Awaited<ReturnType<DeliverCallback>>, 'attempts'> {
  if (answer.kind === 'timed-out') {
    return { outcome: 'failed', message: `it did not answer within ${timeoutMs / 1000} seconds` };
  }
  if (answer.kind !== 'response') return { outcome: 'failed', message: answer.reason };
  const { status } = answer.response;
  if (status < 300) return { outcome: 'sent', status };
  const redirected = status < 400 ? '; redirects are not followed' : '';
  return { outcome: 'failed', status, message: `it answered ${status}${redirected}` };
}
