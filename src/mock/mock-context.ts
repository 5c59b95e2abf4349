import { createParameterCheck, type ParameterCheck } from '../contract/check-parameters.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { keptRole } from '../contract/resources.ts';
import { findLimitMaximum } from '../contract/list-parameters.ts';
import type { Parameter } from '../contract/read-parameters.ts';
import { findSuccessResponse } from '../contract/responses.ts';
import { createPathFinder, type FoundPath } from '../contract/router.ts';
import { type Policy, policyOf } from '../policy/policy.ts';
import type { ValidationMode } from '../schema/compile.ts';
import { asksForMatch } from './handlers/conditional-requests.ts';
import { type IdempotencyKeys, repeatResponses } from './handlers/idempotency-keys.ts';
import { answerPreferred, type HandlerStep, joinSteps } from './handlers/handler-step.ts';
import { listNotations, prepareNotations } from './handlers/prepare-handler.ts';
import { type OperationHandler, toValidationMode } from './handlers/stored-form.ts';
import { selectFields } from './handlers/sparse-fields.ts';
import { keepFile, showStored } from './handlers/stored-samples.ts';
import { createRefuser, findErrorShape, type Refuse } from './answer/refusal.ts';
import { listSentMedia } from './answer/representation.ts';
import type { Sampling } from './answer/sample-body.ts';
import type { CallbackSender } from './callbacks/callbacks.ts';
import type { MockClock } from './clock.ts';
import type { FaultMatcher } from './faults/fault-rules.ts';
import { createForcer } from './faults/forced-answer.ts';
import { createFaultRefuser, FaultInjector, type RefuseFault } from './faults/inject.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import { createEntryMaker } from './log/read-request.ts';
import type { LogContext, RawRequest } from './log/ring-buffer.ts';
import type { Fallback, RequestHead } from './message.ts';
import type { PassedRecord } from './passed-content.ts';
import { type BodyCheck, type ContentReader, createBodyCheck, createContentReader } from './request/body.ts';
import { type Cors, type CorsOptions, createCors } from './request/cors.ts';
import { type Authenticator, createAuthenticator } from './request/credentials.ts';
import { acceptIssuedTokens } from './handlers/issued-tokens.ts';
import type { AuthorizationServer } from './login/authorization-server.ts';
import { findLoginRoutes, type LoginRoutes } from './login/login-routes.ts';
import type { IssuedTokens } from './request/issued-tokens.ts';
import type { Recording } from './replay/recording.ts';
import { createRateLimiter, type RateLimiter } from './request/rate-limit.ts';
import { createUnknownExplainer, type UnknownExplainer } from './request/unknown-path.ts';
import type { Store } from './store/store.ts';
import { tolerate, type Validation } from './tolerance.ts';
import type { HandlerRegistry } from './user-handlers/handler.ts';

/** The head that the log shows for a request that could not be read. */
export const unknownHead: Omit<RequestHead, 'header'> = { method: '-', target: '-', fields: () => [] };

/** The mock context: a contract, a policy, and everything prepared from them. */
export interface MockContext {
  readonly find: (path: string) => FoundPath;
  /** The contract; it may have examples that the document lacks. */
  readonly contract: Contract;
  /** The policy of the whole service, with the values of single operations. */
  readonly policy: Policy;
  /** Returns a prepared operation. Prepares it on first use: a document may have thousands of operations. */
  readonly preparedOf: (operation: Operation) => PreparedOperation;
  readonly contentLimit: number;
  /** Undefined if a preflight is handled like any other request. */
  readonly cors: Cors | undefined;
  readonly date: MockClock['date'] | undefined;
  /** Undefined if no faults are injected. */
  readonly faultInjector: FaultInjector | undefined;
  /** For requests that match no operation. */
  readonly limiter: RateLimiter | undefined;
  /** Forwards requests that match no operation to a real service; undefined without one. */
  readonly fallback: PreparedOperation | undefined;
  /** Refuses requests that match no operation. */
  readonly refuse: Refuse;
  readonly unknown: UnknownExplainer;
  /** Answers invalid HTTP requests, and requests while the store is unavailable. */
  readonly refuseFault: RefuseFault;
  readonly log: ((exchange: Exchange) => void) | undefined;
  /** Logs a request that another process answered for this mock. */
  readonly addToLog: ((request: AnsweredRequest) => void) | undefined;
}

/** A request that was answered, as it is logged. */
export type AnsweredRequest = Omit<RawRequest, 'id' | 'context'>;

