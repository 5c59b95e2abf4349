import type { VNode } from 'preact';
import { jsonEqual } from '../../../json/json-equal.ts';
import type { JsonValue } from '../../../json/json-value.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { Shown } from '../parts/shown.tsx';
import { TextPlace } from '../parts/text-place.tsx';
import { AnswerForOperation } from './answer-for-operation.tsx';
import { OtherAnswer } from './other-answer.tsx';
import type { PolicyQuestion } from './policy-answers.ts';

/** A question and its answers, of which one is chosen. Where the document answers it, there is no choice. */
export function QuestionField({
  question: { id, question, scope, answer, choices, decidedBy, places, default: usual },
  operations,
  onChoose,
}: {
  readonly question: PolicyQuestion;
  /** The ids of those that the mock has. */
  readonly operations: readonly string[];
  /** For one operation, or for all where none is named. */
  readonly onChoose: (answer: JsonValue, operation?: string) => void;
}): VNode {
  const isListed = choices.some((choice) => jsonEqual(choice.answer, answer));
  const all = isListed ? choices : [...choices, { answer, label: stringifyJson(answer) }];
  return (
    <fieldset class="question" disabled={decidedBy === 'document'}>
      <legend>
        {question} <code class="soft">{id}</code>
      </legend>
      {places.length > 0 && (
        <div class="decided soft">
          {decidedBy === 'document' ? 'The document decides this.' : 'The document decides this in part.'}
          <ul>
            {places.map(({ says, pointer, location }) => (
              <li>
                <Shown text={says} most={200} />: <TextPlace pointer={pointer} location={location} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {all.map((choice) => (
        <label>
          <input
            type="radio"
            name={id}
            checked={jsonEqual(choice.answer, answer)}
            onChange={() => onChoose(choice.answer)}
          />
          <span>
            {choice.label}
            {jsonEqual(choice.answer, usual) && <span class="usual">default</span>}
          </span>
        </label>
      ))}
      {decidedBy !== 'document' && <OtherAnswer id={id} onChoose={onChoose} />}
      {decidedBy !== 'document' && scope === 'operation' && operations.length > 1 && (
        <AnswerForOperation choices={all} operations={operations} onChoose={onChoose} />
      )}
    </fieldset>
  );
}
