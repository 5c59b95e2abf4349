import { findInvalidParameter, type InvalidParameter } from '../contract/check-parameters.ts';
import { parseQuery, type QueryMember } from '../http/query.ts';
import { operationOf, type Route, statusOfHead } from '../contract/router.ts';
import { pathOf } from '../http/path.ts';
import { explainParameter, type Refuse } from './answer/refusal.ts';
import { replaceFields, withoutFields } from './answer/representation.ts';
import {
  type ConnectionFault,
  type InjectedFault,
  applyFault,
  type MaybePromise,
  type MockResponse,
  type Mounted,
  originOf,
  type RequestContent,
  type RequestHead,
  whenThere,
  withoutContent,
} from './message.ts';
import { inNextTurn } from './clock.ts';
import { acceptsMedia } from './request/body.ts';
import { isPreflight } from './request/cors.ts';
import type { CredentialsProblem } from './request/credentials.ts';
import { renderSignpost } from './request/unknown-path.ts';
import { StoreUnavailable } from './store/store.ts';
import { type MockContext, type PreparedOperation, unknownHead } from './mock-context.ts';

/** The handling of a request, from its head to its response. */
export interface Responder {
  /** The maximum number of bytes of content that any operation accepts. */
  readonly contentLimit: number;
  /** The handler of the requests under one path; the transports call it directly. */
  readonly mounted?: Mounted | undefined;
  /** Handles a head once: preflight, route, rate limit, credentials. Call `respond` or `conclude` once afterwards. */
  receive(head: RequestHead): ReceivedHead;
  /** Answers a request when its content has arrived. Returns a promise only if it has to wait. */
  respond(accepted: AcceptedHead, content: RequestContent): MaybePromise<MockResponse>;
  /** Logs an early response before it is written, with the part of the content that arrived. Returns it. */
  respondEarly(answered: EarlyResponse, content: RequestContent | 'not-read'): MockResponse;
  /** Answers bytes on a connection that are not a valid request. */
  refuse(rejection: {
    readonly fault: ConnectionFault;
    /** Further explanation, without secrets and without a final full stop. */
    readonly detail?: string | undefined;
    /** The part that could be read. */
    readonly head?: RequestHead;
  }): MockResponse;
}

/** A responder whose contract and policy can be changed while it runs. */
export interface LiveResponder extends Responder {
  /** Replaces the mock context for the next requests; those in flight end under the old one. */
  readonly change: (mockContext: MockContext) => void;
}

/** The result of handling the head of a request. */
export type ReceivedHead = AcceptedHead | EarlyResponse;

interface Received {
  readonly head: RequestHead;
  /** The mock context of the request from its head to its response. */
  readonly mockContext: MockContext;
  /** The time at which its head arrived, from performance.now(). */
  readonly begun: number;
}

/** A request that waits for its content. */
export interface AcceptedHead extends Received {
  readonly kind: 'accepted';
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  readonly operation: PreparedOperation;
  readonly route: Route;
  /** The fault or preference that applies to it, if any. */
  readonly injectedFault: InjectedFault | undefined;
}

/** A request that gets an early response, decided by its head: a forced response or a refusal. */
export interface EarlyResponse extends Received {
  readonly kind: 'early-response';
  readonly answer: MockResponse;
}

/** Creates the responder of a mock. */
export function createResponder(first: MockContext, mounted?: Mounted): LiveResponder {
  let current = first;
  return {
    mounted,
    get contentLimit() {
      return current.contentLimit;
    },
    change(mockContext) {
      current = mockContext;
    },
    receive(head) {
      const mockContext = current;
      const begun = performance.now();
      const received = receiveHead(head, mockContext, { begun, mounted });
      return 'kind' in received
        ? received
        : { kind: 'early-response', head, mockContext, begun, answer: finish(mockContext, head, received) };
    },
    respond(accepted, content) {
      let answer: MaybePromise<MockResponse>;
      try {
        answer = carryOut(accepted, content);
      } catch (error) {
        answer = refuseUnavailable(accepted.mockContext, error);
      }
      return answer instanceof Promise
        ? answer
            .catch((error: unknown) => refuseUnavailable(accepted.mockContext, error))
            .then((made) => complete(accepted, content, made))
        : complete(accepted, content, answer);
    },
    respondEarly(answered, content) {
      const { head, mockContext, begun, answer } = answered;
      mockContext.log?.({ head, begun, content, answer });
      return answer;
    },
    refuse({ fault, detail, head }) {
      const { cors, refuseFault, log } = current;
      const refusal = refuseFault(fault, detail);
      const answer =
        head === undefined || head.header('origin') === undefined
          ? { ...refusal, headers: [...refusal.headers, ...(cors?.fieldsForAny ?? [])] }
          : finish(current, head, refusal);
      log?.({ head: head ?? unknownHead, begun: performance.now(), content: 'not-read', answer });
      return answer;
    },
  };
}

