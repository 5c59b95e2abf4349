// The mock.
export { createInspectedMock as createMock } from './inspector/create-inspected-mock.ts';
export type { Listener, Mock } from './mock/mock.ts';
export type { ListenOptions, MockOptions } from './mock/mock-options.ts';
export type { DispatcherOptions } from './http/dispatcher-options.ts';
export type { HttpDispatcher } from './http/http-dispatcher.ts';
export type { MockClock } from './mock/clock/mock-clock.ts';
export type { ChangeReport } from './mock/live/change-report.ts';
export type { ControlOptions } from './mock/control/control-options.ts';
export type { ResetPart } from './mock/control/reset-part.ts';
export type { JsonDocument } from './document/read-json-document.ts';
export type { ServePage } from './mock/control/serve-page.ts';
export { createInspector } from './inspector/create-inspector.ts';
export type { RequestLogEntry } from './mock/request-log-entry.ts';
export type { CorsOptions } from './mock/cors-options.ts';
export type {
  ActiveFaultRule,
  Delay,
  Fault,
  FaultMatch,
  FaultRule,
  FaultRules,
  ForcedAnswer,
  StartChange,
} from './mock/faults/fault-rule.ts';
export { readData } from './mock/state/read-data.ts';
export { DataError, type BadRow } from './mock/state/data-error.ts';
export type { DataReport } from './mock/state/data-report.ts';
export type {
  Imported,
  MockState,
  StatePage,
  StateQuery,
  StateResource,
  StateRows,
} from './mock/state/mock-state.ts';
export type { GivenRows } from './mock/state/to-state-rows.ts';
export type { RequestFilter, RequestLog, Times, Verification } from './mock/log/request-log.ts';
export type {
  BrokenClause,
  LoggedMessage,
  LoggedRequest,
  RequestProblem,
} from './mock/log/logged-request.ts';
export { StoreUnavailable } from './mock/store/store-unavailable.ts';
export type { KeptCollection, KeptResource, StoreContent } from './mock/store/store-content.ts';
export type { StorePlace } from './mock/store/store-place.ts';
export type { CollectionCount, Store, StoredResource, StoreKey, StoreOutcome } from './mock/store/store.ts';

// The contract, and what it leaves unsaid.
export { loadContract } from './contract/load-contract.ts';
export type { Contract } from './contract/contract.ts';
export type { Operation } from './contract/operation.ts';
export { createPolicy, defaultPolicy } from './policy/policy.ts';
export type { Answers, Policy } from './policy/policy.ts';
export { holdPolicy } from './policy/hold-policy.ts';
export type { HeldPolicy } from './policy/hold-policy.ts';
export { readPolicyFile } from './policy/read-policy-file.ts';
export type { ReadPolicy } from './policy/read-policy-file.ts';
export type { PolicyFile } from './policy/policy-file.ts';
export type { QuestionId } from './policy/question-id.ts';
export { createOverlay } from './policy/overlay/create-overlay.ts';
export type { CreatedOverlay } from './policy/overlay/create-overlay.ts';
export type { Overlay, OverlayAction } from './policy/overlay/overlay.ts';

// A running service, asked what its contract leaves unsaid.
export { learn } from './learn/learn.ts';
export type { LearnOptions } from './learn/learn-options.ts';
export type { LearnEvent } from './learn/learn-event.ts';
export type { Learnt, LearntExchange, LearntOutcome, LearntQuestion } from './learn/learnt.ts';
export { toPolicyFile } from './learn/to-policy-file.ts';

// The conformance suites, and how they are run.
export { runSuites } from './runner/run-suites.ts';
export { openUrlTarget } from './runner/open-url-target.ts';
export type { Target } from './runner/target.ts';
export type { Against } from './runner/parity/against.ts';
export type { RunOptions } from './runner/run-options.ts';
export type { NotChecked, PropertyResult, RunEvent, RunFinding, RunResult } from './runner/run-event.ts';
export type { Baseline } from './runner/baseline.ts';
export type { BaselineEntry } from './runner/baseline-entry.ts';
export type { OperationCoverage } from './runner/operation-coverage.ts';
export type { Property, Suite } from './runner/suite.ts';
export type { Session } from './runner/session.ts';

// What a run finds.
export type { Finding, Level, Clause } from './check/finding.ts';
export type { Boundary } from './check/boundary.ts';
export type { CheckId } from './check/check-id.ts';

// Reports, which read the events of a run, or of traffic that is judged.
export { createGithubReport } from './report/github-report.ts';
export { createHarReport } from './report/har-report.ts';
export { createHtmlReport } from './report/html-report.ts';
export { createJsonReport } from './report/json-report.ts';
export { createJunitReport } from './report/junit-report.ts';
export type { Report, ReportEvent, RunEnd } from './report/report.ts';
export type { ReportOptions } from './report/report-options.ts';
export type { TrafficEvent, TrafficFinding, TrafficResult, Unjudged } from './runner/traffic-event.ts';

// What can go wrong in the tool itself.
export { ClocheError } from './errors/cloche-error.ts';
export type { ErrorCode } from './errors/error-registry.ts';
