import { headerValue } from '../../http/header-list.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { describeRefusedCredentials } from '../../policy/describe-refused-credentials.ts';
import { listRefusalBodies } from '../../policy/list-refusal-bodies.ts';
import type { RefusedCredentials } from '../../policy/refused-credentials.ts';
import type { CheckContext } from '../check-context.ts';
import { declaresExactly } from '../declares-exactly.ts';
import type { Subject } from '../exchange-check.ts';
import { classifyStatus } from '../status-class.ts';
import { bodyRefusals } from './body-refusals.ts';
import { hasOnly } from './has-only.ts';
import type { Held, HoldInput } from './hold.ts';
import { statusOf } from './status-of.ts';

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
  if (body === 'other') {
    return content.kind !== 'none';
  }
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
    expected: describeRefusedCredentials(answer),
    holds: isDocuments || (status === answer.status && hasBody({ subject, context, body: answer.body })),
  };
}
