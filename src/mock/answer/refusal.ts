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
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { codeName, statusName } from '../../policy/error-code.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition, QuestionId, RefusedCredentials } from '../../policy/question.ts';
import { readPattern } from '../../schema/pattern.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import {
  type ConnectionFault,
  type MockResponse,
  quoteClause,
  type RequestProblem,
  type Undeclared,
} from '../message.ts';
import {
  chooseSentMedia,
  renderText,
  replaceFields,
  sampleHeaders,
  type SentMedia,
} from './representation.ts';
import { fitLength } from './sample-text.ts';
import { mergeSchema, sampleValue } from './sample-value.ts';

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
    body: status === 204 || status === 304 ? undefined : (body?.({ status, code, condition, message }) ?? ''),
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
  readonly body: ((facts: ErrorFacts) => string) | undefined;
  /** Whether it is in a notation of ours, in place of one that only the service knows. */
  readonly isStandIn?: true;
}

/** What an error body can say. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or what the policy gives the condition. */
  readonly code: number;
  /** `forced` where a fault or a preference decided the answer, and its status says no more. */
  readonly condition: Condition | ConnectionFault | 'forced';
  readonly message: string;
}

/** The titles of problems that say no more than their status (RFC 9457 §4.2.1, RFC 9110 §15). */
const statusTitles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An error as RFC 9457 §3 has it, with the condition for programs, and the number that a policy gives it. */
const problemOf = ({ status, code, condition, message }: ErrorFacts): JsonObject => ({
  type: 'about:blank',
  title: statusTitles[status] ?? condition.replaceAll('-', ' '),
  status,
  detail: message,
  condition,
  ...(code === status ? {} : { code }),
});

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

/**
 * The shape of a declared response, prepared; undefined where no body can be made that its schema accepts, or where that
 * cannot be compiled.
 */
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
  const body = createErrorBody(sent);
  if (body !== undefined) return { headers: fields, body };
  const standIn = sent.isJson ? undefined : createErrorBody({ ...sent, isJson: true }, renderText);
  return standIn && { headers: fields, body: standIn, isStandIn: true };
}

type Fill = (facts: ErrorFacts) => JsonValue | undefined;

/** What carries the reason where a schema names nothing that could: the first that it takes. */
const bareWays: readonly Fill[] = [
  problemOf,
  ({ message }) => ({ message }),
  ({ message }) => message,
  (facts) => [problemOf(facts)],
];

const plainFacts: ErrorFacts = {
  status: 400,
  code: 400,
  condition: 'invalid-body',
  message: 'The body is not valid.',
};

/**
 * Prepares the error bodies of a declared media type, filled by role.
 *
 * A body is checked with the declared schema before it is used, both now and when it is written; where the
 * sentence of the moment does not fit, the body made now stands in for it. Undefined where the schema accepts none.
 *
 * @param render - writes values where they need not be texts
 */
export function createErrorBody(
  { media, contentType, isJson }: SentMedia,
  render: typeof renderText = (_, value) => stringifyJson(value),
): RefusalShape['body'] {
  const compiled = media.schema;
  const examples = [true, false].flatMap((fillsNull) =>
    media.examples.map(
      (example): Fill =>
        (facts) =>
          fillExample(example, facts, fillsNull),
    ),
  );
  if (compiled === undefined) {
    if (!isJson) return bodyShapes.other.body;
    const [way = problemOf] = examples;
    return (facts) => stringifyJson(way(facts) ?? problemOf(facts));
  }
  const validate = compiled.validator({ formats: 'assert', integers: 'by-value' });
  const write = (value: JsonValue): string => (isJson ? render : renderText)(contentType, value);
  function accepts(body: JsonValue | undefined): body is JsonValue {
    return (
      body !== undefined &&
      (isJson || typeof body === 'string') &&
      validate.accepts(body, holdsExactNumber(body))
    );
  }
  const given = [
    ...examples,
    ...media.examples.map(
      (example): Fill =>
        () =>
          example,
    ),
  ];
  const named = waysToFill(compiled.schema);
  const ways = isBare(compiled.schema)
    ? [...given, ...bareWays, ...named]
    : [...named, ...given, ...bareWays];
  const possible = (isJson ? ways : [({ message }: ErrorFacts) => message, ...given]).filter((fill) =>
    accepts(fill(plainFacts)),
  );
  const way = possible.find((fill) => !isEmpty(fill(plainFacts))) ?? possible[0];
  const fallback = way?.(plainFacts);
  if (way === undefined || fallback === undefined) return undefined;
  return (facts) => {
    const body = way(facts);
    return write(accepts(body) ? body : fallback);
  };
}

