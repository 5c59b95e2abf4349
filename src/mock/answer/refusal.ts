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
import type { Condition, QuestionId, RefusedCredentials } from '../../policy/question.ts';
import { type MockResponse, quoteClause, type RequestProblem, type Undeclared } from '../message.ts';
import { createErrorBody, problemOf, type WriteError } from './error-body.ts';
import { chooseSentMedia, replaceFields, sampleHeaders, writesAnyValue } from './representation.ts';

/** Makes the answer to a request that is refused. */
export type Refuse = (refusal: {
  readonly condition: Condition;
  /** What was wrong and where, as a sentence. It holds no secret. */
  readonly message: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
  /** Further fields, names and values in turn. */
  readonly headers?: readonly string[];
}) => MockResponse;

interface RefuserInput {
  /** Undefined for paths and methods that the document does not have. */
  readonly operation: Operation | undefined;
  readonly policy: Policy;
  /** Looks what errors look like that are not declared. */
  readonly findShape: () => RefusalShape;
}

/**
 * Makes the refusals of an operation, or of what leads to none: each condition is matched, when it first comes up, with
 * the declared response that carries it, and what is not declared is answered as the policy says and marked with the
 * field `Cloche-Undeclared`.
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
  const own = plan.isTold === true ? listed.filter(({ status }) => status === plan.status) : [];
  const candidates = own.length > 0 ? own : listed;
  const declared = findMade(candidates);
  // What no value was found for has its status all the same.
  const [unmade] = declared === undefined ? candidates : [];
  const isStandIn = unmade !== undefined || declared?.isStandIn === true;
  const undeclared: Undeclared = isStandIn ? 'not-mocked' : (plan.undeclared ?? condition);
  const isMarked = declared === undefined || isStandIn;
  const shape = declared ?? (plan.body === undefined ? errorShape : bodyShapes[plan.body]);
  // Of a document whose errors never have content, a client would not learn why.
  const isEmptyOnPurpose = declared === undefined && plan.body === 'empty';
  const isTold = shape.body !== undefined || isEmptyOnPurpose || errorShape !== problemShape;
  const body = isTold ? shape.body : problemShape.body;
  const headers = isTold ? shape.headers : [...problemShape.headers, ...shape.headers];
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

/** Which answer a condition is looking for. */
interface RefusalPlan {
  /** The statuses that carry it where the document declares one of them by itself, the best first. */
  readonly declared: readonly number[];
  /** The status where none of those is declared: under a range or `default` of the document, else undeclared. */
  readonly status: number;
  /** Whether no other status means the same, so that none stands in where a body of this one cannot be made. */
  readonly isTold?: true;
  /** What decides an answer that the document does not declare, where that is not the condition. */
  readonly undeclared?: QuestionId;
  /** The body of an undeclared answer; left out for the error of the document. */
  readonly body?: keyof typeof bodyShapes;
}

function planCredentials({ status, body }: RefusedCredentials): RefusalPlan {
  return { declared: [status, 401, 403], status, isTold: true, ...(body !== 'error' && { body }) };
}

const planInvalid = (): RefusalPlan => ({ declared: [400, 422], status: 400 });
const planOther = (status: number): RefusalPlan => ({ declared: [], status, undeclared: 'other-operations' });

/** Which answer a condition gets under a policy, as far as the document does not specify it. */
const plans: Readonly<Record<Condition, (policy: Policy) => RefusalPlan>> = {
  'missing-credentials': (policy) => planCredentials(policy['missing-credentials']),
  'invalid-credentials': (policy) => planCredentials(policy['invalid-credentials']),
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
    // Of the statuses 409 says the most (RFC 9110 §15.5.10).
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
  'precondition-failed': () => ({ declared: [412, 409], status: 412 }),
  'precondition-required': () => ({ declared: [428], status: 428 }),
  'not-empty': () => ({ declared: [409], status: 409, undeclared: 'deleted-parent' }),
  'unknown-path': ({ 'other-operations': { path } }) => planOther(path),
  'unknown-method': ({ 'other-operations': { method } }) => planOther(method),
  'too-many-requests': () => ({ declared: [429], status: 429, undeclared: 'rate-limit' }),
};

interface RefusalShape {
  /** Content-Type and what the document requires besides, names and values in turn. */
  readonly headers: readonly string[];
  /** Undefined where the answer has no content. */
  readonly body: WriteError | undefined;
  /** Whether it is in a notation of ours, in place of one that only the service knows. */
  readonly isStandIn?: true;
}

const problemShape: RefusalShape = {
  headers: ['Content-Type', 'application/problem+json'],
  body: (facts) => JSON.stringify(problemOf(facts)),
};

/** The shapes of refusals that are not those of the document's errors. */
const bodyShapes = {
  problem: problemShape,
  empty: { headers: [], body: undefined },
  /**
   * Of which is known only that its body is a service's own. A sentence in plain text is what most frameworks send,
   * and a client that reads it as the declared error fails on it here, as it would on the service.
   */
  other: { headers: ['Content-Type', 'text/plain'], body: ({ message }) => message },
} satisfies Readonly<Record<string, RefusalShape>>;

/** A response that the document declares, and the status that it has. */
interface DeclaredRefusal {
  readonly status: number;
  readonly response: DeclaredResponse;
}

/**
 * The declared responses that carry a refusal, the best first: those of the plan's statuses that are declared by themselves,
 * then the range or `default` that speaks for the plan's own status, else what has no meaning of its own.
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
  // A document that has its own status for whatever is wrong with a request does not have 400 too.
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
 * The shape of an error that no response of the document declares: that of the first error which one of the operations
 * declares with content, else what is given, a problem (RFC 9457) by default.
 */
export function findErrorShape(
  operations: readonly Operation[],
  findOther: () => RefusalShape = () => problemShape,
): RefusalShape {
  for (const operation of operations) {
    for (const response of listErrorResponses(operation)) {
      const shape = toRefusalShape(response);
      // Fields that the document requires belong to the response that it declares.
      if (shape?.body !== undefined) return { headers: shape.headers.slice(0, 2), body: shape.body };
    }
  }
  return findOther();
}

/** Several conditions most often share a response. */
const shapes = new WeakMap<DeclaredResponse, RefusalShape | undefined>();

/** The prepared shape of a declared response; undefined if no valid body can be made or its schema cannot be compiled. */
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
  const standIn = createErrorBody(sent, { takesAll: true, isDeclaredFor });
  const mark = writesAnyValue(sent) ? {} : ({ isStandIn: true } as const);
  return standIn && { headers: fields, body: standIn, ...mark };
}

/** Says which parameter is wrong, and which clause of the document says so (OpenAPI 3.1 §4.8.12). */
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
