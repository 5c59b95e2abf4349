import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ClockView } from './clock/clock-view.tsx';
import { FaultsView } from './faults/faults-view.tsx';
import { Connection } from './parts/connection.tsx';
import { Logo } from './parts/logo.tsx';
import { Problem } from './parts/problem.tsx';
import { Shown } from './parts/shown.tsx';
import { Tabs } from './parts/tabs.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { usePlace } from './parts/use-place.ts';
import { PolicyView } from './policy/policy-view.tsx';
import type { RequestChoice } from './requests/request-choice.ts';
import { RequestsView } from './requests/requests-view.tsx';
import { useRequests } from './requests/use-requests.ts';
import { StateView } from './state/state-view.tsx';

const everything: RequestChoice = { search: '', verdict: '', operation: '' };

/** The whole page. */
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
  const tab = ['state', 'policy', 'faults', 'clock'].includes(place.tab) ? place.tab : 'requests';
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
        <Connection away={away} service={service} />
        <Tabs open={tab} />
      </header>
      <main>
        {away !== undefined && !isLocked && (
          <Problem>{away.message} What is shown is what it last said; the page goes on by itself.</Problem>
        )}
        {isLocked && (
          <>
            <p>{away?.message}</p>
            <TokenForm onKeep={requests.restart} />
          </>
        )}
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
        {!isLocked && tab === 'state' && <StateView beat={beat} open={place.item} />}
        {!isLocked && tab === 'policy' && <PolicyView beat={beat} service={service} />}
        {!isLocked && tab === 'clock' && <ClockView beat={beat} />}
        {!isLocked && tab === 'faults' && <FaultsView beat={beat} service={service} />}
      </main>
    </>
  );
}
