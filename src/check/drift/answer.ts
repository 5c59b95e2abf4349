import { clientIdProperty } from '../../contract/request-facts.ts';
import { listErrorResponses, declaresExactly } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { isClientError } from '../../http/status.ts';
import { holdsSame } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { findNamedCode } from '../../policy/error-code.ts';
import type { BehaviourValues, Condition } from '../../policy/behaviour.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import { quoteBehaviour } from '../finding.ts';
import { isAccepted, isCanary, jsonContent, readCreated, readEcho, statusOf } from '../classify/answer.ts';
import { accepts } from '../classify/body.ts';
import { contextOf, type CheckedExchange, type TraceCheck } from '../classify/subject.ts';
import { type Confounder, hasOnly, type PolicyRule, type PolicyRuleInput } from './evidence.ts';
import {
  givesBack,
  type Observe,
  readAnswerMembers,
  readCondition,
  readErrorCode,
  type ShownBehaviours,
} from './observed.ts';

/** Enforces the response to an Accept that excludes the declared media types. */
const enforceAccept: PolicyRule = ({ subject, context, confounders }) => {
  if (subject.request.accept !== 'unmet' || !hasOnly(confounders, 'accept', 'unique')) return undefined;
  const answer = declaresExactly(subject.operation, 406) ? 406 : context.policy.accept;
  if (answer !== 406) return { expected: 'Accept is not looked at', holds: statusOf(subject) !== 406 };
  const { answer: given } = subject;
  // Other checks report a response with neither 406 nor the declared media type.
  if (isAccepted(given) && given.kind !== 'none' && given.content.kind === 'none') return undefined;
  // A unique value may be rejected first.
  return { expected: '406', holds: confounders.has('unique') || statusOf(subject) === 406 };
};

/** Enforces the statuses of undeclared methods and paths. */
const enforceOtherOperations: PolicyRule = ({ subject, context: { policy, enforced } }) => {
  const { operation, exchange, answer, knowsPath } = subject;
  // Preflights and OPTIONS belong to CORS, and HEAD follows GET (RFC 9110 §9.3.2).
  const { method: sent } = exchange.request;
  if (operation !== undefined || answer.kind === 'none' || sent === 'OPTIONS' || sent === 'HEAD') {
    return undefined;
  }
  const { method, path } = policy['other-operations'];
  const expected = knowsPath ? method : path;
  const status = statusOf(subject);
  // No operation specifies the credentials of this request, so it may have none.
  const isRejected = enforced.has('missing-credentials')
    ? status === policy['missing-credentials'].status
    : status === 401 || status === 403;
  return { expected: String(expected), holds: status === expected || isRejected };
};

/** Enforces a response without the sent values; another check reports missing values if they are required. */
const enforceEcho: PolicyRule = ({ subject, context, confounders }) => {
  const echo = context.policy.echo === 'none' && hasOnly(confounders) ? readEcho(subject) : undefined;
  if (echo === undefined) return undefined;
  const { sent, received, names } = echo;
  const isWhole = names.every((name) => holdsSame(sent, received, name));
  // Random letters do not match by chance.
  const isTelling = names.some((name) => {
    const text = sent[name];
    return typeof text === 'string' && isCanary(text);
  });
  return isWhole && isTelling
    ? {
        expected: 'an answer that does not hold what was sent',
        holds: false,
        received: 'every value as it was sent',
      }
    : undefined;
};

/** Enforces the undeclared properties in the response to a plain create. */
const enforceResponseExtras: PolicyRule = ({ subject, context, confounders }) => {
  const { body } = subject.request;
  const created = hasOnly(confounders) && body.kind === 'valid' ? readCreated(subject) : undefined;
  if (body.kind !== 'valid' || created?.isDeclared !== true || created.schema === undefined) return undefined;
  const more = created.undeclared;
  const received = more.length === 0 ? 'nothing more' : `also ${more.toSorted().join(', ')}`;
  if (context.policy['response-extras'] === 'none') {
    return { expected: 'nothing that its schema does not declare', holds: more.length === 0, received };
  }
  const key = clientIdProperty(subject.operation);
  if (key === undefined || created.declared.has(key) || !isJsonObject(body.value)) return undefined;
  return accepts(created.schema, { ...created.received, [key]: body.value[key] ?? null })
    ? {
        expected: `the ${key} that was sent, and nothing else that its schema does not declare`,
        holds: more.length === 1 && more[0] === key,
        received,
      }
    : undefined;
};

/** Enforces that there is no rate limit. A guard against guessed credentials, which also sends 429, is not one. */
const enforceRateLimit: PolicyRule = ({ subject, context, confounders }) =>
  context.policy['rate-limit'] === 'none' && hasOnly(confounders) && statusOf(subject) === 429
    ? { expected: 'no request is put off', holds: false }
    : undefined;

