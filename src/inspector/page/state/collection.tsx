import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StateResource } from '../../../mock/state/rows.ts';
import type { Service, ServiceResource } from '../../../mock/control/calls.ts';
import { askControl, type Asked, useAnswer } from '../control.ts';
import { Code, ConfirmDelete, followRow, Problem, QuietButton, SearchField, Shown } from '../parts.tsx';
import { findKind, labelOfKey, linksOf, placeOfResource } from '../place.ts';
import { chooseColumns, type Column, textOfCell } from './columns.ts';
import { Crumbs, ItemLinks } from './crumbs.tsx';
import { ResourceDialog } from './edit.tsx';

/** The maximum length of text in a cell, in UTF-16 code units; the resource shows all of it. */
const mostOfCell = 80;

/** The maximum length of ids that are not wrapped. */
const longKey = 40;

/** Shows a value in a table. */
function Cell({ resource: { value }, column: { name, kind }, ...of }: CellProps): VNode {
  const held = Object.hasOwn(value, name) ? value[name] : undefined;
  const isText = held === undefined || typeof held === 'string';
  const links = linksOf(of.resources, of.collection, { property: name, value: held });
  return (
    <td class={isText ? kind : `${kind} mono`}>
      {links.length === 0 ? <Shown text={textOfCell(held)} most={mostOfCell} /> : <ItemLinks links={links} />}
    </td>
  );
}

interface CellProps {
  readonly resource: StateResource;
  /** The resources of the document. */
  readonly resources: readonly ServiceResource[];
  readonly collection: string;
  readonly column: Column;
}

