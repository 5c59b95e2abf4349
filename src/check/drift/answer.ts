import { clientIdProperty } from '../../contract/request-facts.ts';
import { listErrorResponses, declaresExactly } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { isClientError } from '../../http/status.ts';
import { holdsSame } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { findNamedCode } from '../../policy/error-code.ts';
import type { Answers, Condition } from '../../policy/question.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import { quoteQuestion } from '../finding.ts';
import { isAccepted, isCanary, jsonContent, readCreated, readEcho, statusOf } from '../reading/answer.ts';
import { accepts } from '../reading/body.ts';
import { contextOf, type CheckedExchange, type TraceCheck } from '../reading/subject.ts';
import {
  type Confounder,
  hasOnly,
  type DriftRule,
  type DriftRuleInput,
  type QuestionRule,
} from './evidence.ts';
import {
  givesBack,
  type Observe,
  type Observers,
  readAnswerMembers,
  readCondition,
  readErrorCode,
} from './observed.ts';

/** Holds what becomes of an Accept that rules out what the document declares. */
const enforceAccept: DriftRule = ({ subject, context, confounders }) => {
  if (subject.request.accept !== 'unmet' || !hasOnly(confounders, 'accept', 'unique')) return undefined;
  const answer = declaresExactly(subject.operation, 406) ? 406 : context.policy.accept;
  if (answer !== 406) return { expected: 'Accept is not looked at', holds: statusOf(subject) !== 406 };
  const { answer: given } = subject;
  // Neither 406 nor the declared media type: what is wrong with it is said elsewhere.
  if (isAccepted(given) && given.kind !== 'none' && given.content.kind === 'none') return undefined;
  // A value that has to be unique may be refused before.
  return { expected: '406', holds: confounders.has('unique') || statusOf(subject) === 406 };
};

/** Holds the statuses of methods and paths that the document does not declare. */
const enforceOtherOperations: DriftRule = ({ subject, context: { policy, enforced } }) => {
  const { operation, exchange, answer, knowsPath } = subject;
  // A preflight and OPTIONS are CORS's matter, and HEAD goes with GET (RFC 9110 §9.3.2).
  const { method: sent } = exchange.request;
  if (operation !== undefined || answer.kind === 'none' || sent === 'OPTIONS' || sent === 'HEAD') {
    return undefined;
  }
  const { method, path } = policy['other-operations'];
  const expected = knowsPath ? method : path;
  const status = statusOf(subject);
  // Nothing says where credentials go in such a request, so that it may have come without any.
  const isTurnedAway = enforced.has('missing-credentials')
    ? status === policy['missing-credentials'].status
    : status === 401 || status === 403;
  return { expected: String(expected), holds: status === expected || isTurnedAway };
};

