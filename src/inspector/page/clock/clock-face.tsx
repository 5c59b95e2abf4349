import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Clock } from './clock.ts';

const tickMs = 1_000;

/** The time of the mock; between two answers it goes on by the browser's own, unless it stands still. */
export function ClockFace({ clock: { now, frozen } }: { readonly clock: Clock }): VNode {
  const [passedMs, setPassedMs] = useState(0);
  useEffect(() => {
    setPassedMs(0);
    if (frozen) {
      return undefined;
    }
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