/** Enforces the number in an error body, if the request has only one possible reason for its rejection. */
const enforceErrorCodes: PolicyRule = (input) => {
  const { subject, context } = input;
  const status = statusOf(subject);
  const isRefusal = isClientError(status);
  const code = isRefusal ? findNamedCode(jsonContent(subject.answer), status, subject.operation) : undefined;
  const conditions = code === undefined ? [] : listConditions(input);
  if (code === undefined || conditions.length === 0) return undefined;
  const codes = context.policy['error-codes'];
  const expected = new Set(
    conditions.map((condition) => (codes === 'status' ? status : (codes[condition] ?? status))),
  );
  return {
    expected: codes === 'status' ? 'the HTTP status as its code' : `the code ${[...expected].join(' or ')}`,
    holds: expected.has(code.value) || !mayBeCode(input, code.name, [...expected]),
    received: `${status} with the code ${code.value}`,
  };
};

/** Returns whether an error schema that accepts the response also accepts it with one of some codes. */
function mayBeCode({ subject, context }: PolicyRuleInput, name: string, codes: readonly number[]): boolean {
  const { answer, operation } = subject;
  const body = jsonContent(answer);
  if (answer.kind === 'none' || !isJsonObject(body)) return false;
  // An undeclared error may have the schema of other errors in the document.
  const errors =
    answer.declared === undefined
      ? [...(operation ? [operation] : []), ...context.contract.operations].flatMap(listErrorResponses)
      : [answer.declared];
  const schemas = errors.flatMap(({ media }) =>
    media.filter(isStructured).flatMap(({ schema }) => schema ?? []),
  );
  const taking = schemas.filter((schema) => accepts(schema, body));
  return (
    taking.length === 0 ||
    taking.some((schema) => codes.some((code) => accepts(schema, { ...body, [name]: code })))
  );
}

/** Lists the possible reasons for a rejection; empty if they are unknown. */
function listConditions({ subject, context, confounders }: PolicyRuleInput): readonly Condition[] {
  const { request, operation, knowsPath } = subject;
  const { enforced, policy } = context;
  if (statusOf(subject) === 429) return ['too-many-requests'];
  if (operation === undefined) {
    // No operation specifies the credentials of this request, so it may have none.
    return [knowsPath ? 'unknown-method' : 'unknown-path', 'missing-credentials'];
  }
  const [confounder, second] = confounders;
  if (confounder === undefined || second !== undefined) return [];
  switch (confounder) {
    case 'credentials': {
      const isUnknown = request.credentials === 'unknown-token';
      const isAuthorized =
        isUnknown && (!enforced.has('accepted-tokens') || policy['accepted-tokens'] === 'any');
      if (isAuthorized || request.credentials === 'unjudged') return [];
      return [isUnknown ? 'invalid-credentials' : 'missing-credentials'];
    }
    case 'media-type': {
      // If the content is read anyway, the text may be rejected.
      const isRead = !enforced.has('unsupported-media-type') || policy['unsupported-media-type'] === 'read';
      return isRead || request.bodyBytes === 0
        ? [...ofBody, 'missing-body', 'unsupported-media-type']
        : ['unsupported-media-type'];
    }
    case 'key':
      return request.key === 'sent' ? ['duplicate-key', 'duplicate-value'] : [];
    default:
      return ofConfounder[confounder] ?? [];
  }
}

/** The service decides whether a text is malformed or its value invalid. */
const ofBody: readonly Condition[] = ['invalid-body', 'malformed-body'];

const ofConfounder: Readonly<Partial<Record<Confounder, readonly Condition[]>>> = {
  malformed: [...ofBody, 'missing-body'],
  invalid: ofBody,
  constraint: ofBody,
  parameters: ['invalid-parameter'],
  accept: ['not-acceptable'],
  size: ['body-too-large'],
};

/** Concurrent requests with a shorter duration reached the service within one second. */
const surelyWithinMs = 900;
/** A service with clock-based counting accepts the same number again in the next second. */
const seconds = 2;

/** Enforces a rate limit: the service accepts no more concurrent requests than the policy allows. */
export const checkRateLimitKept: TraceCheck = (trace, runContext) => {
  const [first] = trace;
  const { enforced, policy } = contextOf(runContext, first?.operation);
  const limit = policy['rate-limit'];
  if (first === undefined || !enforced.has('rate-limit') || limit === 'none') return [];
  const isTogether = trace.every(({ exchange }) => exchange.durationMs < surelyWithinMs);
  const taken = trace.filter(({ answer }) => isAccepted(answer));
  if (!isTogether || taken.length <= seconds * limit.perSecond) return [];
  return [
    {
      check: 'drift',
      level: 'violation',
      operation: nameOperation(first),
      clause: quoteBehaviour('rate-limit'),
      expected: `429 past ${limit.perSecond} requests within a second`,
      received: `${taken.length} of ${trace.length} requests within a second were accepted`,
      cause: 'rate-limit not kept',
    },
  ];
};

