import type { InvalidParameter } from '../../contract/check-parameters.ts';
import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import {
  findDeclaredResponse,
  isOfAnyKind,
  listErrorResponses,
  maySayInvalid,
} from '../../contract/responses.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { appendPointer } from '../../json/pointer.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition, BehaviourId, RefusedCredentials } from '../../policy/behaviour.ts';
import { type MockResponse, quoteClause, type RequestProblem, type Undeclared } from '../message.ts';
import { createErrorBody, problemOf, type WriteError } from './error-body.ts';
import { chooseSentMedia, replaceFields, sampleHeaders, writesAnyValue } from './representation.ts';

/** Returns the response to a rejected request. */
export type Refuse = (refusal: {
  readonly condition: Condition;
  /** The error and its location, as a sentence. It contains no secret. */
  readonly message: string;
  /** Returns the problems of the request, on demand. */
  readonly problems?: () => readonly RequestProblem[];
  /** Further fields: names and values alternate. */
  readonly headers?: readonly string[];
}) => MockResponse;

interface RefuserInput {
  /** Undefined for paths and methods that are not in the document. */
  readonly operation: Operation | undefined;
  readonly policy: Policy;
  /** Finds the form of undeclared errors. */
  readonly findShape: () => RefusalShape;
}

/**
 * Creates the rejections of an operation, or of a request that matches none. At its first use, each condition gets its
 * declared response. If there is none, the policy decides the response, and the field `Cloche-Undeclared` marks it.
 */
export function createRefuser(input: RefuserInput): Refuse {
  const prepared = new Map<Condition, Refuse>();
  return (refusal) => {
    const { condition } = refusal;
    const refuse = prepared.get(condition) ?? prepareRefusal(input, condition);
    prepared.set(condition, refuse);
    return refuse(refusal);
  };
}

function prepareRefusal({ operation, policy, findShape }: RefuserInput, condition: Condition): Refuse {
  const plan = plans[condition](policy);
  const errorShape = findShape();
  const responses = operation?.responses ?? [];
  const listed = listDeclaredRefusals(responses, plan);
  const own = plan.isConfigured === true ? listed.filter(({ status }) => status === plan.status) : [];
  const candidates = own.length > 0 ? own : listed;
  const declared = findMade(candidates);
  // The status is also used if no value was found for its body.
  const [unmade] = declared === undefined ? candidates : [];
  const isStandIn = unmade !== undefined || declared?.isStandIn === true;
  const undeclared: Undeclared = isStandIn ? 'not-mocked' : (plan.undeclared ?? condition);
  const isMarked = declared === undefined || isStandIn;
  const shape = declared ?? (plan.body === undefined ? errorShape : bodyShapes[plan.body]);
  // If the errors of the document never have content, the client would not learn the reason.
  const isEmptyOnPurpose = declared === undefined && plan.body === 'empty';
  const isConfigured = shape.body !== undefined || isEmptyOnPurpose || errorShape !== problemShape;
  const body = isConfigured ? shape.body : problemShape.body;
  const headers = isConfigured ? shape.headers : [...problemShape.headers, ...shape.headers];
  const status = declared?.status ?? unmade?.status ?? plan.status;
  const codes = policy['error-codes'];
  const code = codes === 'status' ? status : (codes[condition] ?? status);
  const allHeaders = isMarked ? [...headers, 'Cloche-Undeclared', undeclared] : headers;
  const about = {
    condition,
    ...(operation && { operation: operation.id }),
    ...(isMarked && { undeclared }),
  };
  return ({ message, problems, headers: further = [] }) => ({
    status,
    headers: further.length === 0 ? allHeaders : replaceFields(allHeaders, further),
    body:
      status === 204 || status === 304
        ? undefined
        : (body?.({ status, code, condition, message, problems }) ?? ''),
    note: problems === undefined ? { ...about, message } : { ...about, message, problems },
  });
}