/** An operation with everything that is needed to answer it, prepared once. */
export interface PreparedOperation {
  readonly authenticate: Authenticator | undefined;
  /** Whether credentials are checked before the content of the request, rather than after it. */
  readonly authenticatesFirst: boolean;
  /** The value of WWW-Authenticate for a request without credentials. */
  readonly challenge: string | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly parameters: readonly Parameter[];
  readonly checkParameters: readonly ParameterCheck[];
  readonly readsQuery: boolean;
  /** Both undefined if the operation takes no body. */
  readonly readContent: ContentReader | undefined;
  readonly checkBody: BodyCheck | undefined;
  /** The media types of which Accept must allow one, or undefined if Accept is not checked. */
  readonly mustAccept: readonly string[] | undefined;
  readonly refuse: Refuse;
  readonly handle: OperationHandler;
}

/** The parts of a mock that its context is prepared from. */
export interface MockContextSettings {
  readonly policy: Policy;
  /** The highest limit for content of all operations, in bytes. */
  readonly contentLimit: number;
  readonly store: Store;
  /** The tokens accepted if the policy says `listed`. */
  readonly tokens: ReadonlySet<string> | 'any';
  /** Undefined if the mock issues no tokens. */
  readonly logins?: {
    /** The tokens that the mock returned, which are accepted too. */
    readonly issued: IssuedTokens;
    /** Loads the authorization server when one of its endpoints is first requested. */
    readonly loadServer: () => Promise<AuthorizationServer>;
  };
  /** The responses to repeat for the same Idempotency-Key. */
  readonly keys?: IdempotencyKeys | undefined;
  /** The handlers of operations without state. */
  readonly samples: Pick<ReadonlyMap<Operation, OperationHandler>, 'get'>;
  readonly clock: () => number;
  /** Undefined if responses have the Date of the machine. */
  readonly date?: MockClock['date'];
  /** Undefined if neither rules nor requests can inject faults. */
  readonly faults?: FaultMatcher;
  /** The options for values that a request wants generated; set together with `faults`. */
  readonly sampling?: Sampling;
  /** The handlers of the user. */
  readonly handlers?: HandlerRegistry | undefined;
  /** The recorded exchanges that answer requests. */
  readonly recording?: Recording | undefined;
  /** How invalid requests are treated. @defaultValue 'on' */
  readonly validation?: Validation | undefined;
  /** The service for requests that match no operation. */
  readonly fallback?: Fallback | undefined;
  /** Sends the callbacks of operations. */
  readonly callbacks?: CallbackSender | undefined;
  readonly cors?: CorsOptions | false;
  readonly log?: LogSettings;
}

/** Prepares everything except single operations. An operation whose schemas cannot be compiled answers 501. */
export function prepareMockContext(contract: Contract, settings: MockContextSettings): MockContext {
  const { policy, contentLimit, clock, date, faults, cors = false, log, sampling } = settings;
  const limiter = createRateLimiter(policy['rate-limit'], clock);
  const refuseFault = createFaultRefuser(contract);
  const ready = new Map<Operation, PreparedOperation>();
  let errorShape: ReturnType<typeof findErrorShape> | undefined;
  const findShape = (): ReturnType<typeof findErrorShape> =>
    (errorShape ??= findErrorShape(contract.operations));
  const refuse = createRefuser({ operation: undefined, policy, findShape });
  const logging = log && prepareLog(log);
  const login = settings.logins && findLoginRoutes(contract);
  if (settings.logins && login) {
    const accounts =
      policy['accepted-tokens'] === 'any' || settings.tokens === 'any' ? undefined : settings.tokens;
    for (const [operation, handle] of prepareLogins(login, settings.logins.loadServer, accounts))
      ready.set(operation, { ...unchecked, limiter, refuse, handle });
  }
  return {
    find: login?.find ?? createPathFinder(contract),
    contract,
    policy,
    preparedOf(operation) {
      const known = ready.get(operation);
      if (known !== undefined) return known;
      const { validation = 'on' } = settings;
      const checked = prepareOrRefuse(operation, contract, { ...settings, limiter, refuseFault, findShape });
      const prepared = validation === 'on' ? checked : tolerate(checked, validation);
      ready.set(operation, prepared);
      return prepared;
    },
    contentLimit: settings.fallback === undefined ? contentLimit : Math.max(contentLimit, mostForwarded),
    cors: cors === false ? undefined : createCors(contract, cors),
    date,
    faultInjector: faults && sampling && new FaultInjector({ contract, policy, faults, sampling }),
    limiter,
    fallback: settings.fallback && prepareFallback(settings.fallback, { refuse, refuseFault }),
    refuse,
    unknown: createUnknownExplainer(contract),
    refuseFault,
    log: logging?.log,
    addToLog: logging?.add,
  };
}

