// Running suites requires the generators and an HTTP client. A mock needs neither, so they are loaded on demand.
import type { conformanceTests as conformanceTestsNow } from './conformance/conformance-tests.ts';
import type { learn as learnNow } from './learn/learn.ts';
import type { runSuites as runSuitesNow } from './runner/run.ts';
import type { openUrlTarget as openUrlTargetNow } from './session/url-target.ts';

// The mock.
export { createInspectedMock as createMock, createInspector } from './inspector/create-inspector.ts';
export type { Listener, Mock, ListenOptions, MockOptions } from './mock/mock.ts';
export type {
  TypedAnswer,
  TypedData,
  TypedFaultRule,
  TypedInput,
  TypedMock,
  TypedMockOptions,
} from './mock/typed.ts';
export type { DispatcherOptions, HttpDispatcher } from './http/dispatcher.ts';
export type { CallbackMode, Callbacks, SentCallback } from './mock/callbacks/callback.ts';
export type { MockClock } from './mock/clock.ts';
export type { ChangeReport } from './mock/state/migrate-state.ts';
export type { ControlOptions } from './mock/control/control.ts';
export type {
  ResetPart,
  BrokenClause,
  LoggedMessage,
  LoggedRequest,
  RequestProblem,
  TouchedItem,
} from './mock/message.ts';
export type { JsonDocument } from './document/read-json-document.ts';
export type { ServePage } from './mock/control/operation.ts';
export type { RecordedExchange } from './mock/replay/recording.ts';
export type { RequestLogEntry } from './mock/log/log-line.ts';
export type { CorsOptions } from './mock/request/cors.ts';
export type {
  ActiveFaultRule,
  Delay,
  Fault,
  FaultMatch,
  FaultRule,
  FaultRules,
  ForcedAnswer,
  StartChange,
} from './mock/faults/fault.ts';
export type {
  Handler,
  HandlerInput,
  HandlerResponse,
  Handlers,
  HandlerTools,
} from './mock/user-handlers/handler.ts';
export { readData } from './mock/state/data-file.ts';
export { DataError, type BadRow } from './mock/state/rows.ts';
export type {
  DataReport,
  GivenRows,
  Imported,
  MockState,
  StateCollection,
  StatePage,
  StateQuery,
  StateResource,
  StateRows,
} from './mock/state/rows.ts';
export type { RequestFilter, RequestLog, Times, Verification } from './mock/log/filter.ts';
export { StoreUnavailable } from './mock/store/store.ts';
export type {
  KeptCollection,
  KeptResource,
  StoreContent,
  StoreLocation,
  CollectionCount,
  Store,
  StoredResource,
  StoreKey,
  StoreOutcome,
} from './mock/store/store.ts';

// The contract, and the policy for what it does not specify.
export { loadContract } from './contract/load.ts';
export type { Contract, Operation } from './contract/contract.ts';
export { createPolicy, defaultPolicy, holdPolicy } from './policy/policy.ts';
export type { EnforcedPolicy, Policy } from './policy/policy.ts';
export type { BehaviourValues } from './policy/behaviour.ts';
export { readPolicyFile } from './policy/read-policy.ts';
export type { ReadPolicy } from './policy/read-policy.ts';
export type { PolicyFile } from './policy/policy-file.ts';
export type { BehaviourId } from './policy/behaviour.ts';
export { createOverlay } from './policy/overlay/overlay.ts';
export type { CreatedOverlay, Overlay, OverlayAction } from './policy/overlay/overlay.ts';

// Probes of a running service for what its contract does not specify.
/** Probes a running service for what its contract does not specify: see {@link learnNow}. */
export const learn: typeof learnNow = async (options) => (await import('./learn/learn.ts')).learn(options);
export type {
  LearnOptions,
  LearnEvent,
  Learnt,
  LearntExchange,
  LearntOutcome,
  LearntBehaviour,
} from './learn/events.ts';
export { toPolicyFile } from './learn/to-policy-file.ts';

// The conformance suites and their runner.
/** Runs suites on a target: see {@link runSuitesNow}. */
export const runSuites: typeof runSuitesNow = async (...given) =>
  (await import('./runner/run.ts')).runSuites(...given);
/** Opens a service at a URL as a target: see {@link openUrlTargetNow}. */
export const openUrlTarget: typeof openUrlTargetNow = async (options) =>
  (await import('./session/url-target.ts')).openUrlTarget(options);
/** Turns each property of the suites into a test: see {@link conformanceTestsNow}. */
export const conformanceTests: typeof conformanceTestsNow = async (options) =>
  (await import('./conformance/conformance-tests.ts')).conformanceTests(options);
export type { ConformanceTest } from './conformance/conformance-tests.ts';
export type { ConformanceOptions } from './conformance/options.ts';
export type {
  NotChecked,
  PropertyResult,
  RunEvent,
  RunFinding,
  RunResult,
  Baseline,
  BaselineEntry,
  OperationCoverage,
} from './events/events.ts';
export type { Property, Suite } from './runner/suite.ts';
export type { CredentialsProvider, OtherUsers } from './session/credentials.ts';
export type { Session } from './session/session.ts';
export type { Against, RunOptions, RunTarget, Target } from './session/target.ts';

// Findings of a run.
export type { Finding, Level, Clause, CheckId } from './check/finding.ts';
export type { Boundary } from './check/boundary.ts';

// Reports. They read the events of a run or of judged traffic.
export { createAgentReport } from './report/agent.ts';
export { createCtrfReport } from './report/ctrf.ts';
export { createGithubReport } from './report/github.ts';
export { createGitlabReport } from './report/gitlab.ts';
export { createHarReport } from './report/har.ts';
export { createHtmlReport } from './report/html/report.ts';
export { createJsonReport } from './report/json.ts';
export { createJunitReport } from './report/junit.ts';
export { createMarkdownReport } from './report/markdown.ts';
export { createSarifReport } from './report/sarif.ts';
export type { Report, ReportEvent, RunEnd, ReportOptions } from './report/report.ts';
export type { RepositoryOptions } from './report/view/place.ts';
export type { TrafficEvent, TrafficFinding, TrafficResult, UncheckedExchanges } from './events/events.ts';

// Errors that Cloche throws.
export { ClocheError } from './errors/cloche-error.ts';
export type { ErrorCode } from './errors/cloche-error.ts';
