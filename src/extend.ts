// Building blocks for user-written checks, suites, hooks and formats.
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
export { judgeExchange, type JudgeOptions } from './conformance/judge-exchange.ts';
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
