import {
  createParameterCheck,
  type InvalidParameter,
  type ParameterCheck,
} from '../contract/check-parameters.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { findLimitMaximum } from '../contract/list-parameters.ts';
import { type Parameter, parseQuery, type QueryMember } from '../contract/read-parameters.ts';
import { findSuccessResponse } from '../contract/responses.ts';
import { createPathFinder, type FoundPath, operationOf, type Route } from '../contract/router.ts';
import { pathOf } from '../http/path.ts';
import { type Policy, policyOf } from '../policy/policy.ts';
import { asksForMatch } from './handlers/conditional-requests.ts';
import { prepareHandler } from './handlers/prepare-handler.ts';
import { type OperationHandler, toValidationMode } from './handlers/stored-form.ts';
import { createRefuser, explainParameter, findErrorShape, type Refuse } from './answer/refusal.ts';
import { chooseSentMedia, replaceFields } from './answer/representation.ts';
import type { Sampling } from './answer/sample-body.ts';
import type { MockClock } from './clock.ts';
import type { FaultMatcher } from './faults/fault-rules.ts';
import {
  createFaultRefuser,
  createFaultInjector,
  type FaultInjector,
  type RefuseFault,
} from './faults/inject.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import { createEntryMaker } from './log/read-request.ts';
import type { LogContext, RawRequest } from './log/ring-buffer.ts';
import {
  type ConnectionFault,
  type Interference,
  interfereWith,
  type MaybePromise,
  type MockResponse,
  type Mounted,
  originOf,
  type RequestContent,
  type RequestHead,
  withoutContent,
} from './message.ts';
import {
  acceptsMedia,
  type BodyCheck,
  type ContentReader,
  createBodyCheck,
  createContentReader,
} from './request/body.ts';
import { type Cors, type CorsOptions, createCors, isPreflight } from './request/cors.ts';
import { type Authenticator, createAuthenticator, type CredentialsProblem } from './request/credentials.ts';
import { createRateLimiter, type RateLimiter } from './request/rate-limit.ts';
import { createUnknownExplainer, renderSignpost, type UnknownExplainer } from './request/unknown-path.ts';
import { type Store, StoreUnavailable } from './store/store.ts';

/** The steps from a request to its answer. */
export interface Responder {
  /** The most bytes of content that any operation takes. */
  readonly contentLimit: number;
  /** What answers the requests under one path instead; the transports look for it. */
  readonly mounted?: Mounted | undefined;
  /**
   * Takes a request in by its head: preflight, route, rate limit, credentials. It is called once for a
   * request, and {@link Responder.respond} or {@link Responder.conclude} once after it.
   */
  admit(head: RequestHead): Admission;
  /** Answers an admitted request when its content is there. Without a promise where nothing is waited for. */
  respond(admitted: Admitted, content: RequestContent): MaybePromise<MockResponse>;
  /** Gives the answer that the head decided, before it is written. The log shows the content as far as it came. */
  conclude(answered: Answered, content: RequestContent | 'not-read'): MockResponse;
  /** Answers what of a connection cannot be admitted as a request. */
  refuse(rejection: {
    readonly fault: ConnectionFault;
    /** More about it, without a secret and without a stop at its end. */
    readonly detail?: string | undefined;
    /** As far as it could be read. */
    readonly head?: RequestHead;
  }): MockResponse;
}

/** A responder whose contract and policy can be changed while it runs. */
interface LiveResponder extends Responder {
  /** Has the next requests answered by something else; those under way end as they began. */
  readonly change: (basis: Basis) => void;
}

/** What the head of a request comes to. */
export type Admission = Admitted | Answered;

interface Received {
  readonly head: RequestHead;
  /** What it is answered by, from its beginning to its end. */
  readonly basis: Basis;
  /** When its head had come, as performance.now() has it. */
  readonly begun: number;
}