/** An operation of which nothing is checked. */
export const unchecked: Omit<PreparedOperation, 'limiter' | 'refuse' | 'handle'> = {
  authenticate: undefined,
  authenticatesFirst: false,
  challenge: undefined,
  parameters: [],
  checkParameters: [],
  readsQuery: false,
  readContent: undefined,
  checkBody: undefined,
  mustAccept: undefined,
};

/** The maximum length of content that is forwarded, in bytes. */
const mostForwarded = 64 * 1024 * 1024;

function prepareFallback(
  { forward }: Fallback,
  { refuse, refuseFault }: Pick<MockContext, 'refuse' | 'refuseFault'>,
): PreparedOperation {
  return {
    ...unchecked,
    limiter: undefined,
    refuse,
    readContent: (_head, content) =>
      content === 'too-large'
        ? {
            kind: 'refused',
            condition: 'body-too-large',
            message: `The body is longer than ${mostForwarded} bytes, which is the most that is forwarded.`,
          }
        : { kind: 'skipped' },
    async handle({ head, bytes }) {
      const answer = await forward({ head, bytes });
      return typeof answer === 'string' ? refuseFault('fallback-failed', answer) : answer;
    },
  };
}

/** Prepares the handlers of the endpoints of the authorization server. */
function prepareLogins(
  { routes, model }: LoginRoutes,
  loadServer: () => Promise<AuthorizationServer>,
  accounts: ReadonlySet<string> | undefined,
): readonly (readonly [Operation, OperationHandler])[] {
  return routes.map(({ operation, kind, issuer }) => {
    const of = { kind, issuer, model, accounts };
    return [operation, async (request) => (await loadServer()).answer(request, of)];
  });
}

interface OperationSettings extends MockContextSettings, Pick<MockContext, 'limiter' | 'refuseFault'> {
  readonly findShape: () => ReturnType<typeof findErrorShape>;
}

function prepareOrRefuse(
  operation: Operation,
  contract: Contract,
  settings: OperationSettings,
): PreparedOperation {
  try {
    return prepareOperation(operation, contract, settings);
  } catch (error) {
    if (!(error instanceof ClocheError)) throw error;
    const { limiter, refuseFault, findShape, policy } = settings;
    const answer = refuseFault('not-mocked', error.reason);
    return {
      ...unchecked,
      limiter,
      refuse: createRefuser({ operation: undefined, policy, findShape }),
      handle: joinSteps([settings.faults && answerPreferred], () => ({
        ...answer,
        note: { ...answer.note, operation: operation.id },
      })),
    };
  }
}

/** Returns the media types of a success, of which Accept selects one; undefined for no content. */
function listAnswered(operation: Operation, isSample: boolean): readonly string[] | undefined {
  const media = isSample
    ? listSentMedia(findSuccessResponse(operation)?.media ?? [])
    : listNotations(operation);
  return media.length === 0 ? undefined : media.map(({ contentType }) => contentType);
}

/**
 * Prepares the response of an operation that declares only errors: the first error that a request with valid
 * credentials may get. Returns undefined for any other operation, and for one that has a stored resource.
 */
function prepareOnlyError(
  operation: Operation,
  contract: Contract,
  policy: Policy,
): OperationHandler | undefined {
  const errors = operation.responses.map(({ status }) => (status.kind === 'exact' ? status.status : 0));
  const status = errors.find((each) => each !== 401);
  if (status === undefined || errors.some((each) => each < 400) || keptRole(operation) !== undefined)
    return undefined;
  const message = 'The document declares only errors for the operation.';
  const answer = createForcer(
    contract,
    policy,
  )({ operation, answer: { status }, challenge: undefined, message });
  const { forced: _forced, ...note } = answer.note;
  return () => ({ ...answer, note });
}

