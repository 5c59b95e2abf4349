import type { InvalidParameter } from '../../contract/check-parameters.ts';
import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { findDeclaredResponse, isOfAnyKind, listErrorResponses } from '../../contract/responses.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition, QuestionId, RefusedCredentials } from '../../policy/question.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { type ConnectionFault, type MockAnswer, quoteClause, type RequestProblem } from '../message.ts';
import { chooseSentMedia, replaceFields, type SentMedia } from './representation.ts';
import { fitLength, sampleHeaders, sampleValue } from './sample-value.ts';

/** What an error body can say. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or what the policy gives the condition. */
  readonly code: number;
  /** `forced` where a fault or a preference decided the answer, and its status says no more. */
  readonly condition: Condition | ConnectionFault | 'forced';
  /** What was wrong and where, in words. */
  readonly message: string;
}

const statusName = /^(?:http_?)?status(?:_?code)?$/iu;
const codeName = /^(?:error|error_?code|code|number|errno|error_?number)$/iu;
const messageName =
  /^(?:message|msg|detail|details|description|error_?description|reason|error_?message|text|error)$/iu;
const titleName = /^(?:title|summary)$/iu;
const kindName = /^(?:code|error_?code|kind|type|name)$/iu;

function hasType(schema: JsonObject, type: string): boolean {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.includes(type);
}

function fitsPattern(text: string, { pattern }: JsonObject): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
}

function fillText(name: string, schema: JsonObject, facts: ErrorFacts): string | undefined {
  if ('format' in schema) return undefined;
  if (messageName.test(name)) return fitLength(facts.message, schema);
  if (titleName.test(name)) return fitLength(facts.condition.replaceAll('-', ' '), schema);
  if (statusName.test(name)) return String(facts.status);
  return kindName.test(name) ? fitLength(facts.condition, schema) : undefined;
}

/**
 * Fills a property of an error body by its role: a number called status takes the HTTP status, one called
 * code or error the number of the error; a text called message, detail or the like takes the sentence, one
 * called title or code the condition.
 *
 * @param schema - that of the property, merged
 * @returns undefined where the property has no such role
 */
function fillErrorProperty(name: string, schema: JsonObject, facts: ErrorFacts): JsonValue | undefined {
  if ('const' in schema || 'enum' in schema) return undefined;
  if (hasType(schema, 'integer') || hasType(schema, 'number')) {
    if (statusName.test(name)) return facts.status;
    return codeName.test(name) ? facts.code : undefined;
  }
  const text = hasType(schema, 'string') ? fillText(name, schema, facts) : undefined;
  return text !== undefined && fitsPattern(text, schema) ? text : undefined;
}

/** Writes an error body. */
type ErrorBody = (facts: ErrorFacts) => string;

type Fill = (facts: ErrorFacts) => JsonValue | undefined;

const plainFacts: ErrorFacts = {
  status: 400,
  code: 400,
  condition: 'invalid-body',
  message: 'The body is not valid.',
};

/** Ways to fill a schema, the most telling first. */
function waysToFill(schema: JsonSchema): readonly Fill[] {
  const root = isJsonObject(schema) ? schema : {};
  return [
    (facts) =>
      sampleValue({ schema, root, fill: (name, property) => fillErrorProperty(name, property, facts) }),
    (facts) =>
      sampleValue({
        schema,
        root,
        fill: (name, property) => {
          const value = fillErrorProperty(name, property, facts);
          return typeof value === 'string' ? value : undefined;
        },
      }),
    () => sampleValue({ schema, root }),
  ];
}

/** What an error is where the document does not say. */
const plainError: Fill = ({ code, message }) => ({ error: code, message });

/** Whether an empty object would be made for a schema that names no property. */
function isBare(schema: JsonSchema): boolean {
  const root = isJsonObject(schema) ? schema : {};
  const made = 'properties' in root ? undefined : sampleValue({ schema, root });
  return made !== undefined && isJsonObject(made) && Object.keys(made).length === 0;
}

