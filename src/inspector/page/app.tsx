import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallbacksView } from './callbacks.tsx';
import { ClockView } from './clock.tsx';
import { keepControlToken } from './control.ts';
import { FaultsView } from './faults.tsx';
import { Form, Problem, Shown } from './parts.tsx';
import { PolicyView } from './policy.tsx';
import { RequestsView } from './requests/list.tsx';
import { type RequestChoice, useRequests } from './requests/use-requests.ts';
import { StateView } from './state/state.tsx';
import { TryView } from './try.tsx';

/** The parts of the page; each has a link and an address. */
const tabs = [
  ['requests', 'Requests'],
  ['state', 'State'],
  ['try', 'Try it'],
  ['callbacks', 'Callbacks'],
  ['policy', 'Policy'],
  ['faults', 'Faults'],
  ['clock', 'Clock'],
] as const;

const everything: RequestChoice = { search: '', verdict: '', operation: '' };

/** Renders the whole page. */
export function App(): VNode {
  const place = usePlace();
  const [choice, setChoice] = useState(everything);
  const requests = useRequests(choice);
  const { service, away, beat } = requests;
  const title = service?.title;
  useEffect(() => {
    document.title = title === undefined ? 'Cloche inspector' : `${title} · Cloche`;
  }, [title]);
  const isLocked = away?.status === 401;
  const reached = service === undefined ? 'Connecting' : 'Live';
  const words = away === undefined ? reached : 'Away';
  const tab = tabs.some(([name]) => name === place.tab) ? place.tab : 'requests';
  const hasCallbacks = service?.hasCallbacks === true || (service?.webhooks ?? []).length > 0;
  const shownTabs = tabs.filter(([name]) => name !== 'callbacks' || hasCallbacks || tab === name);
  return (
    <>
      <header>
        <h1>
          <Logo /> Cloche
        </h1>
        {service !== undefined && (
          <p class="service">
            <Shown text={service.title} most={80} />{' '}
            <span class="soft">
              <Shown text={service.version} most={30} />
            </span>
          </p>
        )}
        {/* Whether the page shows the current state of the mock. */}
        <p class={`connection ${words.toLowerCase()}`} role="status">
          {words}
        </p>
        <nav aria-label="Inspector" class="tabs">
          {shownTabs.map(([name, label]) => (
            <a href={`#${name}`} aria-current={name === tab ? 'page' : undefined}>
              {label}
            </a>
          ))}
          <a href="docs">Docs</a>
        </nav>
      </header>
      <main>
        {away !== undefined && !isLocked && (
          <Problem>{away.message} What is shown is what it last said; the page goes on by itself.</Problem>
        )}
        {isLocked && <p>{away?.message}</p>}
        {isLocked && <TokenForm onKeep={requests.restart} />}
        {service?.notices.map((notice) => (
          <p class="notice">
            <Shown text={notice} most={2_000} />
          </p>
        ))}
        {!isLocked && tab === 'requests' && (
          <RequestsView
            requests={requests}
            choice={choice}
            onChoose={setChoice}
            open={place.item}
            takesFocus={!place.isStart}
          />
        )}
        {!isLocked && tab === 'state' && (
          <StateView beat={beat} service={service} open={place} takesFocus={!place.isStart} />
        )}
        {!isLocked && tab === 'try' && <TryView service={service} />}
        {!isLocked && tab === 'callbacks' && <CallbacksView beat={beat} service={service} />}
        {!isLocked && tab === 'policy' && <PolicyView beat={beat} service={service} />}
        {!isLocked && tab === 'clock' && <ClockView beat={beat} />}
        {!isLocked && tab === 'faults' && <FaultsView beat={beat} service={service} />}
      </main>
    </>
  );
}

/** Renders a glass bell with a seedling under it. */
function Logo(): VNode {
  return (
    <svg
      viewBox="0 0 32 32"
      width="20"
      height="20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d="M6 26V16a10 10 0 0 1 20 0v10M3 26h26M16 6V3" />
      <path
        d="M16 26v-9m0 0c0-3 2-4.500 5-4.500 0 3-2 4.500-5 4.500zm0 3c0-3-2-4-4.500-4 0 2.500 2 4 4.500 4z"
        stroke-width="2"
      />
    </svg>
  );
}

/** Asks for the token of a mock that other machines can reach. */
function TokenForm({ onKeep }: { readonly onKeep: () => void }): VNode {
  const [token, setToken] = useState('');
  return (
    <Form
      class="tools"
      onSubmit={() => {
        keepControlToken(token);
        onKeep();
      }}
    >
      <label class="grow">
        Control token
        <input
          type="password"
          required
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </Form>
  );
}

/** The location in the URL fragment: `#state/%2Forders/7` is the tab `state`, in it `/orders`, and in that `7`. */
interface Place {
  readonly tab: string;
  readonly item: string | undefined;
  readonly key: string | undefined;
  /** Whether the page was opened there and the user did not navigate yet. */
  readonly isStart: boolean;
}

function readPlace(): Omit<Place, 'isStart'> {
  const [tab = '', ...names] = location.hash.slice(1).split('/');
  const [item, key] = names.map((name) => {
    try {
      return name === '' ? undefined : decodeURIComponent(name);
    } catch {
      return undefined;
    }
  });
  return { tab, item, key };
}

/** Returns the user's location in the page. The URL contains it, because it must survive reloading and going back. */
function usePlace(): Place {
  const [place, setPlace] = useState<Place>(() => ({ ...readPlace(), isStart: true }));
  useEffect(() => {
    const read = (): void => setPlace({ ...readPlace(), isStart: false });
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return place;
}