/** Compiles the validators of an operation, and matches its refusals with the document. */
function prepareOperation(
  operation: Operation,
  contract: Contract,
  settings: OperationSettings,
): PreparedOperation {
  const { operations } = contract;
  const { store, tokens, samples, clock, sampling } = settings;
  const issued = settings.logins?.issued;
  const { id, parameters, requestBody, responses, security } = operation;
  const declares406 = responses.some(({ status }) => status.kind === 'exact' && status.status === 406);
  const policy = policyOf(settings.policy, id);
  const ownLimit = settings.policy.operations?.[id]?.['rate-limit'];
  const reading = toValidationMode(policy);
  const findShape = (): ReturnType<typeof findErrorShape> => findErrorShape([operation], settings.findShape);
  const refuse = createRefuser({ operation, policy, findShape });
  const clamped = policy['limit-above-maximum'] === 'clamp' && findLimitMaximum(operation)?.parameter;
  const sample = samples.get(operation);
  const context = { operation, operations, store, reading };
  const onlyError = prepareOnlyError(operation, contract, settings.policy);
  const handle = joinSteps(
    [
      settings.keys && repeatResponses(operation, { keys: settings.keys, refuse, issued }),
      settings.callbacks?.stepOf(operation),
      settings.faults && answerPreferred,
      issued && acceptIssuedTokens(operation, operations, issued),
      settings.handlers &&
        callHandler(settings.handlers, { operation, reading, refuseFault: settings.refuseFault }),
      settings.recording?.stepOf(operation),
      selectFields(operation, reading),
      keepFile(context),
      onlyError || !sample ? undefined : showStored(context),
    ],
    onlyError ??
      sample ??
      prepareNotations({ operation, policy, reading, store, refuse, clock, sampling, issued }, operations),
  );
  const accepted = policy['accepted-tokens'] === 'any' ? 'any' : tokens;
  const authenticate = createAuthenticator(security, accepted, issued);
  return {
    authenticate,
    authenticatesFirst: policy['auth-order'] === 'before',
    challenge: authenticate?.({ ...unknownHead, header: () => undefined })?.challenge,
    limiter: ownLimit === undefined ? settings.limiter : createRateLimiter(ownLimit, clock),
    parameters,
    checkParameters: parameters.map((parameter) => {
      const required = parameter.required && !asksForMatch(operation, parameter);
      const passes = parameter === clamped ? 'maximum' : undefined;
      return createParameterCheck({ ...parameter, required }, reading, passes);
    }),
    readsQuery: parameters.some((parameter) => parameter.in === 'query' || parameter.in === 'querystring'),
    readContent: requestBody && createContentReader(requestBody, policy, parameters),
    checkBody: requestBody && createBodyCheck(requestBody, policy, reading),
    mustAccept:
      policy.accept === 406 || declares406 ? listAnswered(operation, sample !== undefined) : undefined,
    refuse,
    handle,
  };
}

/** Calls the handler of the user for an operation while there is one. Its code is loaded at the first call. */
function callHandler(
  handlers: HandlerRegistry,
  context: {
    readonly operation: Operation;
    readonly reading: ValidationMode;
    readonly refuseFault: RefuseFault;
  },
): HandlerStep {
  const slot = handlers.slotOf(context.operation.id);
  return (request, next) => {
    const { handler } = slot;
    if (handler === undefined) return next(request);
    const run = { ...context, handler, request, next: () => next(request), tools: handlers.tools() };
    return import('./user-handlers/run-handler.ts').then(({ runHandler }) => runHandler(run));
  };
}

/** A request with its response, before the response is written. */
interface Exchange extends Pick<RawRequest, 'content' | 'answer'> {
  readonly head: Omit<RequestHead, 'header'>;
  readonly begun: number;
}

interface LogSettings {
  /** Records a request, and sets its id. */
  readonly record: (raw: RawRequest) => void;
  readonly log: ((entry: RequestLogEntry) => void) | undefined;
  readonly clock: MockClock;
  readonly context: LogContext;
}

function prepareLog({ record, log, clock, context }: LogSettings): {
  readonly log: (exchange: Exchange) => void;
  readonly add: (request: AnsweredRequest) => void;
} {
  const toEntry = log && createEntryMaker(context);
  function add(whole: RawRequest): void {
    record(whole);
    if (toEntry !== undefined) log?.(toEntry(whole));
  }
  function logExchange({ head, begun, content, answer }: Exchange): void {
    const takenMs = performance.now() - begun;
    const raw: RawRequest = {
      id: 0,
      // A frozen clock showed the same time when the head arrived.
      time: clock.now() - (clock.isFrozen ? 0 : Math.round(takenMs)),
      durationMs: takenMs + (answer.delivery?.delayMs ?? 0),
      method: head.method,
      target: head.target,
      fields: head.fields(),
      content,
      answer,
      leftOut: undefined,
      context,
    };
    if (answer.passed === undefined) add(raw);
    else void answer.passed.whenOver.then((passed) => add(withPassed(raw, passed, begun)));
  }
  return { log: logExchange, add: (request) => add({ ...request, id: 0, context }) };
}

/** Adds content that has passed to a logged request. */
function withPassed(
  raw: RawRequest,
  { length, content, isComplete }: PassedRecord,
  begun: number,
): RawRequest {
  const { note } = raw.answer;
  const message = isComplete ? note.message : `${note.message ?? ''} It was broken off.`.trimStart();
  return {
    ...raw,
    durationMs: performance.now() - begun,
    answer: { ...raw.answer, body: content, ...(message !== undefined && { note: { ...note, message } }) },
    leftOut: content === undefined ? { response: length } : undefined,
  };
}
