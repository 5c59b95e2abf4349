import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../../mock/message.ts';
import { askControl } from '../control.ts';
import { followRow, LogTable, Options, SearchField, Shown } from '../parts.tsx';
import { renderTime, RequestDetails, VerdictBadge } from './details.tsx';
import type { RequestChoice, Requests } from './use-requests.ts';

/** The pause after which a burst of requests is announced once to a screen reader. */
const quietMs = 3_000;

function describe(count: number, { method, target, status, verdict }: LoggedRequest): string {
  const latest = `${method} ${target.slice(0, 80)}, ${status}, ${verdict}`;
  return count === 1 ? `New request: ${latest}` : `${count} new requests, the latest: ${latest}`;
}

/**
 * Announces new requests to a screen reader politely. Requests that already existed are not announced, even if a filter
 * hid them. Each start of the mock needs a new component, because request ids start again.
 */
function Announcer({ list }: { readonly list: readonly LoggedRequest[] }): VNode {
  const [text, setText] = useState('');
  const enforced = useRef<number>(undefined);
  const [latest] = list;
  useEffect(() => {
    if (latest === undefined) return undefined;
    if (enforced.current === undefined) {
      enforced.current = latest.id;
      return undefined;
    }
    const before = enforced.current;
    const count = list.filter(({ id }) => id > before).length;
    if (count === 0) return undefined;
    const timer = setTimeout(() => {
      enforced.current = latest.id;
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

/** Shows a request in a row, and below it why it was not accepted. */
function RequestRow({
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
    <tr class={isOpen ? 'open' : undefined} onClick={followRow(place)}>
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

/** Shows requests, each in a row. */
export function RequestTable(props: {
  readonly requests: readonly LoggedRequest[];
  /** The id of the open request beside the table. */
  readonly open?: string | undefined;
  readonly caption: string;
}): VNode {
  const { requests, open, caption } = props;
  return (
    <LogTable caption={caption} columns={['Time', 'Status', 'Verdict', 'Method', 'Path and reason']}>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} isOpen={String(request.id) === open} />
      ))}
    </LogTable>
  );
}

const verdicts = [
  ['', 'Every verdict'],
  ['accepted', 'Accepted'],
  ['refused', 'Refused'],
  ['forced', 'Forced'],
] as const;

/** Renders the fields that filter the requests. */
function Filters(props: {
  readonly choice: RequestChoice;
  /** The ids of the operations. */
  readonly ids: readonly string[];
  readonly onChoose: (choice: RequestChoice) => void;
}): VNode {
  const { choice, ids, onChoose } = props;
  return (
    <>
      <SearchField
        what="requests"
        value={choice.search}
        onSearch={(search) => onChoose({ ...choice, search })}
      />
      <label>
        <span class="unseen">Verdict</span>
        <Options
          value={choice.verdict}
          options={verdicts}
          onChoose={(verdict) => onChoose({ ...choice, verdict })}
        />
      </label>
      <label>
        <span class="unseen">Operation</span>
        <Options
          value={choice.operation}
          options={[['', 'Every operation'], ...ids.map((id) => [id, id] as const)]}
          onChoose={(operation) => onChoose({ ...choice, operation })}
        />
      </label>
    </>
  );
}

/** Shows the requests as they come, and the open one. */
export function RequestsView(props: {
  readonly requests: Requests;
  readonly choice: RequestChoice;
  readonly onChoose: (choice: RequestChoice) => void;
  /** The id of the open request. */
  readonly open: string | undefined;
  /** Whether opening and closing a request moves the focus. */
  readonly takesFocus: boolean;
}): VNode {
  const { requests, choice, onChoose, open, takesFocus } = props;
  const [held, setHeld] = useState<Requests['list']>();
  const list = held ?? requests.list;
  const missed = held === undefined ? 0 : requests.list.filter(({ id }) => id > (held[0]?.id ?? 0)).length;
  const ids = requests.service?.operations.map(({ id }) => id) ?? [];
  const isChosen = Object.values(choice).some((value) => value !== '');
  const whyEmpty = isChosen ? 'No request is like that.' : 'No request yet. They show up here as they come.';
  const before = useRef(open);
  useEffect(() => {
    if (open === undefined && before.current !== undefined && takesFocus) {
      document.querySelector<HTMLElement>(`a[href="#requests/${CSS.escape(before.current)}"]`)?.focus();
    }
    before.current = open;
  }, [open, takesFocus]);
  async function clear(): Promise<void> {
    await askControl('clearRequests', {});
    setHeld(undefined);
    location.hash = '#requests';
    requests.restart();
  }
  return (
    <div class={open === undefined ? 'requests' : 'requests has-details'}>
      <div class="list">
        <search class="tools">
          <Filters choice={choice} ids={ids} onChoose={onChoose} />
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
        </search>
        <Announcer key={requests.service?.startedAt} list={list} />
        {list.length === 0 ? (
          <p class="empty">{requests.service === undefined ? 'Connecting to the mock…' : whyEmpty}</p>
        ) : (
          <RequestTable requests={list} open={open} caption="Requests, the newest first" />
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
          // Request ids start again when the mock starts.
          key={requests.service?.startedAt}
          id={open}
          takesFocus={takesFocus}
          known={requests.list.find(({ id }) => String(id) === open)}
        />
      )}
    </div>
  );
}
