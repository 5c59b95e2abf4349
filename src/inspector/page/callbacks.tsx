import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SentCallback } from '../../mock/callbacks/callback.ts';
import { useChanges } from './control.ts';
import { Form, LogTable, Options, Problem, Shown, type ViewProps } from './parts.tsx';
import { renderTime } from './requests/details.tsx';

const badges = { sent: 'accepted', failed: 'refused', refused: 'refused', off: 'forced' } as const;

function CallbackRow({ callback }: { readonly callback: SentCallback }): VNode {
  const { time, kind, name, operation, method, url, body, outcome, status, attempts, message } = callback;
  return (
    <tr>
      <td class="time soft">
        <time dateTime={new Date(time).toISOString()}>{renderTime(time)}</time>
      </td>
      <td class="status">{status ?? '–'}</td>
      <td class="verdict">
        <span class={`badge ${badges[outcome]}`}>{outcome}</span>
      </td>
      <td class="method">{method}</td>
      <td class="target">
        <span class="mono">
          <Shown text={url} />
        </span>
        <p class="soft">
          <Shown text={`${kind} ${name}${operation === undefined ? '' : ` of ${operation}`}`} />
          {attempts > 1 && `, ${attempts} attempts`}
          {message !== undefined && (
            <>
              {': '}
              <Shown text={message} />
            </>
          )}
        </p>
        {body !== undefined && (
          <details>
            <summary>Body</summary>
            <pre>
              <Shown text={body} />
            </pre>
          </details>
        )}
      </td>
    </tr>
  );
}

/** Shows the callbacks and webhooks that the mock sent or did not send, and sends webhooks. */
export function CallbacksView({ beat, service }: ViewProps): VNode {
  const { value, enforced, change } = useChanges('listCallbacks', beat);
  const webhooks = service?.webhooks ?? [];
  const [chosen, setChosen] = useState<string>();
  const name = chosen ?? webhooks[0] ?? '';
  const [url, setUrl] = useState('');
  const callbacks = value?.callbacks.toReversed() ?? [];
  return (
    <div class="callbacks">
      <h2>Callbacks and webhooks</h2>
      {webhooks.length > 0 && (
        <Form class="rule-form" onSubmit={() => change('sendWebhook', { name }, { url })}>
          <label>
            Webhook
            <Options value={name} options={webhooks.map((each) => [each, each])} onChoose={setChosen} />
          </label>
          <label class="grow">
            URL of the receiver
            <input
              type="url"
              required
              placeholder="http://127.0.0.1:9000/hooks"
              value={url}
              onInput={({ currentTarget }) => setUrl(currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary">
            Send
          </button>
        </Form>
      )}
      {enforced !== undefined && <Problem>{enforced}</Problem>}
      {callbacks.length === 0 ? (
        <p class="empty">None yet. They show up here when they are sent.</p>
      ) : (
        <LogTable
          caption="Callbacks and webhooks, the newest first"
          columns={['Time', 'Status', 'Outcome', 'Method', 'URL and reason']}
        >
          {callbacks.map((callback) => (
            <CallbackRow key={callback.id} callback={callback} />
          ))}
        </LogTable>
      )}
    </div>
  );
}
