import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { TrafficFinding } from '../events/events.ts';
import type { Exchange } from '../http/message.ts';
import { holdPolicy, type Policy } from '../policy/policy.ts';
import { TrafficJudge } from '../proxy/judge-traffic.ts';
import { type Extension, openExtensions } from '../runner/extension.ts';

/** Options of {@link judgeExchange}. */
export interface JudgeOptions {
  readonly contract: Contract;
  /** The configured values for what the document leaves unspecified. @defaultValue none */
  readonly policy?: Partial<Policy>;
  /** Tokens that the service accepts. @defaultValue none; the credentials of a successful request count as accepted */
  readonly tokens?: readonly string[];
  /** Extensions whose checks and formats are used in addition to those of Cloche. @defaultValue none */
  readonly extensions?: readonly Extension[];
}

/** An exchange that was judged, or the reason why it cannot be. */
type JudgedAlone =
  | { readonly judged: CheckedExchange; readonly findings: readonly TrafficFinding[] }
  | { readonly judged: undefined; readonly reason: string };

/** Judges one exchange, and returns its findings as a report shows them. @throws ClocheError as {@link judgeExchange} */
export function judgeAlone(
  exchange: Pick<Exchange, 'request' | 'answer'>,
  { contract, policy = {}, tokens = [], extensions }: JudgeOptions,
): JudgedAlone {
  let reason = '';
  const judge = new TrafficJudge({
    contract,
    ...holdPolicy({ beside: {}, given: policy }),
    tokens,
    judges: openExtensions([], extensions).judges,
    target: contract.source,
    from: 'an exchange',
    emit(event) {
      if (event.kind === 'traffic-unjudged') ({ reason } = event);
    },
  });
  const judged = judge.read({
    number: 1,
    exchange: { ...exchange, durationMs: 0 },
    startedAt: Date.now(),
    isBesideChange: false,
    unjudged: undefined,
  });
  return judged === undefined ? { judged, reason } : { judged, findings: judge.end().findings };
}

/**
 * Judges one exchange of any client by the checks of one exchange. Its `findings` say what is wrong with the response.
 * Like `cloche check`, it reports nothing that the earlier state of the service may explain.
 *
 * @returns undefined if the exchange cannot be judged, for example because the document lacks its path
 * @throws ClocheError OPTION_INVALID if an extension cannot be used
 *
 * @example
 * const request = { method: 'GET', target: '/pets', headers: [], body: undefined };
 * const response = { status: 500, headers: [], body: new Uint8Array() };
 * judgeExchange({ request, answer: { kind: 'response', response } }, { contract })?.findings;
 */
export function judgeExchange(
  exchange: Pick<Exchange, 'request' | 'answer'>,
  options: JudgeOptions,
): CheckedExchange | undefined {
  return judgeAlone(exchange, options).judged;
}
