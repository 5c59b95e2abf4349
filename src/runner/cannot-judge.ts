import type { CheckedExchange } from '../check/reading/subject.ts';
import { noFilesLeft } from '../http/failures.ts';
import type { RunSettings } from './events.ts';
import type { RunMemory } from './memory.ts';
import { cannotJudge } from './throttle.ts';

/** Explains why a service can no longer be judged after a request that did not reach it. */
export function whyGone(
  { name }: RunSettings,
  { wasThere }: RunMemory,
  { exchange }: CheckedExchange,
): Error {
  const { request, answer } = exchange;
  const reason = answer.kind === 'unreachable' ? answer.reason : '';
  if (reason === noFilesLeft) return cannotJudge(name, reason, 'Raise ulimit -n, or lower --connections');
  return wasThere
    ? cannotJudge(
        name,
        `it went down during the run: ${reason}`,
        'Mend what brought it down first; with --connections 1 the run names the very request',
      )
    : cannotJudge(
        name,
        `${reason} (at ${request.method} ${request.target})`,
        'Start the service, or name its base URL, and run again',
      );
}
