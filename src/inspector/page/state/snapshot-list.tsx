import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CollectionCount } from '../../../mock/store/store.ts';
import { askControl } from '../control/ask-control.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Problem } from '../parts/problem.tsx';
import { Shown } from '../parts/shown.tsx';

interface Snapshots {
  readonly snapshots: readonly CollectionCount[];
}

/** What the state was at some time, kept under a name. */
export function SnapshotList({
  beat,
  onChange,
}: {
  readonly beat: number;
  readonly onChange: () => void;
}): VNode {
  const { value, reload } = useAnswer<Snapshots>('snapshots', beat);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [action, setAction] = useState<{ readonly verb: 'Restore' | 'Delete'; readonly name: string }>();
  async function save(): Promise<void> {
    const asked = await askControl(`snapshots/${encodeURIComponent(name)}`, { method: 'PUT' });
    setProblem(asked.ok ? undefined : asked.message);
    if (asked.ok) {
      setName('');
    }
    reload();
  }
  return (
    <section aria-labelledby="snapshots">
      <h3 id="snapshots">Snapshots</h3>
      <ul class="snapshots">
        {value?.snapshots.map((snapshot) => (
          <li key={snapshot.name}>
            <span>
              <Shown text={snapshot.name} most={80} />{' '}
              <span class="count">{snapshot.count.toLocaleString('en')}</span>
            </span>
            {(['Restore', 'Delete'] as const).map((verb) => (
              <button
                type="button"
                class="small quiet"
                onClick={() => setAction({ verb, name: snapshot.name })}
              >
                {verb}
                <span class="unseen">
                  {' '}
                  <Shown text={snapshot.name} most={80} />
                </span>
              </button>
            ))}
          </li>
        ))}
      </ul>
      <form
        class="tools"
        onSubmit={async (event) => {
          event.preventDefault();
          await save();
        }}
      >
        <label class="grow">
          <span class="unseen">Name of the snapshot</span>
          <input
            type="text"
            placeholder="Name"
            required
            maxLength={64}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Save state</button>
      </form>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {action !== undefined && (
        <Confirm
          title={
            <>
              {action.verb} <Shown text={action.name} most={80} />?
            </>
          }
          verb={action.verb}
          run={() =>
            action.verb === 'Delete'
              ? askControl(`snapshots/${encodeURIComponent(action.name)}`, { method: 'DELETE' })
              : askControl(`snapshots/${encodeURIComponent(action.name)}/restore`, { method: 'POST' })
          }
          onClose={() => {
            setAction(undefined);
            reload();
            onChange();
          }}
        >
          {action.verb === 'Restore' && <p>What is there now gives way to it.</p>}
        </Confirm>
      )}
    </section>
  );
}
