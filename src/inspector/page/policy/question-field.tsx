import type { VNode } from 'preact';
import { jsonEqual } from '../../../json/json-equal.ts';
import type { JsonValue } from '../../../json/json-value.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { OtherAnswer } from './other-answer.tsx';
import type { PolicyQuestion } from './policy-answers.ts';

/** A question and its answers, of which one is chosen. Where the document answers it, there is no choice. */
export function QuestionField({
  question: { id, question, answer, choices, decidedBy, default: usual },
  onChoose,
}: {
  readonly question: PolicyQuestion;
  readonly onChoose: (answer: JsonValue) => void;
}): VNode {
  const isListed = choices.some((choice) => jsonEqual(choice.answer, answer));
  const all = isListed ? choices : [...choices, { answer, label: stringifyJson(answer) }];
  return (
    <fieldset class="question" disabled={decidedBy === 'document'}>
      <legend>
        {question} <code class="soft">{id}</code>
      </legend>
      {decidedBy === 'document' && <p class="soft">The document decides this.</p>}
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
    </fieldset>
  );
}
