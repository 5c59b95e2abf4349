import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../json/json-value.ts';
import { askControl } from '../control/ask-control.ts';
import type { Asked } from '../control/asked.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { ClockFace } from './clock-face.tsx';
import type { Clock } from './clock.ts';

const minuteMs = 60_000;

const steps = [
  ['1 minute', minuteMs],
  ['1 hour', 60 * minuteMs],
  ['1 day', 24 * 60 * minuteMs],
  ['30 days', 30 * 24 * 60 * minuteMs],
] as const;

/** The time that the mock goes by, which can be set, moved on and stopped. */
export function ClockView({ beat }: { readonly beat: number }): VNode {
  const { value, problem, reload } = useAnswer<Clock>('clock', beat);
  const [failure, setFailure] = useState<string>();
  const [time, setTime] = useState('');
  function follow(asked: Asked<unknown>): void {
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  async function put(change: JsonObject): Promise<void> {
    follow(await askControl('clock', { method: 'PUT', body: { value: change } }));
  }
  async function advance(ms: number): Promise<void> {
    follow(await askControl('clock/advance', { method: 'POST', body: { value: { ms } } }));
  }
  async function reset(): Promise<void> {
    follow(await askControl('reset', { method: 'POST', body: { value: { parts: ['clock'] } } }));
  }
  const told = failure ?? problem;
  return (
    <div class="clock">
      <div class="bar">
        <h2>The time of the mock</h2>
        <button type="button" class="end" onClick={reset}>
          As at the start
        </button>
      </div>
      <p class="soft">Rate limits, the Date of answers, and what it creates and logs go by it.</p>
      {told !== undefined && <Problem>{told}</Problem>}
      {value !== undefined && (
        <section class="card" aria-label="Clock">
          <ClockFace clock={value} />
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              checked={value.frozen}
              onChange={() => put({ frozen: !value.frozen })}
            />
            It stands still
          </label>
          <div role="group" aria-labelledby="later">
            <h3 id="later">Later by</h3>
            <div class="presets">
              {steps.map(([label, ms]) => (
                <button type="button" onClick={() => advance(ms)}>
                  {label}
                </button>
              ))}
            </div>
          </div>
          <form
            class="tools"
            onSubmit={async (event) => {
              event.preventDefault();
              await put({ now: new Date(`${time}Z`).toISOString() });
            }}
          >
            <label>
              <h3>Another time (UTC)</h3>
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
          </form>
        </section>
      )}
    </div>
  );
}