/** Whether a schema names no place that a reason could have. */
function isBare(schema: JsonSchema): boolean {
  if (isJsonObject(schema)) {
    const merged = mergeSchema(schema, schema);
    if ('properties' in merged || 'enum' in merged || 'const' in merged) return false;
  }
  const made = sampleValue(schema);
  return typeof made === 'string' || isEmpty(made);
}

const isContainer = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  isJsonObject(value) || Array.isArray(value);

const isEmpty = (value: JsonValue | undefined): boolean =>
  isContainer(value) && Object.keys(value).length === 0;

/**
 * An error that the document gives as an example, with the facts of the moment where they have a place in it.
 *
 * @param fillsNull - whether the sentence takes the place of a null
 */
function fillExample(example: JsonValue, facts: ErrorFacts, fillsNull: boolean): JsonValue {
  if (Array.isArray(example)) return example.map((item) => fillExample(item, facts, fillsNull));
  if (!isJsonObject(example)) return example;
  const filled: JsonObject = {};
  for (const [name, value] of Object.entries(example)) {
    const type = fillsNull && value === null && messageName.test(name) ? 'string' : typeof value;
    const fact = isContainer(value) ? undefined : fillErrorProperty(name, { type }, facts);
    setOwn(filled, name, fact ?? fillExample(value, facts, fillsNull));
  }
  return filled;
}

function waysToFill(schema: JsonSchema): readonly Fill[] {
  return [
    (facts) => sampleValue(schema, (name, property) => fillErrorProperty(name, property, facts)),
    (facts) =>
      sampleValue(schema, (name, property) => {
        const value = fillErrorProperty(name, property, facts);
        return typeof value === 'string' ? value : undefined;
      }),
    () => sampleValue(schema),
  ];
}

const messageName =
  /^(?:message|msg|detail|details|description|error_?description|reason|error_?message|text|error)$/iu;
const titleName = /^(?:title|summary)$/iu;
const kindName = /^(?:code|error_?code|kind|type|name)$/iu;

/**
 * Fills a property of an error body by its role: a number called status takes the HTTP status, one called
 * code or error the number of the error; a text called message, detail or the like takes the sentence, one
 * called title or code the condition. One without such a role is left to be sampled.
 */
function fillErrorProperty(name: string, schema: JsonObject, facts: ErrorFacts): JsonValue | undefined {
  const { enum: listed, ...further } = schema;
  if ('const' in schema) return undefined;
  if (Array.isArray(listed)) {
    const fact = fillErrorProperty(name, further, facts);
    return fact !== undefined && listed.includes(fact) ? fact : undefined;
  }
  const types = [schema['type']].flat();
  if (types.includes('integer') || types.includes('number')) {
    if (statusName.test(name)) return facts.status;
    return codeName.test(name) ? facts.code : undefined;
  }
  if (!types.includes('string') || 'format' in schema) return undefined;
  const text = textFor(name, facts);
  const fitted = statusName.test(name) || text === undefined ? text : fitLength(text, schema);
  const { pattern } = schema;
  const fits = fitted !== undefined && (typeof pattern !== 'string' || readPattern(pattern).test(fitted));
  return fits ? fitted : undefined;
}

function textFor(name: string, { status, condition, message }: ErrorFacts): string | undefined {
  if (messageName.test(name)) return message;
  if (titleName.test(name)) return condition.replaceAll('-', ' ');
  if (statusName.test(name)) return String(status);
  return kindName.test(name) ? condition : undefined;
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
