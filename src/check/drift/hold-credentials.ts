import { headerValue } from '../../http/header-list.ts';
import { parseMediaType } from '../../http/media-type.ts';
import type { RefusedCredentials } from '../../policy/refused-credentials.ts';
import { declaresExactly } from '../declares-exactly.ts';
import type { Subject } from '../exchange-check.ts';
import { classifyStatus } from '../status-class.ts';
import { bodyRefusals } from './body-refusals.ts';
import { hasOnly } from './has-only.ts';
import type { Held, HoldInput } from './hold.ts';
import { statusOf } from './status-of.ts';

/** An answer that the document declares has the body that the document says. */
function hasBody({ answer, exchange }: Subject, body: RefusedCredentials['body']): boolean {
  if (answer.kind === 'none' || answer.declared !== undefined || exchange.request.method === 'HEAD') {
    return true;
  }
  const contentType = headerValue(answer.response.headers, 'content-type') ?? '';
  const isProblem = parseMediaType(contentType)?.essence === 'application/problem+json';
  switch (body) {
    case 'empty':
      return answer.content.kind === 'none';
    case 'problem':
      return isProblem;
    case 'error':
      return answer.content.kind !== 'none' && !isProblem;
  }
}

/**
 * Holds the answer to credentials that are not let in. Where they come first nothing else of a request matters, but
 * for what a server looks at before it asks for credentials: sizes, media types, whether a body is JSON.
 *
 * @returns undefined where they are let in, which is a finding of its own
 */
export function holdCredentials(
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
  if (!isShown || isOfBody || classifyStatus(subject.answer) === 'accepted') {
    return undefined;
  }
  // A document that declares a status of this meaning, and not the one told, has answered the question.
  const isDocuments =
    (status === 401 || status === 403) &&
    declaresExactly(subject.operation, status) &&
    !declaresExactly(subject.operation, answer.status);
  return {
    expected: `${answer.status}, ${answer.body === 'empty' ? 'no body' : `body: ${answer.body}`}`,
    holds: isDocuments || (status === answer.status && hasBody(subject, answer.body)),
  };
}