/**
 * Prepares the error bodies of a declared media type, filled by role.
 *
 * A body is checked with the declared schema before it is used, both now and when it is written; where the
 * sentence of the moment does not fit, the body made now stands in for it.
 *
 * @returns undefined where no body that the schema accepts can be made
 */
export function createErrorBody({ media, isJson }: SentMedia): ErrorBody | undefined {
  if (media.schema === undefined) {
    return isJson ? (facts) => JSON.stringify(plainError(facts)) : ({ message }) => message;
  }
  const validate = media.schema.validator({ formats: 'assert', integers: 'by-value' });
  const write = isJson ? stringifyJson : String;
  function accepts(body: JsonValue | undefined): body is JsonValue {
    return (
      body !== undefined &&
      (isJson || typeof body === 'string') &&
      validate(body, holdsExactNumber(body)).length === 0
    );
  }
  const examples: readonly Fill[] = media.examples.map((example) => () => example);
  const first = isJson && isBare(media.schema.schema) ? [...examples, plainError] : [];
  const ways: readonly Fill[] = isJson ? waysToFill(media.schema.schema) : [({ message }) => message];
  const way = [...first, ...ways, ...examples].find((fill) => accepts(fill(plainFacts)));
  const fallback = way?.(plainFacts);
  if (way === undefined || fallback === undefined) return undefined;
  return (facts) => {
    const body = way(facts);
    return write(accepts(body) ? body : fallback);
  };
}

/**
 * A refusal of which is known only that its body is a service's own. A sentence in plain text is what most frameworks send,
 * and a client that reads it as the declared error fails on it here, as it would on the service.
 */
const ownShape: RefusalShape = {
  headers: ['Content-Type', 'text/plain'],
  body: ({ message }) => message,
};

/** Which answer a condition is looking for. */
interface RefusalPlan {
  /** Statuses that the document may declare for it one by one, the likeliest first; such a one wins over the policy. */
  readonly declared: readonly number[];
  /** The status where none of those is declared: under a range or `default` of the document, else undeclared. */
  readonly status: number;
  /** What decides an answer that the document does not declare. */
  readonly undeclared: QuestionId | Condition;
  /** The body of an undeclared answer. */
  readonly body: RefusedCredentials['body'];
}

function planCredentials(
  condition: Condition & QuestionId,
  { status, body }: RefusedCredentials,
): RefusalPlan {
  return { declared: [status, 401, 403], status, undeclared: condition, body };
}

/** What each answer to `duplicate-key` that is a refusal looks for; 409 says the most (RFC 9110 §15.5.10). */
const duplicatePlans = {
  refuse: { declared: [409, 422, 400], status: 400 },
  conflict: { declared: [409], status: 409 },
  unprocessable: { declared: [409, 422], status: 422 },
} as const;

/** Which answer a condition gets under a policy, as far as the document leaves it open. */
function planRefusal(condition: Condition, policy: Policy): RefusalPlan {
  switch (condition) {
    case 'missing-credentials':
      return planCredentials(condition, policy['missing-credentials']);
    case 'invalid-credentials':
      return planCredentials(condition, policy['invalid-credentials']);
    case 'unsupported-media-type':
      return policy['unsupported-media-type'] === 415
        ? { declared: [415], status: 415, undeclared: condition, body: 'error' }
        : { declared: [415, 400, 422], status: 400, undeclared: condition, body: 'error' };
    case 'body-too-large': {
      const { status } = policy['body-limit'];
      const declared = status === 400 ? [413, 400, 422] : [...new Set([413, status])];
      return { declared, status, undeclared: 'body-limit', body: 'error' };
    }
    case 'duplicate-key': {
      const answer = policy['duplicate-key'];
      const plan = Object.hasOwn(duplicatePlans, answer) ? answer : 'refuse';
      // `as`: hasOwn has just looked.
      return { ...duplicatePlans[plan as keyof typeof duplicatePlans], undeclared: condition, body: 'error' };
    }
    case 'duplicate-value':
      return { ...duplicatePlans.refuse, undeclared: 'unique-properties', body: 'error' };
    case 'not-acceptable':
      return { declared: [406], status: 406, undeclared: 'accept', body: 'error' };
    case 'too-many-requests':
      return { declared: [429], status: 429, undeclared: 'rate-limit', body: 'error' };
    case 'unknown-path':
      return {
        declared: [],
        status: policy['other-operations'].path,
        undeclared: 'other-operations',
        body: 'error',
      };
    case 'unknown-method':
      return {
        declared: [],
        status: policy['other-operations'].method,
        undeclared: 'other-operations',
        body: 'error',
      };
    case 'malformed-body':
    case 'missing-body':
    case 'invalid-body':
    case 'invalid-parameter':
      return { declared: [400, 422], status: 400, undeclared: condition, body: 'error' };
  }
}