/** The response that a condition requires. */
interface RefusalPlan {
  /** The statuses that mean it, if the document declares one of them exactly, the best first. */
  readonly declared: readonly number[];
  /** The status if none of those is declared: from a range or `default` of the document, else undeclared. */
  readonly status: number;
  /** Whether no other status has this meaning. Then no other response replaces one without a valid body. */
  readonly isConfigured?: true;
  /** The behaviour that decides an undeclared response, if it is not the condition. */
  readonly undeclared?: BehaviourId;
  /** The body of an undeclared response; omitted for the error of the document. */
  readonly body?: keyof typeof bodyShapes;
}

function planCredentials({ status, body }: RefusedCredentials): RefusalPlan {
  return { declared: [status, 401, 403], status, isConfigured: true, ...(body !== 'error' && { body }) };
}

const planInvalid = (): RefusalPlan => ({ declared: [400, 422], status: 400 });
const planOther = (status: number): RefusalPlan => ({ declared: [], status, undeclared: 'other-operations' });

/** The response to a condition under a policy, if the document does not specify it. */
const plans: Readonly<Record<Condition, (policy: Policy) => RefusalPlan>> = {
  'missing-credentials': (policy) => planCredentials(policy['missing-credentials']),
  'invalid-credentials': (policy) => planCredentials(policy['invalid-credentials']),
  'insufficient-scope': () => ({ declared: [403], status: 403, isConfigured: true }),
  'malformed-body': planInvalid,
  'missing-body': planInvalid,
  'invalid-body': planInvalid,
  'invalid-parameter': planInvalid,
  'unsupported-media-type': (policy) =>
    policy['unsupported-media-type'] === 415
      ? { declared: [415], status: 415 }
      : { declared: [415, 400, 422], status: 400 },
  'body-too-large'({ 'body-limit': { status } }) {
    const declared = status === 400 ? [413, 400, 422] : [413, status];
    return { declared, status, undeclared: 'body-limit' };
  },
  'duplicate-key'(policy) {
    // The most specific of these statuses is 409 (RFC 9110 §15.5.10).
    switch (policy['duplicate-key']) {
      case 'conflict':
        return { declared: [409], status: 409 };
      case 'unprocessable':
        return { declared: [409, 422], status: 422 };
      default:
        return { declared: [409, 422, 400], status: 400 };
    }
  },
  'duplicate-value': () => ({ declared: [409, 422, 400], status: 400, undeclared: 'unique-properties' }),
  'not-acceptable': () => ({ declared: [406], status: 406, undeclared: 'accept' }),
  'not-found': () => ({ declared: [404, 410], status: 404 }),
  forbidden: () => ({ declared: [403], status: 403, undeclared: 'items-of-others' }),
  'precondition-failed': () => ({ declared: [412, 409], status: 412 }),
  'precondition-required': () => ({ declared: [428], status: 428 }),
  // The statuses of draft-ietf-httpapi-idempotency-key-header §2.7.
  'idempotency-key-reused': () => ({ declared: [422, 409, 400], status: 422 }),
  'idempotency-key-in-flight': () => ({ declared: [409], status: 409 }),
  'not-empty': () => ({ declared: [409], status: 409, undeclared: 'deleted-parent' }),
  'unknown-path': ({ 'other-operations': { path } }) => planOther(path),
  'unknown-method': ({ 'other-operations': { method } }) => planOther(method),
  'too-many-requests': () => ({ declared: [429], status: 429, undeclared: 'rate-limit' }),
};

interface RefusalShape {
  /** Content-Type and the other required fields: names and values alternate. */
  readonly headers: readonly string[];
  /** Undefined if the response has no content. */
  readonly body: WriteError | undefined;
  /** Whether it uses our notation in place of one that only the service knows. */
  readonly isStandIn?: true;
}

const problemShape: RefusalShape = {
  headers: ['Content-Type', 'application/problem+json'],
  body: (facts) => JSON.stringify(problemOf(facts)),
};

/** The forms of rejections that differ from the errors of the document. */
const bodyShapes = {
  problem: problemShape,
  empty: { headers: [], body: undefined },
  /**
   * A body in a form that only the service knows. Most frameworks send a plain text sentence. A client that parses it
   * as the declared error fails here as it would on the service.
   */
  other: { headers: ['Content-Type', 'text/plain'], body: ({ message }) => message },
} satisfies Readonly<Record<string, RefusalShape>>;