/** Holds a service that does not answer with what was sent to it; one that should, and does not, is another finding. */
const enforceEcho: DriftRule = ({ subject, context, confounders }) => {
  const echo = context.policy.echo === 'none' && hasOnly(confounders) ? readEcho(subject) : undefined;
  if (echo === undefined) return undefined;
  const { sent, received, names } = echo;
  const isWhole = names.every((name) => holdsSame(sent, received, name));
  // Random letters do not come back by chance.
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

/** Holds what the answer to a plain create carries besides what its schema declares. */
const enforceResponseExtras: DriftRule = ({ subject, context, confounders }) => {
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

/** Holds a service that puts nobody off to it. A guard against guessing, which puts off bad credentials, is no limit. */
const enforceRateLimit: DriftRule = ({ subject, context, confounders }) =>
  context.policy['rate-limit'] === 'none' && hasOnly(confounders) && statusOf(subject) === 429
    ? { expected: 'nobody is put off', holds: false }
    : undefined;

/** Holds the number in an error body, where the request leaves no doubt for what it was refused. */
const enforceErrorCodes: DriftRule = (input) => {
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

/** Whether some schema of an error in the document that takes an answer takes it with one of some codes too. */
function mayBeCode({ subject, context }: DriftRuleInput, name: string, codes: readonly number[]): boolean {
  const { answer, operation } = subject;
  const body = jsonContent(answer);
  if (answer.kind === 'none' || !isJsonObject(body)) return false;
  // An error that is not declared may be what the other errors of the document are.
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

/** The reasons for which a request may have been refused; none where they cannot be told. */
function listConditions({ subject, context, confounders }: DriftRuleInput): readonly Condition[] {
  const { request, operation, knowsPath } = subject;
  const { enforced, policy } = context;
  if (statusOf(subject) === 429) return ['too-many-requests'];
  if (operation === undefined) {
    // Nothing says where credentials go in such a request, so that it may have come without any.
    return [knowsPath ? 'unknown-method' : 'unknown-path', 'missing-credentials'];
  }
  const [confounder, second] = confounders;
  if (confounder === undefined || second !== undefined) return [];
  switch (confounder) {
    case 'credentials': {
      const isUnknown = request.credentials === 'unknown-token';
      const isLetIn = isUnknown && (!enforced.has('accepted-tokens') || policy['accepted-tokens'] === 'any');
      if (isLetIn || request.credentials === 'unjudged') return [];
      return [isUnknown ? 'invalid-credentials' : 'missing-credentials'];
    }
    case 'media-type': {
      // Read anyway, its text may be what is refused.
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

/** Where the line is drawn between a text that cannot be read and a value that is not valid is a service's own matter. */
const ofBody: readonly Condition[] = ['invalid-body', 'malformed-body'];

const ofConfounder: Readonly<Partial<Record<Confounder, readonly Condition[]>>> = {
  malformed: [...ofBody, 'missing-body'],
  invalid: ofBody,
  constraint: ofBody,
  parameters: ['invalid-parameter'],
  accept: ['not-acceptable'],
  size: ['body-too-large'],
};

/** What answers show that are no matter of credentials or of bodies, in the order in which they are held. */
export const answerHolds: readonly QuestionRule[] = [
  ['accept', enforceAccept],
  ['other-operations', enforceOtherOperations],
  ['echo', enforceEcho],
  ['response-extras', enforceResponseExtras],
  ['rate-limit', enforceRateLimit],
  ['error-codes', enforceErrorCodes],
];

/** Requests that were sent together and answered in less than this reached the service within one second. */
const surelyWithinMs = 900;
/** A service that counts by the clock lets in as much again when the next second begins. */
const seconds = 2;

/** Holds a limit on how often a client may ask: of requests sent together, no more are accepted than the policy lets in. */
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
      clause: quoteQuestion('rate-limit'),
      expected: `429 past ${limit.perSecond} requests within a second`,
      received: `${taken.length} of ${trace.length} requests within a second were accepted`,
      cause: 'rate-limit not kept',
    },
  ];
};

/** Statuses by which a value that exists already is refused (RFC 9110 §15.5). */
const refusals = new Set([400, 409, 422]);

/**
 * Holds which values may exist only once. The first exchange of the trace creates, those behind it give one of its texts
 * again under other keys, and the last has nothing in common with it: were it refused too, something else is to blame.
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
      clause: quoteQuestion('unique-properties'),
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

/** The names of the texts, too random to be alike by chance, that two bodies have in common. */
function sharedTexts(left: JsonObject, right: JsonObject): readonly string[] {
  return Object.keys(left).filter((name) => {
    const text = left[name];
    return typeof text === 'string' && isCanary(text) && text === right[name];
  });
}

const statusesOfDuplicates: ReadonlyMap<number, Answers['duplicate-key']> = new Map([
  [400, 'refuse'],
  [409, 'conflict'],
  [422, 'unprocessable'],
]);

/** How a create with an id that exists was answered. */
const observeDuplicate: Observe = (mine) => {
  const { answer } = mine;
  if (!isAccepted(answer)) return statusesOfDuplicates.get(statusOf(mine));
  if (jsonContent(answer) === undefined) return undefined;
  return givesBack(mine) ? 'replace' : 'keep-first';
};

/** Where there is but one member besides the key, it is the one that has to be unique. */
const observeUnique: Observe = ({ operation, request: { body } }) => {
  const key = operation && clientIdProperty(operation);
  const names = body.kind === 'valid' && isJsonObject(body.value) ? Object.keys(body.value) : [];
  const others = names.filter((name) => name !== key);
  return others.length === 1 ? others : undefined;
};

const observeExtras: Observe = (mine) => {
  const own = readAnswerMembers(mine)?.own ?? [];
  const key = mine.operation && clientIdProperty(mine.operation);
  if (own.length === 0) return 'none';
  return own.length === 1 && own[0] === key ? 'id' : undefined;
};

const observeErrorCodes: Observe = (mine) => {
  const code = readErrorCode(mine);
  const condition = readCondition(mine);
  if (code === undefined || condition === undefined) return undefined;
  return code === 'status' ? 'status' : { [condition]: Number(code) };
};

/** What one exchange shows of the settings that concern neither credentials nor the notation of bodies. */
export const answerObservers: Observers = {
  'duplicate-key': observeDuplicate,
  'unique-properties': (mine, policy) => (isAccepted(mine.answer) ? [] : observeUnique(mine, policy)),
  'response-extras': observeExtras,
  'error-codes': observeErrorCodes,
  echo: () => 'none',
  accept(mine) {
    if (statusOf(mine) === 406) return 406;
    return isAccepted(mine.answer) ? 'ignore' : undefined;
  },
  // An accepted request reaches an operation that is not declared, and shows nothing of the others.
  'other-operations': (mine) =>
    isAccepted(mine.answer) ? undefined : { [mine.knowsPath ? 'method' : 'path']: statusOf(mine) },
};