/** The statuses that reject a value that already exists (RFC 9110 §15.5). */
const refusals = new Set([400, 409, 422]);

/**
 * Enforces unique values. The first exchange of the trace creates; the next ones repeat one of its texts with other
 * ids. The last has nothing in common with it: if it is rejected too, there is another reason.
 */
export const checkUniqueProperties: TraceCheck = (trace, runContext) => {
  const [first, second] = trace;
  const last = trace.at(-1);
  if (first === undefined || second === undefined || last === undefined) return [];
  const { enforced, policy } = contextOf(runContext, first.operation);
  const [name, another] = sharedTexts(bodyOf(first), bodyOf(second));
  if (!enforced.has('unique-properties') || name === undefined || another !== undefined) return [];
  if (!isAccepted(first.answer)) return [];
  const isUnique = policy['unique-properties'].includes(name);
  const repeats = trace.slice(1, -1);
  const isRefusedAlone =
    isAccepted(last.answer) &&
    repeats.length > 0 &&
    repeats.every((judged) => refusals.has(statusOf(judged)));
  if (isUnique ? !isAccepted(second.answer) : !isRefusedAlone) return [];
  return [
    {
      check: 'drift',
      level: 'violation',
      operation: nameOperation(second),
      clause: quoteBehaviour('unique-properties'),
      expected: isUnique ? `/${name} may exist only once` : `/${name} may be the same in several`,
      received: `${describeReceived(second.answer)} for another id with the same /${name}`,
      cause: `unique-properties ${name} ${statusOf(second)}`,
      shownBy: [first, second],
    },
  ];
};

function bodyOf({ request: { body } }: CheckedExchange): JsonObject {
  return body.kind === 'valid' && isJsonObject(body.value) ? body.value : {};
}

/** Lists the names of texts that two bodies have in common and that are too random to match by chance. */
function sharedTexts(left: JsonObject, right: JsonObject): readonly string[] {
  return Object.keys(left).filter((name) => {
    const text = left[name];
    return typeof text === 'string' && isCanary(text) && text === right[name];
  });
}

const statusesOfDuplicates: ReadonlyMap<number, BehaviourValues['duplicate-key']> = new Map([
  [400, 'refuse'],
  [409, 'conflict'],
  [422, 'unprocessable'],
]);

/** Returns how the service handled a create with an existing id. */
const observeDuplicate: Observe = (observed) => {
  const { answer } = observed;
  if (!isAccepted(answer)) return statusesOfDuplicates.get(statusOf(observed));
  if (jsonContent(answer) === undefined) return undefined;
  return givesBack(observed) ? 'replace' : 'keep-first';
};

/** If there is only one member besides the id, it is the unique one. */
const observeUnique: Observe = ({ operation, request: { body } }) => {
  const key = operation && clientIdProperty(operation);
  const names = body.kind === 'valid' && isJsonObject(body.value) ? Object.keys(body.value) : [];
  const others = names.filter((name) => name !== key);
  return others.length === 1 ? others : undefined;
};

const observeExtras: Observe = (observed) => {
  const own = readAnswerMembers(observed)?.own ?? [];
  const key = observed.operation && clientIdProperty(observed.operation);
  if (own.length === 0) return 'none';
  return own.length === 1 && own[0] === key ? 'id' : undefined;
};

const observeErrorCodes: Observe = (observed) => {
  const code = readErrorCode(observed);
  const condition = readCondition(observed);
  if (code === undefined || condition === undefined) return undefined;
  return code === 'status' ? 'status' : { [condition]: Number(code) };
};

/** The policy behaviours about neither credentials nor bodies, in the order in which they are enforced. */
export const answerBehaviours: ShownBehaviours = {
  accept: {
    enforce: enforceAccept,
    observe(observed) {
      if (statusOf(observed) === 406) return 406;
      return isAccepted(observed.answer) ? 'ignore' : undefined;
    },
  },
  'other-operations': {
    enforce: enforceOtherOperations,
    // An accepted request reached an undeclared operation, and shows nothing about others.
    observe: (observed) =>
      isAccepted(observed.answer)
        ? undefined
        : { [observed.knowsPath ? 'method' : 'path']: statusOf(observed) },
  },
  echo: { enforce: enforceEcho, observe: () => 'none' },
  'response-extras': { enforce: enforceResponseExtras, observe: observeExtras },
  'rate-limit': { enforce: enforceRateLimit },
  'error-codes': { enforce: enforceErrorCodes, observe: observeErrorCodes },
  'duplicate-key': { observe: observeDuplicate },
  'unique-properties': {
    observe: (observed, policy) => (isAccepted(observed.answer) ? [] : observeUnique(observed, policy)),
  },
};
