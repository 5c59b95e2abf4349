import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { questionOrder } from '../../learn/question-order.ts';
import type { QuestionId } from '../../policy/question-id.ts';

/**
 * The questions that `--question` names; all where it names none.
 *
 * @throws ClocheError OPTION_INVALID where there is no such question
 */
export function parseQuestions(words: readonly string[]): readonly QuestionId[] {
  return words.length === 0
    ? questionOrder
    : words.map((word) => {
        const found = questionOrder.find((id) => id === word);
        if (found !== undefined) {
          return found;
        }
        const near = closestWord(word, questionOrder);
        throw new ClocheError('OPTION_INVALID', {
          attempt: 'read the option',
          subject: `--question ${word}`,
          reason: 'there is no such question',
          remedy:
            near === undefined
              ? `Name one of ${questionOrder.toSorted().join(', ')}`
              : `Perhaps ${near} was meant`,
        });
      });
}
