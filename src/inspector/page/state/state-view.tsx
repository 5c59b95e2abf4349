import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CollectionCount } from '../../../mock/store/store.ts';
import { askControl } from '../control/ask-control.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Problem } from '../parts/problem.tsx';
import { CollectionList } from './collection-list.tsx';
import { CollectionView } from './collection-view.tsx';
import { SnapshotList } from './snapshot-list.tsx';
import { Transfer } from './transfer.tsx';

/** What the mock remembers: its collections, one of them opened, and the ways to bring it all back or elsewhere. */
export function StateView({
  beat: pulse,
  open,
}: {
  readonly beat: number;
  /** The collection that is opened; the first one where nobody chose. */
  readonly open: string | undefined;
}): VNode {
  const [changes, setChanges] = useState(0);
  const [isResetting, setResetting] = useState(false);
  // Both only grow, so that their sum moves on with either.
  const beat = pulse + changes;
  const { value, problem } = useAnswer<{ readonly collections: readonly CollectionCount[] }>('state', beat);
  const collections = value?.collections ?? [];
  const chosen = open ?? collections[0]?.name;
  const change = (): void => setChanges((before) => before + 1);
  return (
    <div class="state">
      <h2 class="unseen">State</h2>
      <div class="side">
        {problem !== undefined && <Problem>{problem}</Problem>}
        <CollectionList collections={collections} open={chosen} />
        <SnapshotList beat={beat} onChange={change} />
        <Transfer onChange={change} />
        <button type="button" onClick={() => setResetting(true)}>
          Reset state…
        </button>
      </div>
      {chosen === undefined ? (
        value !== undefined && <p class="empty">This document has nothing that could be kept.</p>
      ) : (
        <CollectionView key={chosen} collection={chosen} beat={beat} onChange={change} />
      )}
      {isResetting && (
        <Confirm
          title="Reset the state?"
          verb="Reset"
          run={() => askControl('reset', { method: 'POST', body: { value: { parts: ['state'] } } })}
          onClose={() => {
            setResetting(false);
            change();
          }}
        >
          <p>What was created goes, and what the mock started with is there again.</p>
        </Confirm>
      )}
    </div>
  );
}
