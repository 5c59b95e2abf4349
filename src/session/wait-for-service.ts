import { describeAnswer } from '../http/failures.ts';
import type { Answer, SendTarget } from '../http/message.ts';
import { cannotJudge, waitFor } from './throttle.ts';

/** The statuses with which a gateway or a starting service answers (RFC 9110 §15.6). */
const notYet: ReadonlySet<number> = new Set([502, 503, 504]);

/** The pauses between two attempts, in milliseconds; the last one repeats. */
const pausesMs = [100, 250, 500, 1_000];

/** The minimum time for an attempt, in milliseconds: a service that is ready may still be slow. */
const shortestMs = 1_000;

/** Returns why a service is not ready, with the remedy if it is not the cause; undefined if it is ready. */
function whyNotReady(
  answer: Answer,
): { readonly reason: string; readonly remedy?: string | undefined } | undefined {
  if (answer.kind === 'unreachable') return answer;
  const isReady = answer.kind === 'response' && !notYet.has(answer.response.status);
  return isReady ? undefined : { reason: `it answered GET with ${describeAnswer(answer)}` };
}

/**
 * Waits until a service answers a GET of its base URL over HTTP, with any status except 502, 503 and 504.
 *
 * @param onWait - called once, if the first attempt fails
 * @throws ClocheError CANNOT_JUDGE if it is not ready after `waitMs`
 */
export async function waitForService(target: SendTarget, waitMs: number, onWait: () => void): Promise<void> {
  // Loaded on demand, to keep runs on the in-process mock fast.
  const { createSocketSend } = await import('../http/raw-client.ts');
  const endsAt = performance.now() + waitMs;
  for (let tried = 0; ; tried += 1) {
    const leftMs = Math.ceil(endsAt - performance.now());
    const timeoutMs = Math.min(target.timeoutMs, Math.max(leftMs, shortestMs));
    const send = createSocketSend({ ...target, timeoutMs }, { forwards: true });
    const why = whyNotReady(
      await send({
        method: 'GET',
        target: target.baseUrl.pathname.endsWith('/') ? '/' : '',
        headers: [],
        body: undefined,
      }),
    );
    if (why === undefined) return;
    if (tried === 0) onWait();
    const pauseMs = pausesMs[Math.min(tried, pausesMs.length - 1)] ?? 0;
    if (performance.now() + pauseMs >= endsAt) {
      throw cannotJudge(
        target.baseUrl.href,
        `it was not ready after ${waitMs / 1_000} s: ${why.reason}`,
        why.remedy ?? 'Start the service, or wait longer with --wait-for-service',
      );
    }
    await waitFor(pauseMs);
  }
}
