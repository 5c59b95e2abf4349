import { declaresExactly } from '../../contract/responses.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import type { RefusedCredentials } from '../../policy/question.ts';
import { describeRefusedCredentials, listRefusalBodies } from '../../policy/questions/credentials.ts';
import { isAccepted, jsonContent, statusOf } from '../reading/answer.ts';
import type { CheckContext } from '../reading/subject.ts';
import {
  bodyRefusals,
  hasOnly,
  type DriftExpectation,
  type DriftRule,
  type DriftRuleInput,
  type QuestionRule,
} from './evidence.ts';
import type { Observe, Observers } from './observed.ts';

/**
 * Holds the order of checks, by an invalid body without good credentials, where the two are refused with different
 * statuses. A body that is no JSON shows nothing: it may be read before anything else is looked at.
 */
const enforceAuthOrder: DriftRule = ({ subject, context, confounders }) => {
  const { policy, enforced } = context;
  const { credentials } = subject.request;
  const isBoth = confounders.size === 2 && confounders.has('credentials') && confounders.has('invalid');
  if (!isBoth || credentials === 'unjudged') return undefined;
  const isUnknown = credentials === 'unknown-token';
  if (isUnknown && (!enforced.has('accepted-tokens') || letsAnyIn(context))) return undefined;
  const question = isUnknown ? 'invalid-credentials' : 'missing-credentials';
  const turnsAway = enforced.has(question) ? [policy[question].status] : [401, 403];
  if (turnsAway.some((status) => bodyRefusals.has(status))) return undefined;
  const status = statusOf(subject);
  return policy['auth-order'] === 'before'
    ? {
        expected: 'it is refused for its credentials, whatever its body contains',
        holds: !bodyRefusals.has(status),
      }
    : {
        expected: 'it is refused for its body, whatever its credentials are',
        holds: !turnsAway.includes(status),
      };
};

/** Holds the answer to a request without credentials, or with those of another scheme. */
const enforceMissingCredentials: DriftRule = (input) => {
  const { credentials } = input.subject.request;
  return credentials === 'missing' || credentials === 'other'
    ? enforceCredentials('missing-credentials', input)
    : undefined;
};

/** Holds the answer to a token that is not known. */
const enforceInvalidCredentials: DriftRule = (input) => {
  const { subject, context } = input;
  if (context.enforced.has('accepted-tokens') && letsAnyIn(context)) return undefined;
  return subject.request.credentials === 'unknown-token'
    ? enforceCredentials('invalid-credentials', input)
    : undefined;
};

/** Holds a service that lets any token in to it; one that gets in where only listed ones do is another finding. */
const enforceAcceptedTokens: DriftRule = ({ subject, context, confounders }) => {
  const isUnknown = subject.request.credentials === 'unknown-token' && hasOnly(confounders, 'credentials');
  if (!isUnknown || !letsAnyIn(context)) return undefined;
  const status = statusOf(subject);
  return { expected: 'any token is let in', holds: status !== 401 && status !== 403 };
};

/** What credentials show, in the order in which it is held. */
export const credentialHolds: readonly QuestionRule[] = [
  ['auth-order', enforceAuthOrder],
  ['missing-credentials', enforceMissingCredentials],
  ['invalid-credentials', enforceInvalidCredentials],
  ['accepted-tokens', enforceAcceptedTokens],
];

/** What may be wrong with JSON that a server can read. */
const ofReadBody = ['invalid', 'unusual', 'undeclared-property', 'constraint', 'key', 'unique'] as const;

function letsAnyIn({ policy }: CheckContext): boolean {
  return policy['accepted-tokens'] === 'any';
}

/**
 * Holds the answer to credentials that are not let in; that they are is a finding of its own. Where they come first
 * nothing else of a request matters, but for what a server looks at before it asks for credentials: sizes, media types,
 * whether a body is JSON.
 */
function enforceCredentials(
  question: 'missing-credentials' | 'invalid-credentials',
  input: DriftRuleInput,
): DriftExpectation | undefined {
  const { subject, context, confounders } = input;
  const { policy, enforced } = context;
  const isFirst = enforced.has('auth-order') && policy['auth-order'] === 'before';
  const isShown = isFirst
    ? hasOnly(confounders, 'credentials', ...ofReadBody)
    : hasOnly(confounders, 'credentials');
  const status = statusOf(subject);
  const answer = policy[question];
  // Where a body that breaks its schema is refused for that, it is the order that is another.
  const isOfBody = confounders.size > 1 && bodyRefusals.has(status) && status !== answer.status;
  if (!isShown || isOfBody || isAccepted(subject.answer)) return undefined;
  // A document that declares a status of this meaning, and not the one told, has answered the question.
  const isDocuments =
    (status === 401 || status === 403) &&
    declaresExactly(subject.operation, status) &&
    !declaresExactly(subject.operation, answer.status);
  return {
    expected: describeRefusedCredentials(answer),
    holds: isDocuments || (status === answer.status && hasBody(input, answer.body)),
  };
}

/** An answer that is declared has the body that the document says. Of a body of a service's own no more is known. */
function hasBody({ subject, context }: DriftRuleInput, body: RefusedCredentials['body']): boolean {
  const { answer, exchange, operation } = subject;
  if (answer.kind === 'none' || answer.declared !== undefined || exchange.request.method === 'HEAD') {
    return true;
  }
  const { content, response } = answer;
  if (body === 'other') return content.kind !== 'none';
  const kinds = listRefusalBodies(
    {
      bytes: response.body.length,
      mediaType: parseMediaType(headerValue(response.headers, 'content-type') ?? '')?.essence,
      value: jsonContent(answer),
    },
    [operation, ...context.contract.operations],
  );
  return kinds.includes(body);
}

/** The status and the body with which credentials were rejected. */
const observeRejection: Observe = ({ answer, operation }) => {
  if (answer.kind === 'none' || answer.response.status < 300 || answer.response.status > 499) {
    return undefined;
  }
  const { status, headers, body: bytes } = answer.response;
  const [body] = listRefusalBodies(
    {
      bytes: bytes.length,
      mediaType: parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence,
      value: answer.content.kind === 'json' ? answer.content.json.value : undefined,
    },
    [operation],
  );
  return { status, body };
};

/** What one exchange shows of the settings about credentials. */
export const credentialObservers: Observers = {
  'missing-credentials': observeRejection,
  'invalid-credentials': observeRejection,
  'accepted-tokens': ({ answer }) => (isAccepted(answer) ? 'any' : 'listed'),
  'auth-order': (_observed, policy) => (policy['auth-order'] === 'before' ? 'after' : 'before'),
};