/** A request that waits for its content. */
interface Admitted extends Received {
  readonly kind: 'admitted';
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  readonly operation: PreparedOperation;
  readonly parameters: Readonly<Record<string, string>>;
  /** What comes between it and its answer; undefined where nothing does. */
  readonly interference: Interference | undefined;
}

/** A request whose head decided the answer: it is forced, or a refusal. */
export interface Answered extends Received {
  readonly kind: 'answered';
  readonly answer: MockResponse;
}

/** Creates what answers the requests to a mock. */
export function createResponder(first: Basis, mounted?: Mounted): LiveResponder {
  let current = first;
  return {
    mounted,
    get contentLimit() {
      return current.contentLimit;
    },
    change(basis) {
      current = basis;
    },
    admit(head) {
      const basis = current;
      const begun = performance.now();
      const received = receiveHead(head, basis, { begun, mounted });
      return 'kind' in received
        ? received
        : { kind: 'answered', head, basis, begun, answer: finish(basis, head, received) };
    },
    respond(admitted, content) {
      let answer: MaybePromise<MockResponse>;
      try {
        answer = carryOut(admitted, content);
      } catch (error) {
        answer = refuseUnavailable(admitted.basis, error);
      }
      return answer instanceof Promise
        ? answer
            .catch((error: unknown) => refuseUnavailable(admitted.basis, error))
            .then((made) => complete(admitted, content, made))
        : complete(admitted, content, answer);
    },
    conclude(answered, content) {
      const { head, basis, begun, answer } = answered;
      basis.log?.({ head, begun, content, answer });
      return answer;
    },
    refuse({ fault, detail, head }) {
      const { cors, refuseFault, log } = current;
      const refusal = refuseFault(fault, detail);
      const answer =
        head === undefined || head.header('origin') === undefined
          ? { ...refusal, headers: [...refusal.headers, ...(cors?.fieldsForAny ?? [])] }
          : finish(current, head, refusal);
      log?.({ head: head ?? unread, begun: performance.now(), content: 'not-read', answer });
      return answer;
    },
  };
}

/** What the log shows of what could not be read. */
const unread: Omit<RequestHead, 'header'> = { method: '-', target: '-', fields: () => [] };

function receiveHead(
  head: RequestHead,
  basis: Basis,
  { begun, mounted }: { readonly begun: number; readonly mounted: Mounted | undefined },
): Admitted | MockResponse {
  const { cors, faultInjector } = basis;
  const { path, route } = basis.find(pathOf(head.target));
  if (cors !== undefined && isPreflight(head)) {
    return cors.answerPreflight(head, [...(route?.operations.keys() ?? [])]);
  }
  const declared = operationOf(route, head.method);
  const operation = declared && basis.operations.get(declared);
  const interference =
    faultInjector?.interferes(head) === true
      ? faultInjector.interfere(head, { path, route, challenge: operation?.challenge })
      : undefined;
  if (interference?.forced !== undefined) return interfereWith(interference.forced, interference);
  const { limiter, refuse } = operation ?? basis;
  const seconds = limiter?.();
  if (seconds !== undefined) {
    const message = 'There were too many requests within a second: wait as long as Retry-After says.';
    const headers = ['Retry-After', String(seconds)];
    return interfereWith(refuse({ condition: 'too-many-requests', message, headers }), interference);
  }
  if (route === undefined || operation === undefined) {
    const answer =
      route === undefined
        ? refusePath(head, path, basis, mounted)
        : answerMethod(head.method, path, route, basis);
    return interfereWith(answer, interference);
  }
  const problem = operation.authenticatesFirst ? operation.authenticate?.(head) : undefined;
  if (problem !== undefined) return interfereWith(refuseCredentials(refuse, problem), interference);
  const { mustAccept } = operation;
  if (mustAccept !== undefined && !acceptsMedia(head.header('accept') ?? '*/*', mustAccept)) {
    const message = `The answer is ${mustAccept}, which the Accept of the request does not allow.`;
    return interfereWith(refuse({ condition: 'not-acceptable', message }), interference);
  }
  const { parameters } = route;
  return { kind: 'admitted', head, basis, begun, path, operation, parameters, interference };
}