/** A declared response and its status. */
interface DeclaredRefusal {
  readonly status: number;
  readonly response: DeclaredResponse;
}

/**
 * Lists the declared responses for a rejection, the best first: those with exactly a status of the plan, then the range
 * or `default` for the status of the plan, else those whose status has no specific meaning.
 */
function listDeclaredRefusals(
  responses: readonly DeclaredResponse[],
  plan: RefusalPlan,
): readonly DeclaredRefusal[] {
  if (plan.declared.length === 0) return [];
  const exact = plan.declared.flatMap((status) =>
    responses
      .filter((response) => response.status.kind === 'exact' && response.status.status === status)
      .map((response) => ({ status, response })),
  );
  const covering = findDeclaredResponse(responses, plan.status);
  if (covering !== undefined) return [...exact, { status: plan.status, response: covering }];
  // A document with another status for any invalid request does not also have 400.
  const further = responses.flatMap((response) =>
    plan.status === 400 && response.status.kind === 'exact' && maySayInvalid(response.status.status)
      ? [{ status: response.status.status, response }]
      : [],
  );
  return [...exact, ...further];
}

function findMade(
  candidates: readonly DeclaredRefusal[],
): (RefusalShape & { readonly status: number }) | undefined {
  for (const { status, response } of candidates) {
    const shape = toRefusalShape(response);
    if (shape !== undefined) return { status, ...shape };
  }
  return undefined;
}

/**
 * Returns the form of an undeclared error: the first error with content that one of the operations declares, or else a
 * fallback, by default a problem (RFC 9457).
 */
export function findErrorShape(
  operations: readonly Operation[],
  findOther: () => RefusalShape = () => problemShape,
): RefusalShape {
  for (const operation of operations) {
    for (const response of listErrorResponses(operation)) {
      const shape = toRefusalShape(response);
      // Required fields belong only to the response that declares them.
      if (shape?.body !== undefined) return { headers: shape.headers.slice(0, 2), body: shape.body };
    }
  }
  return findOther();
}

/** The prepared forms. Several conditions usually share a response. */
const shapes = new WeakMap<DeclaredResponse, RefusalShape | undefined>();

/** Prepares the form of a declared response; undefined without a valid body or if its schema cannot be compiled. */
export function toRefusalShape(response: DeclaredResponse): RefusalShape | undefined {
  if (!shapes.has(response)) {
    try {
      shapes.set(response, prepareShape(response));
    } catch (error) {
      if (!(error instanceof ClocheError)) throw error;
      shapes.set(response, undefined);
    }
  }
  return shapes.get(response);
}

function prepareShape(response: DeclaredResponse): RefusalShape | undefined {
  const headers = sampleHeaders(response.headers);
  const sent = chooseSentMedia(response.media);
  if (sent === undefined) return { headers, body: undefined };
  const { other } = bodyShapes;
  if (isOfAnyKind(sent.media)) return { headers: [...other.headers, ...headers], body: other.body };
  const fields = ['Content-Type', sent.contentType, ...headers];
  const isDeclaredFor = (status: number): boolean => findDeclaredResponse([response], status) !== undefined;
  const body = createErrorBody(sent, { isDeclaredFor });
  if (body !== undefined) return { headers: fields, body };
  const fallback = createErrorBody(sent, { takesAll: true, isDeclaredFor });
  const mark = writesAnyValue(sent) ? {} : ({ isStandIn: true } as const);
  return fallback && { headers: fields, body: fallback, ...mark };
}

/** Describes an invalid parameter and the clause of the document that it violates (OpenAPI 3.1 §4.8.12). */
export function explainParameter(
  { name, in: place, pointer, keyword, schemaPointer, reason }: InvalidParameter,
  parameters: readonly Parameter[],
): RequestProblem {
  const schema = parameters.find((parameter) => parameter.pointer === pointer)?.schema;
  const clause =
    schema === undefined || schemaPointer === undefined
      ? { pointer: appendPointer(pointer, keyword), text: `${keyword}: true` }
      : { pointer: schema.placeOf(schemaPointer), text: quoteClause(schema.schema, schemaPointer) };
  return { parameter: { in: place, name }, reason, clause: { in: 'document', ...clause } };
}
