import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../json/json-value.ts';
import type { PolicyQuestion } from './policy-answers.ts';

/** Takes an answer for one operation alone. */
export function AnswerForOperation({
  choices,
  operations,
  onChoose,
}: {
  readonly choices: PolicyQuestion['choices'];
  readonly operations: readonly string[];
  readonly onChoose: (answer: JsonValue, operation: string) => void;
}): VNode {
  const [operation, setOperation] = useState('');
  const [index, setIndex] = useState('0');
  return (
    <details>
      <summary>For one operation</summary>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          const choice = choices[Number(index)];
          if (choice !== undefined) {
            onChoose(choice.answer, operation);
          }
        }}
      >
        <select
          aria-label="Operation"
          required
          value={operation}
          onChange={({ currentTarget }) => setOperation(currentTarget.value)}
        >
          <option value="">Which operation</option>
          {operations.map((id) => (
            <option value={id}>{id}</option>
          ))}
        </select>
        <select
          aria-label="Its answer"
          value={index}
          onChange={({ currentTarget }) => setIndex(currentTarget.value)}
        >
          {choices.map(({ label }, position) => (
            <option value={String(position)}>{label}</option>
          ))}
        </select>
        <button type="submit">Answer</button>
      </form>
    </details>
  );
}
