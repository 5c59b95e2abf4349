import type { Answers, Policy } from './policy.ts';
import { toldQuestions } from './told-questions.ts';

/**
 * Answers over others. What is said last of the whole service is said of each of its operations too.
 *
 * @param over - wins where both answer a question
 */
export function mergeAnswers(under: Partial<Policy>, over: Partial<Policy>): Partial<Policy> {
  const settled: ReadonlySet<string> = toldQuestions(over);
  const ids = new Set([...Object.keys(under.operations ?? {}), ...Object.keys(over.operations ?? {})]);
  const operations = [...ids].map((id): readonly [string, Partial<Answers>] => {
    const kept = Object.entries(under.operations?.[id] ?? {}).filter(([question]) => !settled.has(question));
    return [id, { ...Object.fromEntries(kept), ...over.operations?.[id] }];
  });
  const own = operations.filter(([, answers]) => Object.keys(answers).length > 0);
  const { operations: _under, ...below } = under;
  return { ...below, ...over, ...(own.length === 0 ? {} : { operations: Object.fromEntries(own) }) };
}