/** The steps that need its content too: read and validate it, authenticate where that comes last, and act. */
function carryOut(admitted: Admitted, content: RequestContent): MaybePromise<MockResponse> {
  const { head, path, operation, parameters, interference } = admitted;
  const { refuse } = operation;
  const wrong = findInvalidParameter(admitted);
  if (wrong !== undefined) {
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${wrong.reason}.`,
      problems: () => [explainParameter(wrong, operation.parameters)],
    });
  }
  const reading = operation.readContent?.(head, content) ?? absent;
  if (reading.kind === 'refused') return refuse(reading);
  const bodyProblem =
    reading.kind === 'value' ? operation.checkBody?.(reading.value, reading.exact, reading.media) : undefined;
  if (bodyProblem !== undefined) return refuse({ condition: 'invalid-body', ...bodyProblem });
  const problem = operation.authenticatesFirst ? undefined : operation.authenticate?.(head);
  if (problem !== undefined) return refuseCredentials(refuse, problem);
  return interference?.preferred?.() ?? operation.handle({ head, path, parameters, content: reading });
}

const absent = { kind: 'absent' } as const;
const noMembers: readonly QueryMember[] = [];

function findInvalidParameter({ head, operation, parameters }: Admitted): InvalidParameter | undefined {
  const { checkParameters, readsQuery } = operation;
  if (checkParameters.length === 0) return undefined;
  const source = {
    path: parameters,
    query: readsQuery ? parseQuery(head.target) : noMembers,
    header: (name: string) => head.header(name),
  };
  for (const check of checkParameters) {
    const problem = check(source);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function complete(
  { head, basis, begun, interference }: Admitted,
  content: RequestContent,
  made: MockResponse,
): MockResponse {
  const answer = finish(basis, head, interfereWith(made, interference));
  basis.log?.({ head, begun, content, answer });
  return answer;
}

/** Makes an answer one that its client may have: readable by a page, and without content for HEAD. */
function finish({ cors, date: readDate }: Basis, head: RequestHead, answer: MockResponse): MockResponse {
  const date = readDate?.();
  const dated = date === undefined ? answer : { ...answer, headers: [...answer.headers, 'Date', date] };
  const whole = head.method === 'HEAD' ? withoutContent(dated) : dated;
  const origin = cors && head.header('origin');
  if (cors === undefined || origin === undefined || answer.status === 0) return whole;
  return { ...whole, headers: cors.fieldsFor(origin, whole) };
}

/** The root of a document that has none leads to the inspector: a browser is given a page. */
function refusePath(
  head: RequestHead,
  path: string,
  { refuse, unknown, contract }: Basis,
  mounted: Mounted | undefined,
): MockResponse {
  const message = unknown.explainPath(head.method, path);
  if (path !== '/' || mounted === undefined) return refuse({ condition: 'unknown-path', message });
  const inspector = `${originOf(head)}${mounted.prefix}/`;
  const answer = refuse({
    condition: 'unknown-path',
    message: `${message} Its inspector is at ${inspector}.`,
  });
  const isPage = head.header('accept')?.startsWith('text/html') === true;
  return isPage
    ? {
        ...answer,
        headers: replaceFields(answer.headers, ['Content-Type', 'text/html; charset=utf-8']),
        body: renderSignpost({ title: contract.title, message, inspector }),
      }
    : answer;
}

/** The answer to a method that a path does not have: a refusal, but for OPTIONS, which asks for them (RFC 9110 §9.3.7). */
function answerMethod(
  method: string,
  path: string,
  route: Route,
  { refuse, unknown, policy }: Basis,
): MockResponse {
  const declared = [...route.operations.keys()];
  const answered = new Set([...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  const allow = ['Allow', [...answered].join(', ')];
  if (method === 'OPTIONS') {
    const undeclared = 'other-operations';
    const note = { undeclared, message: 'The methods of the path' } as const;
    return { status: 204, headers: [...allow, 'Cloche-Undeclared', undeclared], body: undefined, note };
  }
  const message = unknown.explainMethod(method, path, declared);
  const isTold = policy['other-operations'].method === 405;
  return refuse({ condition: 'unknown-method', message, headers: isTold ? allow : [] });
}

/** The answer to credentials that are not let in. A 401 must say how to do better (RFC 9110 §11.6.1). */
function refuseCredentials(
  refuse: Refuse,
  { condition, message, challenge }: CredentialsProblem,
): MockResponse {
  const answer = refuse({ condition, message });
  // Where the document requires the field, a made-up value stands there already, which this one takes the place of.
  return answer.status === 401 && challenge !== ''
    ? refuse({ condition, message, headers: ['WWW-Authenticate', challenge] })
    : answer;
}

/** Whatever was thrown but for a store that is away is the mock's own fault. */
function refuseUnavailable({ refuseFault }: Basis, error: unknown): MockResponse {
  if (error instanceof StoreUnavailable) {
    return refuseFault('store-unavailable', `${error.subject}: ${error.reason}`);
  }
  throw error;
}

/** What requests are answered by: a contract and a policy, and all that was made ready once for them. */
export interface Basis {
  readonly find: (path: string) => FoundPath;
  /** It may have examples that the document has none of. */
  readonly contract: Contract;
  /** Of the whole service, with the answers of single operations. */
  readonly policy: Policy;
  readonly operations: ReadonlyMap<Operation, PreparedOperation>;
  readonly contentLimit: number;
  /** Undefined where a preflight is a request like any other. */
  readonly cors: Cors | undefined;
  readonly date: MockClock['date'] | undefined;
  /** Undefined where nothing comes between a request and its answer. */
  readonly faultInjector: FaultInjector | undefined;
  /** For what leads to no operation. */
  readonly limiter: RateLimiter | undefined;
  /** Refuses what leads to no operation. */
  readonly refuse: Refuse;
  readonly unknown: UnknownExplainer;
  /** Answers what is no request, and what came when the store was away. */
  readonly refuseFault: RefuseFault;
  readonly log: ((exchange: Exchange) => void) | undefined;
}

/** An operation with everything that an answer needs, made ready at load. */
interface PreparedOperation {
  readonly authenticate: Authenticator | undefined;
  /** Whether credentials come before the content of the request, or after it. */
  readonly authenticatesFirst: boolean;
  /** The value of WWW-Authenticate for a request that brings nothing. */
  readonly challenge: string | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly parameters: readonly Parameter[];
  readonly checkParameters: readonly ParameterCheck[];
  readonly readsQuery: boolean;
  /** Both undefined where the operation takes no body. */
  readonly readContent: ContentReader | undefined;
  readonly checkBody: BodyCheck | undefined;
  /** The media type that Accept must allow, or undefined where Accept is not looked at. */
  readonly mustAccept: string | undefined;
  readonly refuse: Refuse;
  readonly handle: OperationHandler;
}

interface BasisSettings {
  readonly policy: Policy;
  readonly store: Store;
  /** What is let in where the policy says `listed`. */
  readonly tokens: ReadonlySet<string> | 'any';
  readonly samples: ReadonlyMap<Operation, OperationHandler>;
  readonly clock: () => number;
  /** Left out where the Date of responses is the machine's. */
  readonly date?: MockClock['date'];
  /** Left out where neither rules nor requests have a say in what goes wrong. */
  readonly faults?: FaultMatcher;
  /** How what a request wants made up is made; goes with the faults. */
  readonly sampling?: Sampling;
  readonly cors?: CorsOptions | false;
  readonly log?: LogSettings;
}

/**
 * Makes ready what requests are answered by.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema of the document cannot be compiled
 */
export function prepareBasis(contract: Contract, settings: BasisSettings): Basis {
  const { policy, clock, date, faults, cors = false, log, sampling } = settings;
  const errorShape = findErrorShape(contract.operations);
  const limiter = createRateLimiter(policy['rate-limit'], clock);
  const limits = contract.operations.map(({ id }) => policyOf(policy, id)['body-limit'].bytes);
  return {
    find: createPathFinder(contract),
    contract,
    policy,
    operations: new Map(
      contract.operations.map((operation) => [
        operation,
        prepareOperation(operation, contract, { ...settings, limiter }),
      ]),
    ),
    contentLimit: Math.max(policy['body-limit'].bytes, ...limits),
    cors: cors === false ? undefined : createCors(contract, cors),
    date,
    faultInjector: faults && sampling && createFaultInjector({ contract, policy, faults, sampling }),
    limiter,
    refuse: createRefuser({ operation: undefined, policy, errorShape }),
    unknown: createUnknownExplainer(contract),
    refuseFault: createFaultRefuser(contract),
    log: log && prepareLog(log),
  };
}

/** Compiles the validators of an operation, and matches its refusals with what the document declares. */
function prepareOperation(
  operation: Operation,
  { operations }: Contract,
  settings: BasisSettings & Pick<Basis, 'limiter'>,
): PreparedOperation {
  const { store, tokens, samples, clock, sampling } = settings;
  const { id, parameters, requestBody, responses, security } = operation;
  const declares406 = responses.some(({ status }) => status.kind === 'exact' && status.status === 406);
  const policy = policyOf(settings.policy, id);
  const ownLimit = settings.policy.operations?.[id]?.['rate-limit'];
  const reading = toValidationMode(policy);
  const errorShape = findErrorShape([operation, ...operations]);
  const refuse = createRefuser({ operation, policy, errorShape });
  const clamped = policy['limit-above-maximum'] === 'clamp' && findLimitMaximum(operation)?.parameter;
  const authenticate = createAuthenticator(security, policy['accepted-tokens'] === 'any' ? 'any' : tokens);
  return {
    authenticate,
    authenticatesFirst: policy['auth-order'] === 'before',
    challenge: authenticate?.({ ...unread, header: () => undefined })?.challenge,
    limiter: ownLimit === undefined ? settings.limiter : createRateLimiter(ownLimit, clock),
    parameters,
    checkParameters: parameters.map((parameter) => {
      const required = parameter.required && !asksForMatch(operation, parameter);
      const passes = parameter === clamped ? 'maximum' : undefined;
      return createParameterCheck({ ...parameter, required }, reading, passes);
    }),
    readsQuery: parameters.some((parameter) => parameter.in === 'query'),
    readContent: requestBody && createContentReader(requestBody, policy),
    checkBody: requestBody && createBodyCheck(requestBody, policy, reading),
    mustAccept:
      policy.accept === 406 || declares406
        ? chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.contentType
        : undefined,
    refuse,
    handle:
      samples.get(operation) ??
      prepareHandler({ operation, policy, reading, store, refuse, clock, sampling }, operations),
  };
}

/** A request with its answer, which is about to be written. */
interface Exchange extends Pick<RawRequest, 'content' | 'answer'> {
  readonly head: Omit<RequestHead, 'header'>;
  readonly begun: number;
}

interface LogSettings {
  /** Keeps a request, and gives it its id. */
  readonly record: (raw: RawRequest) => void;
  readonly log: ((entry: RequestLogEntry) => void) | undefined;
  readonly clock: MockClock;
  readonly context: LogContext;
}

function prepareLog({ record, log, clock, context }: LogSettings): (exchange: Exchange) => void {
  const toEntry = log && createEntryMaker(context);
  return ({ head, begun, content, answer }) => {
    const takenMs = performance.now() - begun;
    const raw: RawRequest = {
      id: 0,
      // A clock that stands still stood there when the head came, too.
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
    record(raw);
    if (toEntry !== undefined) {
      log?.(toEntry(raw));
    }
  };
}
