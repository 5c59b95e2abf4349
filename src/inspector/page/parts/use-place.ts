import { useEffect, useState } from 'preact/hooks';

/** What the fragment of the address names: `#state/%2Forders` is the tab `state` and in it `/orders`. */
export interface Place {
  readonly tab: string;
  readonly item: string | undefined;
  /** Whether the page was opened there, and nobody went anywhere yet. */
  readonly isStart: boolean;
}

function readPlace(): Omit<Place, 'isStart'> {
  const [tab = '', item] = location.hash.slice(1).split('/', 2);
  try {
    return { tab, item: item === undefined || item === '' ? undefined : decodeURIComponent(item) };
  } catch {
    return { tab, item: undefined };
  }
}

/** Where in the page somebody is. It stands in the address, so that reloading and going back keep to it. */
export function usePlace(): Place {
  const [place, setPlace] = useState<Place>(() => ({ ...readPlace(), isStart: true }));
  useEffect(() => {
    const read = (): void => setPlace({ ...readPlace(), isStart: false });
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return place;
}
