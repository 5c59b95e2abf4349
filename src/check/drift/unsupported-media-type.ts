import { classifyStatus } from '../status-class.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';
import { statusOf } from './status-of.ts';

/** Holds what becomes of a body in a media type that the document does not declare. */
export const holdMediaType: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { body } = subject.request;
  if (
    body.kind !== 'other-media' ||
    !hasOnly(concerns, 'media-type', 'key', 'constraint', 'unique') ||
    // Much is read otherwise that is not there.
    subject.request.bodyBytes === 0
  ) {
    return undefined;
  }
  const question = 'unsupported-media-type';
  const answer = context.policy[question];
  const status = statusOf(subject);
  if (answer !== 'read') {
    const isDeclared = answer === 400 && classifyStatus(subject.answer) === 'refused';
    return { expected: String(answer), holds: status === answer || isDeclared };
  }
  // Read anyway, content in another notation is malformed, and so refused.
  const mustBeTaken = body.plainJson !== undefined && hasOnly(concerns, 'media-type');
  return {
    expected: 'it is read as though it had the declared media type',
    holds: mustBeTaken ? !isRefusedForContent(input) : status !== 415,
  };
};
