import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShownClock } from '../../mock/control/calls.ts';
import { useAnswer, useChanges } from './control.ts';
import { Form, Problem, Shown } from './parts.tsx';

const tickMs = 1_000;

/** Shows the time of the mock. Between two responses it follows the browser's clock, unless it is frozen. */
function ClockFace({ clock: { now, frozen } }: { readonly clock: ShownClock }): VNode {
  const [passedMs, setPassedMs] = useState(0);
  useEffect(() => {
    setPassedMs(0);
    if (frozen) return undefined;
    const begun = performance.now();
    const timer = setInterval(() => setPassedMs(performance.now() - begun), tickMs);
    return () => clearInterval(timer);
  }, [now, frozen]);
  const text = new Date(Date.parse(now) + passedMs).toISOString();
  return (
    <p class="face">
      <time dateTime={text}>
        {text.slice(0, -'T00:00:00.000Z'.length)} <strong>{text.slice(-'00:00:00.000Z'.length, -5)}</strong>{' '}
        UTC
      </time>
    </p>
  );
}

/** The maximum number of shown tokens. */
const mostTokens = 50;

const minuteMs = 60_000;

const steps = [
  ['1 minute', minuteMs],
  ['1 hour', 60 * minuteMs],
  ['1 day', 24 * 60 * minuteMs],
  ['30 days', 30 * 24 * 60 * minuteMs],
] as const;

/** Shows the tokens that the mock issued, which expire by its clock. */
function Tokens({ beat }: { readonly beat: number }): VNode | undefined {
  const { value } = useAnswer('listTokens', {}, beat);
  const tokens = value?.tokens.toReversed() ?? [];
  if (tokens.length === 0) return undefined;
  return (
    <section aria-labelledby="tokens" class="card">
      <h3 id="tokens">Issued tokens</h3>
      <ul class="plain-list">
        {tokens.slice(0, mostTokens).map(({ subject, clientId, scopes = [], expiresAt, isExpired }) => (
          <li>
            <strong>
              <Shown text={subject ?? clientId ?? 'Unknown user'} />
            </strong>
            {subject !== undefined && clientId !== undefined && clientId !== subject && (
              <>
                {' by '}
                <Shown text={clientId} />
              </>
            )}
            {scopes.length > 0 && (
              <>
                {', '}
                <Shown text={scopes.join(' ')} />
              </>
            )}
            <span class="soft">
              {isExpired && ', expired'}
              {!isExpired &&
                expiresAt !== undefined &&
                `, expires ${expiresAt.slice(0, 19).replace('T', ' ')}`}
            </span>
          </li>
        ))}
      </ul>
      {tokens.length > mostTokens && <p class="soft">The newest {mostTokens} are shown.</p>}
    </section>
  );
}

/** Shows the mock's clock, and sets, advances and freezes it. */
export function ClockView({ beat }: { readonly beat: number }): VNode {
  const { value, enforced, change } = useChanges('getClock', beat);
  const [time, setTime] = useState('');
  return (
    <div class="clock">
      <div class="bar">
        <h2>Clock</h2>
        <button type="button" class="end" onClick={() => change('reset', {}, { parts: ['clock'] })}>
          Reset
        </button>
      </div>
      <p class="soft">Rate limits, the Date of responses, and what it creates and logs use it.</p>
      {enforced !== undefined && <Problem>{enforced}</Problem>}
      {value !== undefined && (
        <section class="card" aria-label="Clock">
          <ClockFace clock={value} />
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              checked={value.frozen}
              onChange={() => change('putClock', {}, { frozen: !value.frozen })}
            />
            Frozen
          </label>
          <div role="group" aria-labelledby="later">
            <h3 id="later">Advance by</h3>
            <div class="presets">
              {steps.map(([label, ms]) => (
                <button type="button" onClick={() => change('advanceClock', {}, { ms })}>
                  {label}
                </button>
              ))}
            </div>
          </div>
          <Form
            class="tools"
            onSubmit={() => change('putClock', {}, { now: new Date(`${time}Z`).toISOString() })}
          >
            <label>
              <h3>Set time (UTC)</h3>
              <input
                type="datetime-local"
                step="1"
                required
                min="0001-01-01T00:00"
                max="9999-12-31T23:59"
                value={time}
                onInput={({ currentTarget }) => setTime(currentTarget.value)}
              />
            </label>
            <button type="submit">Set</button>
          </Form>
        </section>
      )}
      <Tokens beat={beat} />
    </div>
  );
}
