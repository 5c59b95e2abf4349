import type { LearntOutcome, LearntQuestion } from '../../learn/learnt.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { describeAnswer } from '../../policy/describe-answer.ts';
import type { Answers } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { Paint } from '../../errors/console-text.ts';
import { wrapText } from '../../report/wrap-text.ts';

/** The longest id of a question, and two spaces. */
const nameWidth = 26;

/** In words where the question has words for it. */
function words(id: QuestionId, answer: JsonValue): string {
  // `as`: the probe of a question gives answers to it.
  return describeAnswer(id, answer as Answers[QuestionId]);
}

function describe(id: QuestionId, outcome: LearntOutcome, paint: Paint): string {
  switch (outcome.kind) {
    case 'settled': {
      const { answer, alike, seen, trials } = outcome;
      const others = alike.map((each) => words(id, each)).join(', or ');
      const suffix = others === '' ? '' : `; cannot be told from: ${others}`;
      return `${words(id, answer)}${suffix} ${paint('faint', `(${seen}\u00A0of\u00A0${trials})`)}`;
    }
    case 'masked':
      return `${paint('advice', `masked by ${outcome.by}`)}: ${outcome.why}`;
    case 'contradictory': {
      const counts = outcome.answers.map(
        ({ answer, seen }) => `${words(id, answer)} (${seen}\u00A0of\u00A0${outcome.trials})`,
      );
      return `${paint('advice', 'contradictory')}, so left out: ${counts.join('; ')}`;
    }
    case 'unsettled':
      return `${paint('advice', 'open')}: ${outcome.why}`;
    case 'answered':
      return `${paint('faint', 'the document says it')}: ${outcome.says}${outcome.answer === undefined ? '' : ` (${stringifyJson(outcome.answer)})`}`;
    case 'not-asked':
      return paint('faint', `not asked: ${outcome.why}`);
  }
}

/**
 * What asking a question came to, for people.
 *
 * @param options.width - how many columns the reader has; undefined does not break lines
 */
export function renderLearntQuestion(
  { question, outcome }: LearntQuestion,
  { paint, width }: { readonly paint: Paint; readonly width: number | undefined },
): readonly string[] {
  const text = `  ${question.padEnd(nameWidth - 2)}${describe(question, outcome, paint)}`;
  return wrapText(text, { width, indent: nameWidth });
}
