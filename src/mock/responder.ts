import {
  createParameterCheck,
  type InvalidParameter,
  type ParameterCheck,
} from '../contract/check-parameters.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Parameter, parseQuery, type QueryMember } from '../contract/read-parameters.ts';
import { findSuccessResponse } from '../contract/responses.ts';
import { createDeclaredPaths } from '../contract/router.ts';
import { pathOf } from '../http/path.ts';
import { type Policy, policyOf } from '../policy/policy.ts';
import { prepareCreate } from './act/create-resource.ts';
import { type Act, toSchemaReading } from './act/stored-form.ts';
import { createRefuser, explainParameter, findErrorShape, type Refuse } from './answer/refusal.ts';
import { chooseSentMedia } from './answer/representation.ts';
import type { MockClock } from './clock.ts';
import type { FaultBook } from './faults/fault-rules.ts';
import { createFaultRefuser, createInterferer, type Interferer } from './faults/inject.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import { createEntryMaker } from './log/read-request.ts';
import type { LogContext, RawRequest } from './log/ring-buffer.ts';
import {
  type ConnectionFault,
  type Interference,
  interfereWith,
  type MaybePromise,
  type MockAnswer,
  type Mounted,
  type RequestContent,
  type RequestHead,
  whenThere,
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
import { createRateLimiters } from './request/rate-limit.ts';
import { createUnknownExplainer } from './request/unknown-path.ts';
import { type Store, StoreUnavailable } from './store/store.ts';

/** The answer to credentials that are not let in. A 401 must say how to do better (RFC 9110 §11.6.1). */
function refuseCredentials(
  refuse: Refuse,
  { condition, message, challenge }: CredentialsProblem,
): MockAnswer {
  const answer = refuse({ condition, message });
  // Where the document requires the field, a made-up value stands there already, which this one takes the place of.
  return answer.status === 401 && challenge !== ''
    ? refuse({ condition, message, headers: ['WWW-Authenticate', challenge] })
    : answer;
}

/** An operation with everything that an answer needs, made ready at load. */
interface PreparedOperation {
  /** Undefined where no credentials are asked for. */
  readonly authenticate: Authenticator | undefined;
  /** Whether credentials come before the content of the request, or after it. */
  readonly authenticatesFirst: boolean;
  readonly parameters: readonly Parameter[];
  readonly checkParameters: readonly ParameterCheck[];
  /** Whether a parameter stands in the query. */
  readonly readsQuery: boolean;
  /** Both undefined where the operation takes no body. */
  readonly readContent: ContentReader | undefined;
  readonly checkBody: BodyCheck | undefined;
  /** The media type that Accept must allow, or undefined where Accept is not looked at. */
  readonly mustAccept: string | undefined;
  readonly refuse: Refuse;
  readonly act: Act;
}

/** A request that waits for its content. */
interface Admitted {
  readonly kind: 'admitted';
  readonly head: RequestHead;
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  readonly operation: PreparedOperation;
  /** The values of the path's parameters, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** When its head had come, in milliseconds of the timer that the responder was given. */
  readonly begun: number;
  /** What comes between it and its answer; undefined where nothing does. */
  readonly interference: Interference | undefined;
}

/** A request whose head decided the answer: it is forced, or a refusal. */
export interface Answered {
  readonly kind: 'answered';
  readonly head: RequestHead;
  readonly answer: MockAnswer;
  /** As that of {@link Admitted}. */
  readonly begun: number;
}

/** What the head of a request comes to. */
export type Admission = Admitted | Answered;

/** What of a connection cannot be admitted as a request. */
interface Rejection {
  readonly fault: ConnectionFault;
  /** More about it, without a secret and without a stop at its end. */
  readonly detail?: string | undefined;
  /** As far as it could be read. */
  readonly head?: RequestHead;
}

/** The steps of an answer. */
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
  respond(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer>;
  /**
   * Gives the answer that the head decided, before it is written.
   *
   * @param content - whoever reads the log wants to see it; `not-read` where it is not waited for
   */
  conclude(answered: Answered, content: RequestContent | 'not-read'): MockAnswer;
  /** Answers what cannot be admitted at all. */
  refuse(rejection: Rejection): MockAnswer;
}

const noMembers: readonly QueryMember[] = [];
const absent = { kind: 'absent' } as const;

function findParameterProblem({ head, operation, parameters }: Admitted): InvalidParameter | undefined {
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

/**
 * The steps that need the content of a request: read it, validate it and the parameters, authenticate where
 * that comes last, and act.
 */
function answerContent(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer> {
  const { head, path, operation } = admitted;
  const { readContent, checkBody, authenticate, authenticatesFirst, refuse } = operation;
  const parameterProblem = findParameterProblem(admitted);
  if (parameterProblem !== undefined) {
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${parameterProblem.reason}.`,
      problems: () => [explainParameter(parameterProblem, operation.parameters)],
    });
  }
  const reading = readContent === undefined ? absent : readContent(head, content);
  if (reading.kind === 'refused') return refuse(reading);
  const bodyProblem =
    reading.kind === 'value' ? checkBody?.(reading.value, reading.exact, reading.media) : undefined;
  if (bodyProblem !== undefined) return refuse({ condition: 'invalid-body', ...bodyProblem });
  const credentials = authenticatesFirst ? undefined : authenticate?.(head);
  const preferred = admitted.interference?.preferred;
  if (credentials === undefined && preferred !== undefined) return preferred;
  return credentials === undefined
    ? operation.act({ head, path, parameters: admitted.parameters, content: reading })
    : refuseCredentials(refuse, credentials);
}

/** Takes a request in, or answers it. */
type Admit = (head: RequestHead, begun: number) => Admitted | MockAnswer;

/**
 * Prepares the steps that need the head of a request alone: preflight, route, rate limit, credentials where
 * they come first, Accept.
 *
 * @param input.clock - milliseconds
 */
function createAdmit(input: {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly prepared: ReadonlyMap<Operation, PreparedOperation>;
  /** Undefined where nothing comes between a request and its answer. */
  readonly interferer: Interferer | undefined;
  /** Undefined where a preflight is a request like any other. */
  readonly cors: Cors | undefined;
  readonly clock: () => number;
}): Admit {
  const { contract, policy, prepared, interferer, cors } = input;
  const { route, toDeclaredPath } = createDeclaredPaths(contract);
  const errorShape = findErrorShape(contract.operations);
  const refuseOther = createRefuser({ operation: undefined, policy, errorShape });
  const { explainPath, explainMethod } = createUnknownExplainer(contract);
  const limiters = createRateLimiters({ contract, policy, clock: input.clock });

  function refuseUnknown(head: RequestHead, path: string, methods: readonly string[]): MockAnswer {
    if (methods.length === 0) {
      const message = explainPath(head.method, path);
      return refuseOther({ condition: 'unknown-path', message });
    }
    const allowed = methods.join(', ');
    const message = explainMethod({ method: head.method, path, allowed: methods });
    const answer = refuseOther({ condition: 'unknown-method', message });
    return answer.status === 405 ? { ...answer, headers: [...answer.headers, 'Allow', allowed] } : answer;
  }

  function refuseHurry(operation: PreparedOperation | undefined, seconds: number): MockAnswer {
    const refuse = operation?.refuse ?? refuseOther;
    const message = 'There were too many requests within a second: wait as long as Retry-After says.';
    return refuse({ condition: 'too-many-requests', message, headers: ['Retry-After', String(seconds)] });
  }

  function refuseHead(
    head: RequestHead,
    { authenticate, authenticatesFirst, mustAccept, refuse }: PreparedOperation,
  ): MockAnswer | undefined {
    const problem = authenticatesFirst ? authenticate?.(head) : undefined;
    if (problem !== undefined) return refuseCredentials(refuse, problem);
    const accept = mustAccept === undefined ? undefined : head.header('accept');
    if (accept === undefined || mustAccept === undefined || acceptsMedia(accept, mustAccept)) {
      return undefined;
    }
    const message = `The answer is ${mustAccept}, which the Accept of the request does not allow.`;
    return refuse({ condition: 'not-acceptable', message });
  }

  /** The value of WWW-Authenticate for a request that brings nothing. */
  function challengeOf(operation: Operation): string | undefined {
    const bare = { method: operation.method, target: '', header: () => undefined, fields: () => [] };
    return prepared.get(operation)?.authenticate?.(bare)?.challenge;
  }

  return (head, begun) => {
    const path = toDeclaredPath(pathOf(head.target));
    const found = route(path);
    if (cors !== undefined && isPreflight(head)) {
      return cors.answerPreflight(head, [...(found?.operations.keys() ?? [])]);
    }
    const interference =
      interferer?.interferes(head) === true
        ? interferer.interfere(head, { path, route: found, challengeOf })
        : undefined;
    if (interference?.forced !== undefined) return interfereWith(interference.forced, interference);
    const declared = found?.operations.get(head.method);
    const operation = declared === undefined ? undefined : prepared.get(declared);
    const seconds = (declared === undefined ? limiters.general : limiters.of(declared))?.();
    if (seconds !== undefined) return interfereWith(refuseHurry(operation, seconds), interference);
    if (found === undefined || operation === undefined) {
      return interfereWith(refuseUnknown(head, path, [...(found?.operations.keys() ?? [])]), interference);
    }
    const refusal = refuseHead(head, operation);
    return refusal === undefined
      ? { kind: 'admitted', head, path, operation, parameters: found.parameters, begun, interference }
      : interfereWith(refusal, interference);
  };
}

/** What all operations of a mock have in common. */
interface Preparation {
  /** Of the whole service, with the answers of single operations. */
  readonly policy: Policy;
  readonly store: Store;
  /** What is let in where the policy says `listed`; see createCredentialCheck. */
  readonly tokens: ReadonlySet<string> | 'any';
  /** All of the contract. */
  readonly operations: readonly Operation[];
  /** The answers of the operations that no state can answer. */
  readonly samples: ReadonlyMap<Operation, Act>;
}

function acceptedType(operation: Operation, policy: Policy): string | undefined {
  const declares406 = operation.responses.some(
    ({ status }) => status.kind === 'exact' && status.status === 406,
  );
  return policy.accept === 406 || declares406
    ? chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.contentType
    : undefined;
}

/**
 * Makes an operation ready to answer: its validators compiled, its refusals matched with what the document
 * declares.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
function prepareOperation(operation: Operation, preparation: Preparation): PreparedOperation {
  const { store, tokens, operations, samples } = preparation;
  const policy = policyOf(preparation.policy, operation.id);
  const { kind, parameters, requestBody, security } = operation;
  const reading = toSchemaReading(policy);
  const errorShape = findErrorShape([operation, ...operations]);
  const refuse = createRefuser({ operation, policy, errorShape });
  const sample = samples.get(operation);
  const act =
    sample ??
    prepareCreate({
      operation,
      key: kind.kind === 'create' ? kind.key : { kind: 'none', evidence: '' },
      policy,
      reading,
      store,
      refuse,
    });
  return {
    authenticate: createAuthenticator(security, policy['accepted-tokens'] === 'any' ? 'any' : tokens),
    authenticatesFirst: policy['auth-order'] === 'before',
    parameters,
    checkParameters: parameters.map((parameter) => createParameterCheck(parameter, reading)),
    readsQuery: parameters.some((parameter) => parameter.in === 'query'),
    readContent: requestBody === undefined ? undefined : createContentReader(requestBody, policy),
    checkBody: requestBody === undefined ? undefined : createBodyCheck(requestBody, policy, reading),
    mustAccept: acceptedType(operation, policy),
    refuse,
    act,
  };
}

/**
 * Prepares the steps of an answer for a contract: route, authenticate, read, validate, act, respond.
 *
 * @param preparation.clock - milliseconds
 * @param preparation.timer - milliseconds that no one sets back; only a log needs it
 * @throws ClocheError SCHEMA_UNUSABLE where a schema of the document cannot be compiled
 */
export function createResponder(
  contract: Contract,
  preparation: Preparation & {
    /** Left out where neither rules nor requests have a say in what goes wrong. */
    readonly faults?: FaultBook;
    /** Left out or false where pages of other origins are not let in. */
    readonly cors?: CorsOptions | false;
    readonly clock: () => number;
    readonly timer?: () => number;
  },
): Responder {
  const { policy, faults, cors: options = false, clock, timer } = preparation;
  const prepared = new Map(
    contract.operations.map((operation) => [operation, prepareOperation(operation, preparation)]),
  );
  const interferer = faults && createInterferer({ contract, policy, faults });
  const cors = options === false ? undefined : createCors(contract, options);
  const admit = createAdmit({ contract, policy, prepared, interferer, cors, clock });
  const refuseFault = createFaultRefuser(contract);
  const contentLimits = contract.operations.map(({ id }) => policyOf(policy, id)['body-limit'].bytes);

  /** Makes an answer one that its client may have: readable by a page, and without content for HEAD. */
  function finish(head: RequestHead, answer: MockAnswer): MockAnswer {
    const isHead = head.method === 'HEAD';
    const origin = cors && head.header('origin');
    if (cors === undefined || origin === undefined || answer.status === 0) {
      return isHead ? { ...answer, body: undefined } : answer;
    }
    return { ...answer, headers: cors.fieldsFor(origin, answer), body: isHead ? undefined : answer.body };
  }

  /** Answers for a store that is away. Whatever else was thrown is the mock's own fault. */
  function refuseUnavailable(error: unknown): MockAnswer {
    if (error instanceof StoreUnavailable) {
      return refuseFault('store-unavailable', `${error.subject}: ${error.reason}`);
    }
    throw error;
  }

  function answerWhereStoreIs(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer> {
    try {
      const made = answerContent(admitted, content);
      return made instanceof Promise ? made.catch(refuseUnavailable) : made;
    } catch (error) {
      return refuseUnavailable(error);
    }
  }

  return {
    contentLimit: Math.max(policy['body-limit'].bytes, ...contentLimits),
    admit(head) {
      const begun = timer?.() ?? 0;
      const admitted = admit(head, begun);
      return 'kind' in admitted
        ? admitted
        : { kind: 'answered', head, answer: finish(head, admitted), begun };
    },
    conclude: ({ answer }) => answer,
    respond(admitted, content) {
      const { head, interference } = admitted;
      const made = answerWhereStoreIs(admitted, content);
      return made instanceof Promise
        ? made.then((later) => finish(head, interfereWith(later, interference)))
        : finish(head, interfereWith(made, interference));
    },
    refuse({ fault, detail, head }) {
      const answer = refuseFault(fault, detail);
      return head === undefined || head.header('origin') === undefined
        ? { ...answer, headers: [...answer.headers, ...(cors?.fieldsForAny ?? [])] }
        : finish(head, answer);
    },
  };
}

/** What the log shows of what could not be read. */
const unread: Omit<RequestHead, 'header'> = { method: '-', target: '-', fields: () => [] };

/**
 * A responder that keeps each answer, and tells of it when it is made, before it is written. It is to be given
 * `performance.now` for its timer.
 *
 * @param input.record - keeps a request, and gives it its id
 * @param input.log - is told of each
 */
export function logAnswers(
  responder: Responder,
  input: {
    readonly record: (raw: RawRequest) => void;
    readonly log: ((entry: RequestLogEntry) => void) | undefined;
    readonly clock: MockClock;
    readonly context: LogContext;
  },
): Responder {
  const { record, log, clock, context } = input;
  const toEntry = log === undefined ? undefined : createEntryMaker(context);

  function tell(
    head: Omit<RequestHead, 'header'>,
    { answer, begun, content }: { answer: MockAnswer; begun: number; content: RawRequest['content'] },
  ): void {
    const takenMs = performance.now() - begun;
    const durationMs = takenMs + (answer.delivery?.delayMs ?? 0);
    const raw: RawRequest = {
      id: 0,
      // A clock that stands still stood there when the head came, too.
      time: clock.now() - (clock.isFrozen ? 0 : Math.round(takenMs)),
      durationMs,
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
  }

  return {
    contentLimit: responder.contentLimit,
    admit: (head) => responder.admit(head),
    respond(admitted, content) {
      const { head, begun } = admitted;
      return whenThere(responder.respond(admitted, content), (answer) => {
        tell(head, { answer, begun, content });
        return answer;
      });
    },
    conclude(answered, content) {
      const { head, begun } = answered;
      const answer = responder.conclude(answered, content);
      tell(head, { answer, begun, content });
      return answer;
    },
    refuse(rejection) {
      const answer = responder.refuse(rejection);
      tell(rejection.head ?? unread, { answer, begun: performance.now(), content: 'not-read' });
      return answer;
    },
  };
}
