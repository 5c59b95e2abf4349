import { classifyStatus } from '../status-class.ts';
import type { BodyGrade } from '../request-reading.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';

/** How long a value is or how large: which characters are taken is found out elsewhere, as advice. */
const ofExtent = new Set([
  'an empty text',
  'a long text',
  'an empty list',
  'a long list',
  'a number past 2^53',
  'a number past 2^31',
  'zero',
  'a number below one',
]);

function isOfExtent(grade: BodyGrade): boolean {
  return (
    grade.kind === 'plain' ||
    (grade.kind === 'extreme' && grade.oddities.every(({ words }) => ofExtent.has(words)))
  );
}

/** Holds what values are bounded to: what the policy refuses is not taken, and values of another extent are. */
export const holdConstraints: Hold = (input) => {
  const { subject, concerns } = input;
  const { body } = subject.request;
  if (body.kind !== 'valid') {
    return undefined;
  }
  if (concerns.has('constraint')) {
    return hasOnly(concerns, 'constraint', 'unusual', 'unique')
      ? {
          expected: 'it is refused, as a value is out of its bounds',
          holds: classifyStatus(subject.answer) !== 'accepted',
        }
      : undefined;
  }
  return hasOnly(concerns, 'unusual') && isOfExtent(body.grade) && isRefusedForContent(input)
    ? { expected: 'it is taken, as every value is within its bounds', holds: false }
    : undefined;
};
