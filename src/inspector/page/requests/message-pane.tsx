import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { indentJson } from '../../../json/indent-json.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { explainMissing } from '../../../mock/log/explain-missing.ts';
import type { LoggedMessage, RequestProblem } from '../../../mock/log/logged-request.ts';
import { Shown } from '../parts/shown.tsx';
import { MarkedText } from './marked-text.tsx';
import { markProblems } from './mark-problems.ts';

function indent(text: string): string {
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? indentJson(parsed.value) : text;
}

function Fields({ message }: { readonly message: LoggedMessage }): VNode {
  return (
    <details>
      <summary>{message.headers.length === 1 ? '1 header' : `${message.headers.length} headers`}</summary>
      <dl class="fields mono">
        {message.headers.map(([name, value]) => (
          <div>
            <dt>
              <Shown text={name} most={200} />
            </dt>
            <dd>
              <Shown text={value} most={2_000} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/**
 * A request or a response: its content with what is wrong marked, and its header fields.
 *
 * @param props.problems - of its content
 */
export function MessagePane({
  title,
  message,
  problems,
}: {
  readonly title: 'Request' | 'Response';
  readonly message: LoggedMessage;
  readonly problems: readonly RequestProblem[];
}): VNode {
  const heading = useId();
  const [isIndented, setIndented] = useState(false);
  const { body, bytes } = message;
  const indented = body === undefined ? undefined : indent(body);
  const text = isIndented ? indented : body;
  return (
    <section aria-labelledby={heading} class="message">
      <div class="bar">
        <h3 id={heading}>{title}</h3>
        <span class="soft">{bytes === 0 ? 'no content' : `${bytes.toLocaleString('en')} bytes`}</span>
        {indented !== body && (
          <button
            type="button"
            class="small end"
            aria-pressed={isIndented}
            onClick={() => setIndented(!isIndented)}
          >
            Indent
          </button>
        )}
      </div>
      {text !== undefined && text !== '' && (
        <MarkedText text={text} marks={markProblems(text, problems)} label={`${title} body`} />
      )}
      {body === undefined && bytes > 0 && <p class="soft">{explainMissing(message)}</p>}
      {message.headers.length > 0 && <Fields message={message} />}
    </section>
  );
}
