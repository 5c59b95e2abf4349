import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StatePage, StateResource } from '../../../mock/state/mock-state.ts';
import { askControl } from '../control/ask-control.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Problem } from '../parts/problem.tsx';
import { Shown } from '../parts/shown.tsx';
import { Pager } from './pager.tsx';
import { ResourceDialog } from './resource-dialog.tsx';
import { ResourceTable } from './resource-table.tsx';

const pageSize = 50;

type Action =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly resource: StateResource }
  | { readonly kind: 'delete'; readonly resource: StateResource };

/** The resources of one collection: to search, to add to, to change. */
export function CollectionView({
  collection,
  beat,
  onChange,
}: {
  readonly collection: string;
  readonly beat: number;
  readonly onChange: () => void;
}): VNode {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [action, setAction] = useState<Action>();
  const named = `collection=${encodeURIComponent(collection)}`;
  const path = `state/resources?${named}&offset=${offset}&limit=${pageSize}`;
  const { value, problem, reload } = useAnswer<StatePage>(
    search === '' ? path : `${path}&search=${encodeURIComponent(search)}`,
    beat,
  );
  function close(): void {
    setAction(undefined);
    reload();
    onChange();
  }
  return (
    <section aria-label={`Collection ${collection}`}>
      <div class="tools">
        <label class="grow">
          <span class="unseen">Search resources</span>
          <input
            type="search"
            placeholder="Search"
            value={search}
            onInput={({ currentTarget }) => {
              setSearch(currentTarget.value);
              setOffset(0);
            }}
          />
        </label>
        <button type="button" class="primary" onClick={() => setAction({ kind: 'add' })}>
          Add…
        </button>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {value !== undefined && value.resources.length === 0 && (
        <p class="empty">{search === '' ? 'Nothing is in it yet.' : 'Nothing in it is like that.'}</p>
      )}
      {value !== undefined && value.resources.length > 0 && (
        <>
          <ResourceTable
            collection={collection}
            resources={value.resources}
            onOpen={(resource) => setAction({ kind: 'edit', resource })}
            onDelete={(resource) => setAction({ kind: 'delete', resource })}
          />
          <Pager total={value.total} offset={offset} size={pageSize} onTurn={setOffset} />
        </>
      )}
      {(action?.kind === 'add' || action?.kind === 'edit') && (
        <ResourceDialog
          collection={collection}
          resource={action.kind === 'edit' ? action.resource : undefined}
          onClose={close}
        />
      )}
      {action?.kind === 'delete' && (
        <Confirm
          title={
            <>
              Delete <Shown text={action.resource.key} most={80} />?
            </>
          }
          verb="Delete"
          run={() =>
            askControl(`state/resource?${named}&key=${encodeURIComponent(action.resource.key)}`, {
              method: 'DELETE',
            })
          }
          onClose={close}
        />
      )}
    </section>
  );
}
