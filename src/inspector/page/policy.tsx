import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import type { BrokenClause } from '../../mock/message.ts';
import { useChanges } from './control.ts';
import { Options, Problem, QuietButton, Shown, TextPlace, type ViewProps } from './parts.tsx';

interface PolicyQuestion {
  readonly id: string;
  readonly question: string;
  readonly scope: 'operation' | 'service';
  /** As the mock answers now. */
  readonly answer: JsonValue;
  readonly default: JsonValue;
  readonly choices: readonly { readonly answer: JsonValue; readonly label: string }[];
  readonly decidedBy: 'default' | 'policy' | 'document';
  /** Where the document answers it, for all or for some operations. */
  readonly places: readonly {
    readonly pointer: string;
    readonly says: string;
    readonly location?: BrokenClause['location'];
  }[];
}

/** Answers to questions by their ids, by the ids of the operations that they are for. */
type OperationAnswers = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

interface PolicyAnswers {
  readonly answers: readonly PolicyQuestion[];
  readonly operations: OperationAnswers;
  /** Those of them that can be reset: the rest follows from the document. */
  readonly given: OperationAnswers;
}

/** Takes an answer for one operation alone. */
function AnswerForOperation({
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
        <Options
          aria-label="Operation"
          required
          value={operation}
          options={[['', 'Which operation'], ...operations.map((id) => [id, id] as const)]}
          onChoose={setOperation}
        />
        <Options
          aria-label="Its answer"
          value={index}
          options={choices.map(({ label }, position) => [String(position), label])}
          onChoose={setIndex}
        />
        <button type="submit">Answer</button>
      </form>
    </details>
  );
}

/** Takes an answer that is none of those proposed. */
function OtherAnswer({
  id,
  onChoose,
}: {
  /** Of the question. */
  readonly id: string;
  readonly onChoose: (answer: JsonValue) => void;
}): VNode {
  const [text, setText] = useState('');
  return (
    <details>
      <summary>Another answer</summary>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          // JSON, or a word that needs no quotes.
          const parsed = parseJson(text.trim());
          onChoose(parsed.kind === 'json' ? parsed.value : text.trim());
        }}
      >
        <span class="grow">
          <input
            type="text"
            class="mono"
            aria-label={`Another answer to ${id}, as JSON`}
            placeholder="JSON, as in a policy file"
            required
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </span>
        <button type="submit">Answer</button>
      </form>
    </details>
  );
}

/** A question and its answers, of which one is chosen. Where the document answers it, there is no choice. */
function QuestionField({
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

/** The questions that the document does not answer, and how the mock answers them. */
export function PolicyView({ beat, service }: ViewProps): VNode {
  const { value, enforced, change } = useChanges<PolicyAnswers>('policy', beat);
  function choose(id: string, answer: JsonValue, operation?: string): Promise<void> {
    const answers = { [id]: answer };
    const next = operation === undefined ? { answers } : { operations: { [operation]: answers } };
    return change('policy', { method: 'PATCH', body: { value: next } });
  }
  const operations = service?.operations.map(({ id }) => id) ?? [];
  const exceptions = Object.entries(value?.operations ?? {}).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([id, answer]) => [operation, id, answer] as const),
  );
  return (
    <div class="policy">
      <div class="bar">
        <h2>What the document leaves open</h2>
        <button type="button" class="end" onClick={() => change('policy', { method: 'DELETE' })}>
          Reset
        </button>
      </div>
      {enforced !== undefined && <Problem>{enforced}</Problem>}
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
                  <QuietButton
                    verb="Take back"
                    what={`${id} for ${operation}`}
                    onClick={() => choose(id, null, operation)}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
