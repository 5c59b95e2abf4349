// Building blocks for user-written checks, suites, hooks, formats and codecs.
import type { CheckedExchange } from './check/classify/subject.ts';
import type { Contract } from './contract/contract.ts';
import type { Exchange } from './http/message.ts';
import { holdPolicy, type Policy } from './policy/policy.ts';
import { TrafficJudge } from './proxy/judge-traffic.ts';
import { type Extension, openExtensions } from './runner/extension.ts';

export { buildRequest, type RequestOverrides } from './arbitrary/request.ts';
export type { UserArbitraries } from './arbitrary/user-arbitraries.ts';
export type { RequestCase } from './arbitrary/request-case.ts';
export {
  type Check,
  type Conclusion,
  defineCheck,
  defineSequenceCheck,
  type SequenceCheck,
  type SequenceConclusion,
} from './check/define-check.ts';
export type { CheckDocs, Clause, Finding, Level } from './check/finding.ts';
export type { CheckContext, CheckedExchange, CheckInput, TraceCheck } from './check/classify/subject.ts';
export type { Contract, Operation } from './contract/contract.ts';
export {
  type Answer,
  type Exchange,
  headerValue,
  type HttpRequest,
  type HttpResponse,
} from './http/message.ts';
export type { UserCodec } from './http/codecs/registry.ts';
export type { ParsedContent } from './http/codecs/codec.ts';
export type { JsonValue } from './json/value.ts';
export {
  defineExtension,
  defineSuite,
  type Extension,
  type Hooks,
  registerExtensions,
} from './runner/extension.ts';
export type { Property, Suite, SuiteInput, SuitePlan } from './runner/suite.ts';
export type { IdContext, Session } from './session/session.ts';
export type { TextFormat } from './schema/formats.ts';

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
  { contract, policy = {}, tokens = [], extensions }: JudgeOptions,
): CheckedExchange | undefined {
  const judge = new TrafficJudge({
    contract,
    ...holdPolicy({ beside: {}, given: policy }),
    tokens,
    judges: openExtensions([], extensions).judges,
    target: contract.source,
    from: 'an exchange',
    emit: () => undefined,
  });
  return judge.read({
    number: 1,
    exchange: { ...exchange, durationMs: 0 },
    startedAt: Date.now(),
    isSideBySide: false,
    isBesideChange: false,
    unjudged: undefined,
  });
}
