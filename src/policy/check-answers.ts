import type { DocumentProblem } from '../document/document-problem.ts';
import { closestWord } from '../errors/closest-word.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { checkAnswer } from './check-answer.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

const ids: readonly QuestionId[] = Object.values(questions).map(({ id }) => id);
const known: ReadonlySet<string> = new Set(ids);

function isQuestion(name: string): name is QuestionId {
  return known.has(name);
}

/**
 * Says what is wrong with answers, by their questions: unknown questions, impossible answers.
 *
 * @param value - `{ "duplicate-key": "conflict" }`
 * @param scope - whether they are those of a whole service, or of one operation
 * @returns problems placed within the value; none where they can be used
 */
export function checkAnswers(value: JsonValue, scope: 'service' | 'operation'): readonly DocumentProblem[] {
  if (!isJsonObject(value)) {
    return [
      {
        pointer: '',
        reason: 'must be an object',
        remedy: 'Write questions with their answers, as in {"duplicate-key": "conflict"}',
      },
    ];
  }
  return Object.entries(value).flatMap(([name, answer]) => {
    const pointer = appendPointer('', name);
    if (!isQuestion(name)) {
      const near = closestWord(name, ids);
      const remedy = near === undefined ? `It takes ${ids.join(', ')}` : `Perhaps "${near}" was meant`;
      return [{ pointer, reason: `there is no question "${name}"`, remedy }];
    }
    if (scope === 'operation' && questions[name].scope === 'service') {
      return [
        {
          pointer,
          reason: 'it is about requests that reach no operation',
          remedy: 'Answer it for the whole service',
        },
      ];
    }
    return checkAnswer(name, answer).map((problem) => ({ ...problem, pointer: pointer + problem.pointer }));
  });
}
