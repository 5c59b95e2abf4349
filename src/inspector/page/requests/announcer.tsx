import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';

/** Of a burst of requests a screen reader is told once. */
const quietMs = 3_000;

function describe(count: number, { method, target, status, verdict }: LoggedRequest): string {
  const latest = `${method} ${target.slice(0, 80)}, ${status}, ${verdict}`;
  return count === 1 ? `New request: ${latest}` : `${count} new requests, the latest: ${latest}`;
}

/**
 * Tells a screen reader of new requests, when it has a moment, and not of those that were there already, also where a
 * filter hid them. Each start of the mock wants one of its own, as ids begin anew.
 */
export function Announcer({ list }: { readonly list: readonly LoggedRequest[] }): VNode {
  const [text, setText] = useState('');
  const told = useRef<number>(undefined);
  const [latest] = list;
  useEffect(() => {
    if (latest === undefined) {
      return undefined;
    }
    if (told.current === undefined) {
      told.current = latest.id;
      return undefined;
    }
    const before = told.current;
    const count = list.filter(({ id }) => id > before).length;
    if (count === 0) {
      return undefined;
    }
    const timer = setTimeout(() => {
      told.current = latest.id;
      setText(describe(count, latest));
    }, quietMs);
    return () => clearTimeout(timer);
  }, [latest?.id]);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
