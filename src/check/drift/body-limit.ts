import { declaresExactly } from '../declares-exactly.ts';
import { unusualSpelling } from '../unusual-spelling.ts';
import type { Subject } from '../exchange-check.ts';
import { bodyRefusals } from './body-refusals.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';
import { statusOf } from './status-of.ts';

/** Whether a body is plain but for the white space in it, so that nothing but its size could be held against it. */
function isPlainInside({ request: { body } }: Subject): boolean {
  return (
    body.kind === 'valid' &&
    (body.grade.kind === 'plain' ||
      (body.grade.kind === 'extreme' && body.grade.oddities.every(({ words }) => words === unusualSpelling)))
  );
}

/** Holds how many bytes of a body are read, and the status past them. */
export const holdBodyLimit: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { bytes, status: past } = context.policy['body-limit'];
  if (!isPlainInside(subject) || !hasOnly(concerns, 'size', 'unusual')) {
    return undefined;
  }
  const status = statusOf(subject);
  if (concerns.has('size')) {
    const isDocuments = status === 413 && declaresExactly(subject.operation, 413);
    // 400 stands for what a document declares for bodies that are refused, be it 422.
    const isRefused = past === 400 && bodyRefusals.has(status);
    return {
      expected: `${past}, as it has more than ${bytes} bytes`,
      holds: status === past || isDocuments || isRefused,
    };
  }
  // Of a short body 400 would rather speak of something else.
  const isShort = subject.request.bodyBytes <= Math.max(context.longestPlainBody, 1_024);
  return {
    expected: `it is read, as it has no more than ${bytes} bytes`,
    holds: !(status === 413 || (!isShort && isRefusedForContent(input))),
  };
};
