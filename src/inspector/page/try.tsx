import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RequestForm } from '../../mock/control/calls.ts';
import { askControl } from './control.ts';
import { Entries, Form, Options, Problem, Shown, type ViewProps } from './parts.tsx';

/** The time after which the page stops waiting, for example for a stream that stays open, in milliseconds. */
const timeoutMs = 15_000;

/** The input of the form: the values of the parameters in their order, and the body. */
interface Filled {
  readonly form: RequestForm;
  readonly values: readonly string[];
  readonly body: string;
}

interface Received {
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Returns the target, the headers and the body of a filled form. Optional parameters without a value are left out. */
export function toRequest({ form, values, body }: Filled): {
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
} {
  const filled = form.parameters
    .map((parameter, index) => ({ ...parameter, value: values[index] ?? '' }))
    .filter(({ value, required }) => required || value !== '');
  const path = filled
    .filter((each) => each.in === 'path')
    .reduce((made, { name, value }) => made.replace(`{${name}}`, () => encodeURIComponent(value)), form.path);
  const query = filled
    .filter((each) => each.in === 'query')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const isSent = form.body !== undefined && body !== '';
  const type = isSent ? [['Content-Type', form.body.mediaType] as const] : [];
  return {
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ...type,
      ...filled.filter((each) => each.in === 'header').map(({ name, value }) => [name, value] as const),
    ],
    body: isSent ? body : undefined,
  };
}

async function send(filled: Filled): Promise<Received | string> {
  const { target, headers, body } = toRequest(filled);
  try {
    const response = await fetch(new URL(target, location.origin), {
      method: filled.form.method,
      headers: headers.map(([name, value]) => [name, value] as [string, string]),
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, statusText, type } = response;
    return {
      status:
        type === 'opaqueredirect' ? 'A redirect: the request log has its status' : `${status} ${statusText}`,
      headers: [...response.headers],
      text: await response.text(),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function Response({ received }: { readonly received: Received }): VNode {
  const { status, headers, text } = received;
  return (
    <section aria-label="Response" class="card">
      <p role="status">
        <strong>{status}</strong> <a href="#requests">It is in the request log.</a>
      </p>
      {text !== '' && (
        <pre tabIndex={0} aria-label="Response body">
          <Shown text={text} />
        </pre>
      )}
      <details>
        <summary>{headers.length} headers</summary>
        <Entries
          class="fields"
          valueClass="mono"
          entries={headers.map(([name, value]) => [<Shown text={name} />, <Shown text={value} />])}
        />
      </details>
    </section>
  );
}

/** Sends a request to an operation of the mock, filled with examples, and shows the response. */
export function TryView({ service }: Pick<ViewProps, 'service'>): VNode {
  const operations = service?.operations ?? [];
  const [chosen, setChosen] = useState<string>();
  const [filled, setFilled] = useState<Filled>();
  const [outcome, setOutcome] = useState<Received | string>();
  const id = chosen ?? operations[0]?.id;
  useEffect(() => {
    let isCurrent = true;
    setFilled(undefined);
    setOutcome(undefined);
    async function load(name: string): Promise<void> {
      const asked = await askControl('getOperation', { id: name });
      if (!isCurrent) return;
      if (!asked.ok) {
        setOutcome(asked.message);
        return;
      }
      const { value: form } = asked;
      const values = form.parameters.map(({ value }) => value);
      setFilled({ form, values, body: form.body?.text ?? '' });
    }
    if (id !== undefined) void load(id);
    return () => {
      isCurrent = false;
    };
  }, [id, service?.startedAt]);
  return (
    <div class="try">
      <h2>Try it</h2>
      {id === undefined ? (
        <p class="empty">The document has no operation.</p>
      ) : (
        <label>
          Operation{' '}
          <Options
            value={id}
            options={operations.map(
              (each) => [each.id, `${each.method.toUpperCase()} ${each.path}`] as const,
            )}
            onChoose={setChosen}
          />
        </label>
      )}
      {filled !== undefined && (
        <Form class="card" onSubmit={async () => setOutcome(await send(filled))}>
          {filled.form.parameters.map(({ name, in: place, required }, index) => (
            <label key={`${place} ${name}`}>
              <span>
                <Shown text={name} /> <span class="soft">{`${place}${required ? ', required' : ''}`}</span>
              </span>
              <input
                type="text"
                required={required}
                autocomplete="off"
                value={filled.values[index]}
                onInput={({ currentTarget: { value } }) =>
                  setFilled({ ...filled, values: filled.values.with(index, value) })
                }
              />
            </label>
          ))}
          {filled.form.body !== undefined && (
            <label>
              <span>
                Body <span class="soft">{filled.form.body.mediaType}</span>
              </span>
              <textarea
                class="mono"
                rows={Math.min(16, filled.body.split('\n').length + 1)}
                spellcheck={false}
                value={filled.body}
                onInput={({ currentTarget }) => setFilled({ ...filled, body: currentTarget.value })}
              />
            </label>
          )}
          <div class="actions">
            <button type="submit" class="primary">
              Send
            </button>
          </div>
        </Form>
      )}
      {typeof outcome === 'string' && <Problem>{outcome}</Problem>}
      {typeof outcome === 'object' && <Response received={outcome} />}
    </div>
  );
}
