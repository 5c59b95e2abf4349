import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import type { ShownPolicy } from '../../mock/control/calls.ts';
import { useChanges } from './control.ts';
import { Form, Options, Problem, QuietButton, Shown, TextPlace, type ViewProps } from './parts.tsx';

type PolicyQuestion = ShownPolicy['answers'][number];

/** Renders a form that sets the value for one operation. */
function AnswerForOperation(props: {
  readonly choices: PolicyQuestion['choices'];
  readonly operations: readonly string[];
  readonly onChoose: (answer: JsonValue, operation: string) => void;
}): VNode {
  const { choices, operations, onChoose } = props;
  const [operation, setOperation] = useState('');
  const [index, setIndex] = useState('0');
  const choice = choices[Number(index)];
  return (
    <details>
      <summary>For one operation</summary>
      <Form class="tools" onSubmit={() => choice && onChoose(choice.answer, operation)}>
        <Options
          aria-label="Operation"
          required
          value={operation}
          options={[['', 'Which operation'], ...operations.map((id) => [id, id] as const)]}
          onChoose={setOperation}
        />
        <Options
          aria-label="Value"
          value={index}
          options={choices.map(({ label }, position) => [String(position), label])}
          onChoose={setIndex}
        />
        <button type="submit">Set</button>
      </Form>
    </details>
  );
}

/** Renders a form that sets a value that is not among the proposed ones. */
function OtherAnswer({
  id,
  onChoose,
}: {
  /** The id of the behaviour. */
  readonly id: string;
  readonly onChoose: (answer: JsonValue) => void;
}): VNode {
  const [text, setText] = useState('');
  function choose(): void {
    // JSON, or a word that needs no quotes.
    const parsed = parseJson(text.trim());
    onChoose(parsed.kind === 'json' ? parsed.value : text.trim());
  }
  return (
    <details>
      <summary>Another value</summary>
      <Form class="tools" onSubmit={choose}>
        <input
          type="text"
          class="mono grow"
          aria-label={`Another value of ${id}, as JSON`}
          placeholder="JSON, as in a policy file"
          required
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit">Set</button>
      </Form>
    </details>
  );
}

/** Renders a behaviour and its values as radio buttons. They are disabled if the document decides it. */
function QuestionField({
  question: { id, question, scope, answer, choices, decidedBy, places, default: usual },
  operations,
  onChoose,
}: {
  readonly question: PolicyQuestion;
  /** The ids of the mock's operations. */
  readonly operations: readonly string[];
  /** Sets the value for one operation, or for all if none is named. */
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

/** Lists the behaviours with their values: first the undecided ones, then the decided ones in a fold. */
export function PolicyView({ beat, service }: ViewProps): VNode {
  const { value, enforced, change } = useChanges('getPolicy', beat);
  // A behaviour stays in its first group during a visit: a choice must move no row and keep the focus.
  const decided = useRef(new Map<string, boolean>()).current;
  function choose(id: string, answer: JsonValue, operation?: string): Promise<void> {
    const answers = { [id]: answer };
    const next = operation === undefined ? { answers } : { operations: { [operation]: answers } };
    return change('patchPolicy', {}, next);
  }
  const operations = service?.operations.map(({ id }) => id) ?? [];
  const questions = value?.answers ?? [];
  for (const { id, decidedBy } of questions) {
    if (!decided.has(id)) decided.set(id, decidedBy !== 'default');
  }
  const fieldsOf = (isDecided: boolean): readonly VNode[] =>
    questions
      .filter(({ id }) => decided.get(id) === isDecided)
      .map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          operations={operations}
          onChoose={(answer, operation) => choose(question.id, answer, operation)}
        />
      ));
  const [open, settled] = [fieldsOf(false), fieldsOf(true)];
  const exceptions = Object.entries(value?.operations ?? {}).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([id, answer]) => [operation, id, answer] as const),
  );
  return (
    <div class="policy">
      <div class="bar">
        <h2>Undecided behaviours</h2>
        <button type="button" class="end" onClick={() => change('deletePolicy')}>
          Reset
        </button>
      </div>
      {enforced !== undefined && <Problem>{enforced}</Problem>}
      {value !== undefined && open.length === 0 && <p class="empty">None.</p>}
      {open}
      {settled.length > 0 && (
        <details class="settled">
          <summary>Decided behaviours ({settled.length})</summary>
          {settled}
        </details>
      )}
      {exceptions.length > 0 && (
        <section aria-labelledby="exceptions">
          <h3 id="exceptions">Values for single operations</h3>
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
                    verb="Remove"
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