/** Answers a request whose head was handled, when its content has arrived. */
export function answerReceived(
  responder: Responder,
  received: ReceivedHead,
  content: RequestContent,
): MaybePromise<MockResponse> {
  return received.kind === 'accepted'
    ? responder.respond(received, content)
    : responder.respondEarly(received, content);
}

/** The route of a request that is forwarded. */
export const noRoute: Route = { parameters: {}, operations: new Map() };

function receiveHead(
  head: RequestHead,
  mockContext: MockContext,
  { begun, mounted }: { readonly begun: number; readonly mounted: Mounted | undefined },
): AcceptedHead | MockResponse {
  const { cors, faultInjector } = mockContext;
  const { path, route } = mockContext.find(pathOf(head.target));
  if (cors !== undefined && isPreflight(head)) {
    return cors.answerPreflight(head, [...(route?.operations.keys() ?? [])]);
  }
  const declared = operationOf(route, head.method);
  const operation = declared && mockContext.preparedOf(declared);
  const injectedFault =
    faultInjector?.applies(head) === true
      ? faultInjector.inject(head, { path, route, challenge: operation?.challenge })
      : undefined;
  if (injectedFault?.forced !== undefined) return applyFault(injectedFault.forced, injectedFault);
  const { limiter, refuse } = operation ?? mockContext;
  const seconds = limiter?.();
  if (seconds !== undefined) {
    const message = 'There were too many requests within a second: wait as long as Retry-After says.';
    const headers = ['Retry-After', String(seconds)];
    return applyFault(refuse({ condition: 'too-many-requests', message, headers }), injectedFault);
  }
  if (route === undefined || operation === undefined) {
    const { fallback } = mockContext;
    if (fallback !== undefined) {
      const own = { operation: fallback, route: route ?? noRoute };
      return { kind: 'accepted', head, mockContext, begun, path, ...own, injectedFault };
    }
    const answer =
      route === undefined
        ? refusePath(mockContext, { head, path }, mounted)
        : answerMethod(mockContext, { method: head.method, path, route });
    return applyFault(answer, injectedFault);
  }
  const problem = operation.authenticatesFirst ? operation.authenticate?.(head) : undefined;
  if (problem !== undefined) return applyFault(refuseCredentials(refuse, problem), injectedFault);
  const { mustAccept } = operation;
  if (mustAccept?.some((type) => acceptsMedia(head.header('accept') ?? '*/*', type)) === false) {
    const message = `The answer is ${mustAccept.join(' or ')}, which the Accept of the request does not allow.`;
    return applyFault(refuse({ condition: 'not-acceptable', message }), injectedFault);
  }
  return { kind: 'accepted', head, mockContext, begun, path, operation, route, injectedFault };
}