/** How refusals of one shape are written. */
interface RefusalShape {
  /** Content-Type and what the document requires besides, names and values in turn. */
  readonly headers: readonly string[];
  /** Undefined where the answer has no content. */
  readonly body: ErrorBody | undefined;
}

/** A refusal that the document declares, with the status that it gets. */
interface DeclaredRefusal extends RefusalShape {
  readonly status: number;
}

/** Several conditions most often share a response. */
const shapes = new WeakMap<DeclaredResponse, RefusalShape | undefined>();

/**
 * The shape of a declared response, prepared.
 *
 * @returns undefined where no body can be made that its schema accepts
 */
export function toRefusalShape(response: DeclaredResponse): RefusalShape | undefined {
  if (!shapes.has(response)) {
    shapes.set(response, prepareShape(response));
  }
  return shapes.get(response);
}

function prepareShape(response: DeclaredResponse): RefusalShape | undefined {
  const headers = sampleHeaders(response.headers);
  const sent = chooseSentMedia(response.media);
  if (sent === undefined) return { headers, body: undefined };
  if (isOfAnyKind(sent.media)) return { headers: [...ownShape.headers, ...headers], body: ownShape.body };
  const body = createErrorBody(sent);
  return body === undefined ? undefined : { headers: ['Content-Type', sent.contentType, ...headers], body };
}

/**
 * The declared response that carries a refusal: the first of the plan's statuses that is declared by
 * itself, else the range or `default` that speaks for the plan's own status.
 *
 * @returns undefined where none is declared
 */
function findDeclaredRefusal(
  responses: readonly DeclaredResponse[],
  plan: RefusalPlan,
): DeclaredRefusal | undefined {
  if (plan.declared.length === 0) return undefined;
  const exact = plan.declared.flatMap((status) =>
    responses
      .filter((response) => response.status.kind === 'exact' && response.status.status === status)
      .map((response) => ({ status, response })),
  );
  const covering = findDeclaredResponse(responses, plan.status);
  const candidates = covering === undefined ? exact : [...exact, { status: plan.status, response: covering }];
  for (const { status, response } of candidates) {
    const shape = toRefusalShape(response);
    if (shape !== undefined) return { status, ...shape };
  }
  return undefined;
}

/** An error as RFC 9457 §3 has it. The type is left to be `about:blank`, whose title is that of the status (§4.2.1). */
const problemShape: RefusalShape = {
  headers: ['Content-Type', 'application/problem+json'],
  body: ({ status, condition, message }) =>
    JSON.stringify({ title: condition.replaceAll('-', ' '), status, detail: message }),
};

/** Makes the answer to a request that is refused. */
export type Refuse = (refusal: {
  readonly condition: Condition;
  /** What was wrong and where, as a sentence. It holds no secret. */
  readonly message: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
  /** Further fields, names and values in turn. */
  readonly headers?: readonly string[];
}) => MockAnswer;

