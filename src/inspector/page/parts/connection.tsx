import type { VNode } from 'preact';
import type { Requests } from '../requests/use-requests.ts';

/** Whether what is shown is what the mock holds. */
export function Connection({ away, service }: Pick<Requests, 'away' | 'service'>): VNode {
  const words = away !== undefined ? 'Away' : service === undefined ? 'Connecting' : 'Live';
  return (
    <p class={`connection ${words.toLowerCase()}`} role="status">
      {words}
    </p>
  );
}
