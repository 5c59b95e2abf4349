import { gradeBody } from '../grade-body.ts';
import { classifyStatus } from '../status-class.ts';
import { hasOnly } from './has-only.ts';
import type { Held, HoldInput } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';

/** What may be odd about a number whose notation or size is what a body is contested for. */
const ofNumbers = new Set([
  'a number past 2^53',
  'a number past 2^31',
  'a number with a fraction or an exponent',
  'zero',
  'a number below one',
]);

/** Whether anything but its numbers is unusual in a body. */
function isOtherwisePlain({ subject }: HoldInput): boolean {
  const { body } = subject.request;
  const schema = subject.operation?.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  if (body.kind !== 'valid' || schema === undefined) {
    return false;
  }
  const grade = gradeBody({ value: body.value, schema, spelledPlainly: true });
  return (
    grade.kind === 'plain' ||
    (grade.kind === 'extreme' && grade.oddities.every(({ words }) => ofNumbers.has(words)))
  );
}

/**
 * Holds what becomes of numbers that readers disagree about, where nothing else of the request is open.
 *
 * @param refuses - whether the policy says that they are refused
 */
export function holdContested(
  question: 'int64-range' | 'integer-notation',
  input: HoldInput,
  refuses: boolean,
): Held | undefined {
  const { subject, concerns } = input;
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'contested' || !hasOnly(concerns, 'contested', 'key')) {
    return undefined;
  }
  const { questions: open } = body.grade;
  if (!open.includes(question)) {
    return undefined;
  }
  const isTaken = classifyStatus(subject.answer) === 'accepted';
  if (refuses) {
    return { expected: 'it is refused', holds: !isTaken };
  }
  const isAlone = open.length === 1 && hasOnly(concerns, 'contested');
  return isAlone && isRefusedForContent(input) && isOtherwisePlain(input)
    ? { expected: 'it is taken', holds: false }
    : undefined;
}
