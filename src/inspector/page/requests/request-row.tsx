import type { VNode } from 'preact';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';
import { Shown } from '../parts/shown.tsx';
import { renderTime } from './render-time.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** A request in a line, and under it why it did not get what it asked for. */
export function RequestRow({
  request,
  isOpen,
}: {
  readonly request: LoggedRequest;
  readonly isOpen: boolean;
}): VNode {
  const { id, method, target, status, message, condition } = request;
  const why = message ?? condition;
  const place = `#requests/${id}`;
  return (
    <tr
      class={isOpen ? 'open' : undefined}
      onClick={(event) => {
        // The link is for the keyboard; a mouse may click anywhere, unless it selects text.
        if (
          event.target instanceof Element &&
          event.target.closest('a') === null &&
          String(getSelection()) === ''
        ) {
          location.hash = place;
        }
      }}
    >
      <td class="time soft">
        <time dateTime={new Date(request.time).toISOString()}>{renderTime(request.time)}</time>
      </td>
      <td class="status">{status === 0 ? '–' : status}</td>
      <td class="verdict">
        <VerdictBadge request={request} />
      </td>
      <td class="method">{method}</td>
      <td class="target">
        <a href={place} aria-current={isOpen ? 'true' : undefined}>
          <Shown text={target} most={160} />
        </a>
        {why !== undefined && request.verdict !== 'accepted' && (
          <p class="reason soft">
            <Shown text={why} most={240} />
          </p>
        )}
      </td>
    </tr>
  );
}
