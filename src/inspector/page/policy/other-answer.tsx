import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../json/json-value.ts';
import { parseJson } from '../../../json/parse-json.ts';

/** What somebody typed: JSON, or a word that needs no quotes. */
function readAnswer(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : text;
}

/** Takes an answer that is none of those proposed. */
export function OtherAnswer({
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
          onChoose(readAnswer(text.trim()));
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