const emptyShape: RefusalShape = { headers: [], body: undefined };

function undeclaredShape(plan: RefusalPlan, errorShape: RefusalShape): RefusalShape {
  switch (plan.body) {
    case 'error':
      return errorShape;
    case 'problem':
      return problemShape;
    case 'empty':
      return emptyShape;
    case 'other':
      return ownShape;
  }
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

/** What the refusals of an operation are prepared from. */
interface RefuserInput {
  /** Undefined for paths and methods that the document does not have. */
  readonly operation: Operation | undefined;
  readonly policy: Policy;
  /** What errors look like that are not declared. */
  readonly errorShape: RefusalShape;
}

function prepare(input: RefuserInput, condition: Condition): Refuse {
  const { operation, policy } = input;
  const plan = planRefusal(condition, policy);
  const declared = findDeclaredRefusal(operation?.responses ?? [], plan);
  const { headers, body } = declared ?? undeclaredShape(plan, input.errorShape);
  const status = declared?.status ?? plan.status;
  const codes = policy['error-codes'];
  const code = codes === 'status' ? status : (codes[condition] ?? status);
  const allHeaders = declared === undefined ? [...headers, 'Cloche-Undeclared', plan.undeclared] : headers;
  const about = {
    condition,
    ...(operation === undefined ? {} : { operation: operation.id }),
    ...(declared === undefined ? { undeclared: plan.undeclared } : {}),
  };
  return ({ message, problems, headers: further = [] }) => ({
    status,
    headers: further.length === 0 ? allHeaders : replaceFields(allHeaders, further),
    body: isBodyless(status) ? undefined : (body?.({ status, code, condition, message }) ?? ''),
    note: problems === undefined ? { ...about, message } : { ...about, message, problems },
  });
}

/**
 * Prepares the refusals of an operation, or of what leads to none: each condition is matched with the
 * declared response that carries it, and what is not declared is answered as the policy says and marked
 * with the field `Cloche-Undeclared`.
 */
export function createRefuser(input: RefuserInput): Refuse {
  const prepared: Readonly<Record<Condition, Refuse>> = {
    'missing-credentials': prepare(input, 'missing-credentials'),
    'invalid-credentials': prepare(input, 'invalid-credentials'),
    'malformed-body': prepare(input, 'malformed-body'),
    'missing-body': prepare(input, 'missing-body'),
    'invalid-body': prepare(input, 'invalid-body'),
    'invalid-parameter': prepare(input, 'invalid-parameter'),
    'unsupported-media-type': prepare(input, 'unsupported-media-type'),
    'body-too-large': prepare(input, 'body-too-large'),
    'duplicate-key': prepare(input, 'duplicate-key'),
    'duplicate-value': prepare(input, 'duplicate-value'),
    'not-acceptable': prepare(input, 'not-acceptable'),
    'unknown-path': prepare(input, 'unknown-path'),
    'unknown-method': prepare(input, 'unknown-method'),
    'too-many-requests': prepare(input, 'too-many-requests'),
  };
  return (refusal) => prepared[refusal.condition](refusal);
}

/** The error body of a document that declares none. */
const plainShape: RefusalShape = {
  headers: ['Content-Type', 'application/json'],
  body: ({ code, message }) => JSON.stringify({ error: code, message }),
};

/**
 * The shape of an error that no response of the document declares: that of an error the operation declares,
 * else of one that any operation declares, else `{"error": …, "message": …}`.
 *
 * @param operations - the operation that the error is about first
 */
export function findErrorShape(operations: readonly Operation[]): RefusalShape {
  for (const operation of operations) {
    for (const response of listErrorResponses(operation)) {
      const shape = toRefusalShape(response);
      if (shape !== undefined) {
        // Fields that the document requires belong to the response that it declares.
        return { headers: shape.headers.slice(0, 2), body: shape.body };
      }
    }
  }
  return plainShape;
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
