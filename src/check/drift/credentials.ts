import { parseMediaType } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import type { RefusedCredentials } from '../../policy/question.ts';
import { describeRefusedCredentials, listRefusalBodies } from '../../policy/questions/credentials.ts';
import { classifyStatus, declaresExactly, statusOf } from '../reading/answer.ts';
import type { CheckContext, Subject } from '../reading/subject.ts';
import { bodyRefusals, hasOnly, type Held, type Hold, type HoldInput } from './evidence.ts';

/**
 * Holds a service that lets any token in to it. Where only listed ones are, one that gets in is a finding of its own,
 * as the document asks for credentials.
 */
export const holdAcceptedTokens: Hold = ({ subject, context, concerns }) => {
  const { policy } = context;
  if (
    policy['accepted-tokens'] === 'listed' ||
    subject.request.credentials !== 'unknown-token' ||
    !hasOnly(concerns, 'credentials')
  ) {
    return undefined;
  }
  const turnsAway = new Set([401, 403]);
  return {
    expected: 'any token is let in',
    holds: !turnsAway.has(statusOf(subject)),
  };
};

/**
 * Holds the order of checks, by a body that breaks its schema and comes without good credentials. It shows only where
 * the two are refused with different statuses. A body that is no JSON shows nothing: it may be read before anything
 * else is looked at.
 */
export const holdAuthOrder: Hold = ({ subject, context, concerns }) => {
  const { policy, told } = context;
  const { credentials } = subject.request;
  const isLetIn =
    credentials === 'unknown-token' && (!told.has('accepted-tokens') || policy['accepted-tokens'] === 'any');
  if (
    !concerns.has('credentials') ||
    !concerns.has('invalid') ||
    !hasOnly(concerns, 'credentials', 'invalid') ||
    credentials === 'unjudged' ||
    isLetIn
  ) {
    return undefined;
  }
  const question = credentials === 'unknown-token' ? 'invalid-credentials' : 'missing-credentials';
  const turnsAway = told.has(question) ? [policy[question].status] : [401, 403];
  if (turnsAway.some((status) => bodyRefusals.has(status))) return undefined;
  const status = statusOf(subject);
  const isBefore = policy['auth-order'] === 'before';
  return {
    expected: isBefore
      ? 'it is turned away for its credentials, whatever its body holds'
      : 'it is refused for its body, whatever its credentials are',
    holds: isBefore ? !bodyRefusals.has(status) : !turnsAway.includes(status),
  };
};

/**
 * An answer that the document declares has the body that the document says. Of a body of a service's own nothing is told
 * but that there is one.
 */
function hasBody(input: {
  readonly subject: Subject;
  readonly context: CheckContext;
  readonly body: RefusedCredentials['body'];
}): boolean {
  const { subject, context, body } = input;
  const { answer, exchange, operation } = subject;
  if (answer.kind === 'none' || answer.declared !== undefined || exchange.request.method === 'HEAD') {
    return true;
  }
  const { content, response } = answer;
  if (body === 'other') return content.kind !== 'none';
  const contentType = headerValue(response.headers, 'content-type') ?? '';
  const kinds = listRefusalBodies(
    {
      bytes: response.body.length,
      mediaType: parseMediaType(contentType)?.essence,
      value: content.kind === 'json' ? content.json.value : undefined,
    },
    [operation, ...context.contract.operations],
  );
  return kinds.includes(body);
}

/**
 * Holds the answer to credentials that are not let in. Where they come first nothing else of a request matters, but
 * for what a server looks at before it asks for credentials: sizes, media types, whether a body is JSON.
 *
 * @returns undefined where they are let in, which is a finding of its own
 */
function holdCredentials(
  question: 'missing-credentials' | 'invalid-credentials',
  { subject, context, concerns }: HoldInput,
): Held | undefined {
  const { policy, told } = context;
  const isFirst = told.has('auth-order') && policy['auth-order'] === 'before';
  const isShown = isFirst
    ? hasOnly(
        concerns,
        'credentials',
        'invalid',
        'unusual',
        'undeclared-property',
        'constraint',
        'key',
        'unique',
      )
    : hasOnly(concerns, 'credentials');
  const status = statusOf(subject);
  const answer = policy[question];
  // Where a body that breaks its schema is refused for that, it is the order that is another.
  const isOfBody = concerns.size > 1 && bodyRefusals.has(status) && status !== answer.status;
  if (!isShown || isOfBody || classifyStatus(subject.answer) === 'accepted') return undefined;
  // A document that declares a status of this meaning, and not the one told, has answered the question.
  const isDocuments =
    (status === 401 || status === 403) &&
    declaresExactly(subject.operation, status) &&
    !declaresExactly(subject.operation, answer.status);
  return {
    expected: describeRefusedCredentials(answer),
    holds: isDocuments || (status === answer.status && hasBody({ subject, context, body: answer.body })),
  };
}

/** Holds the answer to a token that is not known. */
export const holdInvalidCredentials: Hold = (input) => {
  const { credentials } = input.subject.request;
  const { policy, told } = input.context;
  const isLetIn = told.has('accepted-tokens') && policy['accepted-tokens'] === 'any';
  return credentials === 'unknown-token' && !isLetIn
    ? holdCredentials('invalid-credentials', input)
    : undefined;
};

/** Holds the answer to a request without credentials, or with those of another scheme. */
export const holdMissingCredentials: Hold = (input) => {
  const { credentials } = input.subject.request;
  return credentials === 'missing' || credentials === 'other'
    ? holdCredentials('missing-credentials', input)
    : undefined;
};
