import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../json/json-value.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { askControl } from '../control/ask-control.ts';
import type { Asked } from '../control/asked.ts';
import type { Service } from '../control/service.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { Shown } from '../parts/shown.tsx';
import { QuestionField } from './question-field.tsx';
import type { PolicyAnswers } from './policy-answers.ts';

/** The questions that the document leaves open, and how the mock answers them. */
export function PolicyView({
  beat,
  service,
}: {
  readonly beat: number;
  readonly service: Service | undefined;
}): VNode {
  const { value, problem, reload } = useAnswer<PolicyAnswers>('policy', beat);
  const [failure, setFailure] = useState<string>();
  function follow(asked: Asked<unknown>): void {
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  async function choose(id: string, answer: JsonValue, operation?: string): Promise<void> {
    const answers = { [id]: answer };
    const value = operation === undefined ? { answers } : { operations: { [operation]: answers } };
    follow(await askControl('policy', { method: 'PATCH', body: { value } }));
  }
  async function takeBack(): Promise<void> {
    follow(await askControl('policy', { method: 'DELETE' }));
  }
  const told = failure ?? problem;
  const operations = service?.operations.map(({ id }) => id) ?? [];
  const exceptions = Object.entries(value?.operations ?? {}).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([id, answer]) => [operation, id, answer] as const),
  );
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
            operations={operations}
            onChoose={(answer, operation) => choose(question.id, answer, operation)}
          />
        ))}
      </div>
      {exceptions.length > 0 && (
        <section aria-labelledby="exceptions">
          <h3 id="exceptions">Otherwise for single operations</h3>
          <ul class="rules">
            {exceptions.map(([operation, id, answer]) => (
              <li key={`${operation} ${id}`}>
                <span class="grow">
                  <Shown text={`${operation}: ${id} = ${stringifyJson(answer)}`} most={400} />
                </span>
                {value?.given[operation]?.[id] === undefined ? (
                  <span class="soft">from the document</span>
                ) : (
                  <button type="button" class="small quiet" onClick={() => choose(id, null, operation)}>
                    Take back
                    <span class="unseen">
                      {' '}
                      <Shown text={`${id} for ${operation}`} most={120} />
                    </span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
