import type { RequestCase } from '../../arbitrary/request-case.ts';
import type { Judged } from '../../check/judged.ts';
import type { Route } from '../../contract/create-router.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { cannotJudge } from '../cannot-judge.ts';
import { checkContextOf } from '../check-context-of.ts';
import { createRunMemory } from '../create-run-memory.ts';
import { createSession, type SessionRecord } from '../create-session.ts';
import type { KeyAllocator } from '../key-allocator.ts';
import { preflight } from '../preflight.ts';
import type { RunOptions } from '../run-options.ts';
import { sendPolitely } from '../send-politely.ts';
import type { KeyBinding } from '../session.ts';
import type { Against } from './against.ts';
import { createKeyHistory } from './key-history.ts';
import { judgeParity } from './judge-parity.ts';

/** The other service of a run that compares two. */
export interface Counterpart {
  /**
   * Sends it what the service under test is sent, under the same keys.
   *
   * @returns what holds the answer of the service under test against its own
   * @throws ClocheError CANNOT_JUDGE where it is gone, and where it hangs again and again
   */
  readonly accompany: (request: RequestCase, keys: KeyBinding) => Promise<(mine: Judged) => Judged>;
  /**
   * Looks whether it can be judged at all.
   *
   * @throws ClocheError CANNOT_JUDGE where it cannot
   */
  preflight(): Promise<void>;
  /** The requests of some records as it is sent them, with keys that were never sent. */
  renderFresh(records: readonly Pick<SessionRecord, 'request' | 'keys'>[]): readonly HttpRequest[];
  /** How many pairs of answers were compared, how many of them differ, and how many requests it hung on. */
  readonly tally: { readonly compared: number; readonly differing: number; readonly hangs: number };
}

/** So often it may hang: each time takes a whole time-out, and a case is sent many times to make it small. */
const mostHangs = 3;

/** An answer that says when to ask again says nothing of what was asked. */
function isPutOff({ answer }: Judged): boolean {
  return answer.kind === 'response' && [429, 503].includes(answer.response.status);
}

function isPlain({ request: { body, invalidParameters } }: Judged): boolean {
  const hasPlainBody = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
  return hasPlainBody && invalidParameters.length === 0;
}

/** Whether the two answers may hang on what is there, which nothing says of a service. */
function isOfWhatIsThere(mine: Judged, other: Judged): boolean {
  const statuses = [mine, other].map(({ answer }) => (answer.kind === 'none' ? 0 : answer.response.status));
  return mine.operation !== undefined && mine.operation.kind.kind !== 'create' && statuses.includes(404);
}

/**
 * Opens the other service of a run that compares two.
 */
export function createCounterpart(input: {
  readonly options: RunOptions;
  readonly against: Against;
  readonly allocator: KeyAllocator;
  readonly route: (path: string) => Route | undefined;
}): Counterpart {
  const { against, allocator, route } = input;
  const { name, policy, told, echo, token, send, names } = against;
  const options: RunOptions = { ...input.options, send, target: name, policy, told, echo, token };
  const memory = createRunMemory();
  const politely = sendPolitely({
    target: name,
    rate: options.rate,
    rateWaitMs: options.rateWaitMs,
    onWait: (status, ms) => options.emit({ kind: 'waiting', status, ms }),
  });
  const known = checkContextOf(options, memory);
  const session = createSession({
    options,
    send: { patient: politely(send, { waits: true }), blunt: politely(send, { waits: false }) },
    allocator,
    memory,
    route,
    context: () => known,
    onJudged: () => undefined,
  });
  const history = createKeyHistory();
  /** What the service under test answers plain requests whose credentials are not good. */
  const turnedAway = new Map<string, number>();
  const tally = { compared: 0, differing: 0, hangs: 0 };

  function compare(request: RequestCase, keys: KeyBinding, pair: readonly [Judged, Judged]): Judged {
    const [mine, other] = pair;
    const { answer, operation } = mine;
    const credentials = `${operation?.id ?? ''} ${mine.request.credentials}`;
    if (isPlain(mine) && answer.kind === 'response') {
      turnedAway.set(credentials, answer.response.status);
    }
    const mayCompare =
      history.mayCompare(request, keys, pair) &&
      !isPutOff(mine) &&
      !isPutOff(other) &&
      !isOfWhatIsThere(mine, other) &&
      // OPTIONS is CORS's matter.
      (operation !== undefined || mine.exchange.request.method !== 'OPTIONS') &&
      other.exchange.answer.kind !== 'timed-out' &&
      input.options.signal?.aborted !== true;
    history.note(request, keys, pair);
    if (!mayCompare) {
      return mine;
    }
    const { judged, differs } = judgeParity({
      mine,
      other,
      names,
      policy,
      told,
      turnedAway: turnedAway.get(credentials),
    });
    tally.compared += 1;
    tally.differing += differs ? 1 : 0;
    return judged;
  }

  return {
    tally,
    renderFresh: (records) => session.renderFresh(records),
    async preflight() {
      await preflight(session, options);
    },
    async accompany(request, keys) {
      const other = await session.send(request, keys);
      if (other.exchange.answer.kind === 'timed-out' && input.options.signal?.aborted !== true) {
        tally.hangs += 1;
        if (tally.hangs >= mostHangs) {
          throw cannotJudge(
            name,
            `it left ${tally.hangs} requests unanswered, the last of them ${request.method} ${request.target}`,
            'Test it alone to find the smallest such request, and mend the hang first',
          );
        }
      }
      return (mine) => compare(request, keys, [mine, other]);
    },
  };
}
