import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { askControl } from '../control/ask-control.ts';
import { Announcer } from './announcer.tsx';
import type { RequestChoice } from './request-choice.ts';
import { RequestDetails } from './request-details.tsx';
import { RequestFilter } from './request-filter.tsx';
import { RequestRow } from './request-row.tsx';
import type { Requests } from './use-requests.ts';

/** The requests as they come, and one of them opened. */
export function RequestsView({
  requests,
  choice,
  onChoose,
  open,
  takesFocus,
}: {
  readonly requests: Requests;
  readonly choice: RequestChoice;
  readonly onChoose: (choice: RequestChoice) => void;
  /** The id of the request that is opened. */
  readonly open: string | undefined;
  /** Whether the focus follows what is opened and closed. */
  readonly takesFocus: boolean;
}): VNode {
  const [held, setHeld] = useState<Requests['list']>();
  const list = held ?? requests.list;
  const missed = held === undefined ? 0 : requests.list.filter(({ id }) => id > (held[0]?.id ?? 0)).length;
  const isChosen = Object.values(choice).some((value) => value !== '');
  const before = useRef(open);
  useEffect(() => {
    if (open === undefined && before.current !== undefined && takesFocus) {
      document.querySelector<HTMLElement>(`a[href="#requests/${CSS.escape(before.current)}"]`)?.focus();
    }
    before.current = open;
  }, [open, takesFocus]);
  async function clear(): Promise<void> {
    await askControl('requests', { method: 'DELETE' });
    setHeld(undefined);
    location.hash = '#requests';
    requests.restart();
  }
  return (
    <div class={open === undefined ? 'requests' : 'requests has-details'}>
      <div class="list">
        <RequestFilter choice={choice} service={requests.service} onChange={onChoose}>
          <button
            type="button"
            aria-pressed={held !== undefined}
            onClick={() => setHeld(held === undefined ? requests.list : undefined)}
          >
            {held === undefined ? 'Pause' : `Paused${missed > 0 ? `, ${missed} more` : ''}`}
          </button>
          <button type="button" onClick={clear}>
            Clear
          </button>
        </RequestFilter>
        <Announcer key={requests.service?.startedAt} list={list} />
        {list.length === 0 ? (
          <p class="empty">
            {isChosen ? 'No request is like that.' : 'No request yet. They show up here as they come.'}
          </p>
        ) : (
          <table class="log">
            <caption class="unseen">Requests, the newest first</caption>
            <thead class="unseen">
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Status</th>
                <th scope="col">Verdict</th>
                <th scope="col">Method</th>
                <th scope="col">Path and reason</th>
              </tr>
            </thead>
            <tbody>
              {list.map((request) => (
                <RequestRow key={request.id} request={request} isOpen={String(request.id) === open} />
              ))}
            </tbody>
          </table>
        )}
        {requests.isCut && (
          <p class="soft">
            The newest {list.length} are shown. The search looks through all that the log holds.
          </p>
        )}
        {requests.dropped > 0 && (
          <p class="soft">{requests.dropped.toLocaleString('en')} older requests gave way to newer ones.</p>
        )}
      </div>
      {open !== undefined && (
        <RequestDetails
          // Ids begin anew where the mock does.
          key={requests.service?.startedAt}
          id={open}
          takesFocus={takesFocus}
          known={requests.list.find(({ id }) => String(id) === open)}
        />
      )}
    </div>
  );
}
