import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../json/json-value.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { askControl } from '../control/ask-control.ts';
import type { Asked } from '../control/asked.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { QuestionField } from './question-field.tsx';
import type { PolicyAnswers } from './policy-answers.ts';

/** The questions that the document leaves open, and how the mock answers them. */
export function PolicyView({ beat }: { readonly beat: number }): VNode {
  const { value, problem, reload } = useAnswer<PolicyAnswers>('policy', beat);
  const [failure, setFailure] = useState<string>();
  function follow(asked: Asked<unknown>): void {
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  async function choose(id: string, answer: JsonValue): Promise<void> {
    follow(await askControl('policy', { method: 'PATCH', body: { value: { answers: { [id]: answer } } } }));
  }
  async function takeBack(): Promise<void> {
    follow(await askControl('policy', { method: 'DELETE' }));
  }
  const told = failure ?? problem;
  const exceptions = Object.entries(value?.operations ?? {});
  return (
    <div class="policy">
      <div class="bar">
        <h2>What the document leaves open</h2>
        <button type="button" class="end" onClick={takeBack}>
          As at the start
        </button>
      </div>
      {told !== undefined && <Problem>{told}</Problem>}
      <div class="questions">
        {value?.answers.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            onChoose={(answer) => choose(question.id, answer)}
          />
        ))}
      </div>
      {exceptions.length > 0 && (
        <section aria-labelledby="exceptions">
          <h3 id="exceptions">Otherwise for single operations</h3>
          <ul>
            {exceptions.map(([operation, answers]) => (
              <li>
                {operation}:{' '}
                {Object.entries(answers)
                  .map(([id, answer]) => `${id} = ${stringifyJson(answer)}`)
                  .join(', ')}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