/** Shows the resources of one collection, with a column for each of their properties. */
function ResourceTable(props: {
  readonly collection: string;
  readonly resources: readonly StateResource[];
  readonly service: Service;
  readonly onDelete: (resource: StateResource) => void;
}): VNode {
  const { collection, resources, service, onDelete } = props;
  const { key: ofKey, columns, left } = chooseColumns(resources);
  const hasLongKeys = resources.some(({ key }) => labelOfKey(key).length > longKey);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Table of ${collection}`}>
        <table class="resources">
          <caption class="unseen">
            Resources of <Shown text={collection} />
          </caption>
          <thead>
            <tr>
              <th scope="col">{ofKey === undefined ? 'Key' : <Shown text={ofKey} />}</th>
              {columns.map(({ name, kind }) => (
                <th scope="col" class={kind}>
                  <Shown text={name} most={40} />
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => {
              const place = placeOfResource({ collection, key: resource.key });
              return (
                <tr key={resource.key} onClick={followRow(place)}>
                  <th scope="row" class={hasLongKeys ? 'mono long' : 'mono'}>
                    <a href={place}>
                      <Shown text={labelOfKey(resource.key)} />
                    </a>
                  </th>
                  {columns.map((column) => (
                    <Cell
                      resource={resource}
                      column={column}
                      resources={service.resources}
                      collection={collection}
                    />
                  ))}
                  <td class="end">
                    <QuietButton
                      verb="Delete"
                      what={labelOfKey(resource.key)}
                      onClick={() => onDelete(resource)}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <p class="soft">
          {left === 1 ? 'One more property shows' : `${left} more properties show`} when a row is opened.
        </p>
      )}
    </>
  );
}

const pageSize = 50;

/** Renders the buttons for the pages of a list. */
function Pager(props: {
  readonly offset: number;
  readonly total: number;
  readonly onTurn: (offset: number) => void;
}): VNode {
  const { offset, total, onTurn } = props;
  const page = Math.floor(offset / pageSize) + 1;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const turn = (to: number): void => onTurn((Math.min(Math.max(1, to), pages) - 1) * pageSize);
  const buttons = (names: readonly (readonly [name: string, to: number])[]) =>
    names.map(([name, to]) => (
      <button type="button" disabled={to < 1 || to > pages || to === page} onClick={() => turn(to)}>
        {name}
      </button>
    ));
  return (
    <nav aria-label="Pages" class="pager">
      {buttons([
        ['First', 1],
        ['Previous', page - 1],
      ])}
      <label>
        Page{' '}
        <input
          type="number"
          min={1}
          max={pages}
          value={page}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') turn(Math.round(Number(currentTarget.value)));
          }}
        />{' '}
        of {pages.toLocaleString('en')}
      </label>
      {buttons([
        ['Next', page + 1],
        ['Last', pages],
      ])}
      <span role="status" class="soft">
        {(offset + 1).toLocaleString('en')} to {Math.min(total, offset + pageSize).toLocaleString('en')} of{' '}
        {total.toLocaleString('en')}
      </span>
    </nav>
  );
}

/** Explains how an empty collection can be filled. */
function HowToFill({
  collection,
  service,
}: {
  readonly collection: string;
  readonly service: Service;
}): VNode {
  const template = findKind(service.resources, collection)?.collection;
  const creates = service.operations.filter(
    ({ kind, collection: own }) => own === template && (kind === 'create' || kind === 'replace'),
  );
  const filling = creates.find(({ kind }) => kind === 'create') ?? creates[0];
  const path = filling?.path === template ? collection : filling?.path;
  return (
    <p class="empty">
      Nothing is in it yet.{' '}
      {filling === undefined ? (
        'No operation of the document fills it, so that requests get samples until you do: by '
      ) : (
        <>
          An app fills it by <Code text={`${filling.method} ${path}`} />, you by{' '}
        </>
      )}
      “Add…” or a file: <code>cloche mock --data</code>.
    </p>
  );
}

/** The visible part of a collection. */
export interface Look {
  readonly search: string;
  readonly offset: number;
}

type Action = { readonly kind: 'add' } | { readonly kind: 'delete'; readonly resource: StateResource };

/**
 * Returns a heading, and the place whose link gets the focus after the next rows are rendered; the heading gets it if there
 * is no such link.
 */
function useReturningFocus(start: string | undefined, rows: unknown) {
  const heading = useRef<HTMLHeadingElement>(null);
  const goal = useRef(start);
  useEffect(() => {
    const place = goal.current;
    if (rows === undefined || place === undefined || document.activeElement !== document.body) return;
    goal.current = undefined;
    const link = document.querySelector<HTMLElement>(`.resources a[href="${CSS.escape(place)}"]`);
    (link ?? heading.current)?.focus();
  }, [rows]);
  return { heading, goal };
}

/** Shows the resources of one collection, to search, add and change them. */
export function CollectionView(props: {
  readonly collection: string;
  readonly service: Service;
  readonly beat: number;
  readonly look: Look;
  readonly onLook: (look: Look) => void;
  readonly onChange: () => void;
  /** The id of the previously open resource, as in its link; the focus returns to it. */
  readonly cameFrom: string | undefined;
}): VNode {
  const {
    collection,
    service,
    beat,
    look: { search, offset },
    onLook,
    onChange,
    cameFrom,
  } = props;
  const [action, setAction] = useState<Action>();
  const sought = search === '' ? undefined : search;
  const { value, problem, reload } = useAnswer(
    'listResources',
    { collection, offset, limit: pageSize, search: sought },
    beat,
  );
  const { heading, goal } = useReturningFocus(
    cameFrom === undefined ? undefined : placeOfResource({ collection, key: cameFrom }),
    value,
  );
  const total = value?.total ?? 0;
  useEffect(() => {
    // Other clients delete resources too, and then the current page may not exist any more.
    if (total > 0 && offset >= total) {
      onLook({ search, offset: Math.floor((total - 1) / pageSize) * pageSize });
    }
  }, [total, offset]);
  function close(): void {
    setAction(undefined);
    reload();
    onChange();
  }
  async function remove({ key }: StateResource): Promise<Asked<undefined>> {
    const asked = await askControl('deleteResource', { collection, key });
    goal.current = asked.ok ? placeOfResource({ collection, key }) : undefined;
    return asked;
  }
  return (
    <section aria-label={`Collection ${collection}`}>
      <Crumbs resources={service.resources} collection={collection} heading={heading} />
      <div class="tools">
        <SearchField
          what="resources"
          value={search}
          onSearch={(text) => onLook({ search: text, offset: 0 })}
        />
        <button type="button" class="primary" onClick={() => setAction({ kind: 'add' })}>
          Add…
        </button>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {value !== undefined &&
        total === 0 &&
        (search === '' ? (
          <HowToFill collection={collection} service={service} />
        ) : (
          <p class="empty">Nothing in it is like that.</p>
        ))}
      {value !== undefined && value.resources.length > 0 && (
        <ResourceTable
          collection={collection}
          resources={value.resources}
          service={service}
          onDelete={(resource) => setAction({ kind: 'delete', resource })}
        />
      )}
      {total > pageSize && (
        <Pager offset={offset} total={total} onTurn={(to) => onLook({ search, offset: to })} />
      )}
      {action?.kind === 'add' && (
        <ResourceDialog collection={collection} resource={undefined} onClose={close} />
      )}
      {action?.kind === 'delete' && (
        <ConfirmDelete
          name={labelOfKey(action.resource.key)}
          run={() => remove(action.resource)}
          onClose={close}
        />
      )}
    </section>
  );
}