/** Completes the handling with the content: validates it, authenticates if that comes last, and runs the operation. */
function carryOut(accepted: AcceptedHead, content: RequestContent): MaybePromise<MockResponse> {
  const { head, path, operation, route, injectedFault } = accepted;
  const { parameters } = route;
  const { refuse } = operation;
  const wrong = checkParameters(accepted);
  if (wrong !== undefined) {
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${wrong.reason}.`,
      problems: () => [explainParameter(wrong, operation.parameters)],
    });
  }
  const reading = operation.readContent?.(head, content) ?? absent;
  if (reading.kind === 'refused') return refuse(reading);
  const length = typeof content === 'object' ? content.length : 0;
  return inNextTurn(length, () => {
    const bodyProblem =
      reading.kind === 'value'
        ? operation.checkBody?.(reading.value, reading.exact, reading.media)
        : undefined;
    if (bodyProblem !== undefined) return refuse({ condition: 'invalid-body', ...bodyProblem });
    const problem = operation.authenticatesFirst ? undefined : operation.authenticate?.(head);
    if (problem !== undefined) return refuseCredentials(refuse, problem);
    const bytes = typeof content === 'object' ? content : undefined;
    const preferred = injectedFault?.preferred;
    const request = { head, path, parameters, content: reading, bytes, preferred };
    const made = inNextTurn(length, () => operation.handle(request));
    return head.method === 'HEAD' && preferred === undefined
      ? whenThere(made, (answer) => withStatusOfHead(answer, route))
      : made;
  });
}

/** Gives a GET response the success status that HEAD declares. A 204 loses the fields that describe content. */
function withStatusOfHead(answer: MockResponse, route: Route): MockResponse {
  const status = statusOfHead(route, answer.status);
  return status === 204 && answer.status !== 204
    ? { ...answer, status, headers: withoutFields(answer.headers, ['content-type']), body: undefined }
    : { ...answer, status };
}

const absent = { kind: 'absent' } as const;
const noMembers: readonly QueryMember[] = [];

function checkParameters({ head, operation, route }: AcceptedHead): InvalidParameter | undefined {
  const { checkParameters: checks, readsQuery } = operation;
  if (checks.length === 0) return undefined;
  const source = {
    path: route.parameters,
    query: readsQuery ? parseQuery(head.target) : noMembers,
    header: (name: string) => head.header(name),
    target: head.target,
  };
  return findInvalidParameter(checks, source);
}

function complete(
  { head, mockContext, begun, injectedFault }: AcceptedHead,
  content: RequestContent,
  made: MockResponse,
): MockResponse {
  const answer = finish(mockContext, head, applyFault(made, injectedFault));
  mockContext.log?.({ head, begun, content, answer });
  return answer;
}

/** Completes a response for its client: adds Date and the CORS fields, and removes the content for HEAD. */
function finish(
  { cors, date: readDate }: MockContext,
  head: RequestHead,
  answer: MockResponse,
): MockResponse {
  const date = readDate?.();
  const dated =
    date === undefined ? answer : { ...answer, headers: replaceFields(answer.headers, ['Date', date]) };
  const whole = head.method === 'HEAD' ? withoutContent(dated) : dated;
  const origin = cors && head.header('origin');
  if (cors === undefined || origin === undefined || answer.status === 0) return whole;
  return { ...whole, headers: cors.fieldsFor(origin, whole) };
}

/** Refuses an unknown path. For `/`, the response links to the inspector, as a page if the client is a browser. */
function refusePath(
  { refuse, unknown, contract }: MockContext,
  { head, path }: { readonly head: RequestHead; readonly path: string },
  mounted: Mounted | undefined,
): MockResponse {
  const message = unknown.explainPath(head.method, path);
  if (path !== '/' || mounted === undefined) return refuse({ condition: 'unknown-path', message });
  const { prefix } = mounted;
  const origin = originOf(head);
  const answer = refuse({
    condition: 'unknown-path',
    message: `${message} Its inspector is at ${origin}${prefix}/.`,
  });
  const isPage = head.header('accept')?.startsWith('text/html') === true;
  return isPage
    ? {
        ...answer,
        headers: replaceFields(answer.headers, ['Content-Type', 'text/html; charset=utf-8']),
        body: renderSignpost({ contract, message, origin, prefix }),
      }
    : answer;
}

/** Answers a method that the path does not have: with a refusal, or with the methods for OPTIONS (RFC 9110 §9.3.7). */
function answerMethod(
  { refuse, unknown, policy }: MockContext,
  { method, path, route }: { readonly method: string; readonly path: string; readonly route: Route },
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
  const isConfigured = policy['other-operations'].method === 405;
  return refuse({ condition: 'unknown-method', message, headers: isConfigured ? allow : [] });
}

/** Refuses credentials. A 401 must carry a challenge (RFC 9110 §11.6.1), and so must a missing scope (RFC 6750 §3). */
function refuseCredentials(
  refuse: Refuse,
  { condition, message, challenge }: CredentialsProblem,
): MockResponse {
  const answer = refuse({ condition, message });
  // If the document requires the field, the response already has a generated value, which this one replaces.
  const isChallenged = answer.status === 401 || condition === 'insufficient-scope';
  return isChallenged && challenge !== ''
    ? refuse({ condition, message, headers: ['WWW-Authenticate', challenge] })
    : answer;
}

/** Answers if the store is unavailable; rethrows any other error as a bug of the mock. */
function refuseUnavailable({ refuseFault }: MockContext, error: unknown): MockResponse {
  if (error instanceof StoreUnavailable) {
    return refuseFault('store-unavailable', `${error.subject}: ${error.reason}`);
  }
  throw error;
}
