import { declaresExactly } from '../../contract/responses.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import type { RefusedCredentials } from '../../policy/behaviour.ts';
import { describeRefusedCredentials, listRefusalBodies } from '../../policy/behaviours/credentials.ts';
import { isAccepted, jsonContent, statusOf } from '../classify/answer.ts';
import type { CheckContext, ClassifiedResponse } from '../classify/subject.ts';
import {
  bodyRefusals,
  hasOnly,
  type PolicyExpectation,
  type PolicyRule,
  type PolicyRuleInput,
} from './evidence.ts';
import type { Observe, ShownBehaviours } from './observed.ts';

/**
 * Enforces the order of checks, by an invalid body without good credentials, if the two are rejected with different
 * statuses. A body that is not JSON shows nothing, as a service may parse it before all other checks.
 */
const enforceAuthOrder: PolicyRule = ({ subject, context, confounders }) => {
  const { policy, enforced } = context;
  const { credentials } = subject.request;
  const isBoth = confounders.size === 2 && confounders.has('credentials') && confounders.has('invalid');
  if (!isBoth || credentials === 'unjudged') return undefined;
  const isUnknown = credentials === 'unknown-token';
  if (isUnknown && (!enforced.has('accepted-tokens') || acceptsAnyToken(context))) return undefined;
  const question = isUnknown ? 'invalid-credentials' : 'missing-credentials';
  const rejecting = enforced.has(question) ? [policy[question].status] : [401, 403];
  if (rejecting.some((status) => bodyRefusals.has(status))) return undefined;
  const status = statusOf(subject);
  return policy['auth-order'] === 'before'
    ? {
        expected: 'it is refused for its credentials, whatever its body contains',
        holds: !bodyRefusals.has(status),
      }
    : {
        expected: 'it is refused for its body, whatever its credentials are',
        holds: !rejecting.includes(status),
      };
};

/** Enforces the response to a request without credentials, or with those of another scheme. */
const enforceMissingCredentials: PolicyRule = (input) => {
  const { credentials } = input.subject.request;
  return credentials === 'missing' || credentials === 'other'
    ? enforceCredentials('missing-credentials', input)
    : undefined;
};

/** Enforces the response to an unknown token. */
const enforceInvalidCredentials: PolicyRule = (input) => {
  const { subject, context } = input;
  if (context.enforced.has('accepted-tokens') && acceptsAnyToken(context)) return undefined;
  return subject.request.credentials === 'unknown-token'
    ? enforceCredentials('invalid-credentials', input)
    : undefined;
};

/** Enforces that any token is accepted. The check `credentials-ignored` reports an unlisted token that is accepted. */
const enforceAcceptedTokens: PolicyRule = ({ subject, context, confounders }) => {
  const isUnknown = subject.request.credentials === 'unknown-token' && hasOnly(confounders, 'credentials');
  if (!isUnknown || !acceptsAnyToken(context)) return undefined;
  const status = statusOf(subject);
  return { expected: 'any token is accepted', holds: status !== 401 && status !== 403 };
};

/** The possible faults of JSON that a server can parse. */
const ofReadBody = ['invalid', 'unusual', 'undeclared-property', 'constraint', 'key', 'unique'] as const;

function acceptsAnyToken({ policy }: CheckContext): boolean {
  return policy['accepted-tokens'] === 'any';
}

/**
 * Enforces the response to rejected credentials; another check reports accepted ones. If credentials are checked first,
 * the rest of a request does not matter, except for checks that a server may make before: sizes, media types, whether a
 * body is JSON.
 */
function enforceCredentials(
  question: 'missing-credentials' | 'invalid-credentials',
  input: PolicyRuleInput,
): PolicyExpectation | undefined {
  const { subject, context, confounders } = input;
  const { policy, enforced } = context;
  const isFirst = enforced.has('auth-order') && policy['auth-order'] === 'before';
  const isShown = isFirst
    ? hasOnly(confounders, 'credentials', ...ofReadBody)
    : hasOnly(confounders, 'credentials');
  const status = statusOf(subject);
  const answer = policy[question];
  // If a body that breaks its schema is rejected for that, the order of checks differs.
  const isOfBody = confounders.size > 1 && bodyRefusals.has(status) && status !== answer.status;
  if (!isShown || isOfBody || isAccepted(subject.answer)) return undefined;
  // A document that declares only another status of this meaning specifies the behaviour.
  const isDocuments =
    (status === 401 || status === 403) &&
    declaresExactly(subject.operation, status) &&
    !declaresExactly(subject.operation, answer.status);
  return {
    expected: describeRefusedCredentials(answer),
    holds: isDocuments || (status === answer.status && hasBody(input, answer.body)),
  };
}

/** Returns whether a response has the configured body: for a declared one that of the document; for `other`, any. */
function hasBody({ subject, context }: PolicyRuleInput, body: RefusedCredentials['body']): boolean {
  const { answer, exchange, operation } = subject;
  if (answer.kind === 'none' || answer.declared !== undefined || exchange.request.method === 'HEAD') {
    return true;
  }
  if (body === 'other') return answer.content.kind !== 'none';
  return listRefusalBodies(toRefusal(answer), [operation, ...context.contract.operations]).includes(body);
}

/** Returns the content of a rejection. */
function toRefusal(
  answer: Extract<ClassifiedResponse, { readonly kind: 'response' }>,
): Parameters<typeof listRefusalBodies>[0] {
  const { headers, body } = answer.response;
  const mediaType = parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence;
  return { bytes: body.length, mediaType, value: jsonContent(answer) };
}

/** Returns the status and the body with which credentials were rejected. */
const observeRejection: Observe = ({ answer, operation }) => {
  if (answer.kind === 'none' || answer.response.status < 300 || answer.response.status > 499) {
    return undefined;
  }
  const [body] = listRefusalBodies(toRefusal(answer), [operation]);
  return { status: answer.response.status, body };
};

/** The policy behaviours about credentials, in the order in which they are enforced. */
export const credentialBehaviours: ShownBehaviours = {
  'auth-order': {
    enforce: enforceAuthOrder,
    observe: (_observed, policy) => (policy['auth-order'] === 'before' ? 'after' : 'before'),
  },
  'missing-credentials': { enforce: enforceMissingCredentials, observe: observeRejection },
  'invalid-credentials': { enforce: enforceInvalidCredentials, observe: observeRejection },
  'accepted-tokens': {
    enforce: enforceAcceptedTokens,
    observe: ({ answer }) => (isAccepted(answer) ? 'any' : 'listed'),
  },
};
