import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { indentJson } from '../../../json/print.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { StateCollection } from '../../../mock/state/rows.ts';
import type { Service } from '../../../mock/control/calls.ts';
import { askControl, type Asked, useAnswer } from '../control.ts';
import { ConfirmDelete, Entries, Problem, Shown } from '../parts.tsx';
import { labelOfKey, linksOf, listBelow, pathOfResource, placeOfResource } from '../place.ts';
import { MarkedText } from '../requests/details.tsx';
import { RequestTable } from '../requests/list.tsx';
import { CollectionList, Crumbs, ItemLinks } from './crumbs.tsx';
import { ResourceDialog } from './edit.tsx';

/** The maximum number of shown requests; the request list has the others. */
const mostRequests = 50;

/** Shows the requests of the log about a resource. */
function History({ path, beat }: { readonly path: string; readonly beat: number }): VNode {
  const { value, problem } = useAnswer('listRequests', { item: path, limit: mostRequests }, beat);
  const requests = value?.requests.toReversed() ?? [];
  return (
    <section aria-labelledby="history">
      <h3 id="history">Requests</h3>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {value !== undefined && requests.length === 0 && (
        <p class="soft">No request in the log was about it.</p>
      )}
      {requests.length > 0 && (
        <RequestTable requests={requests} caption="Requests about it, the newest first" />
      )}
      {requests.length === mostRequests && <p class="soft">The newest {mostRequests} are shown.</p>}
    </section>
  );
}

/** Lists the items that a resource refers to. */
function References(props: {
  readonly service: Service;
  readonly collection: string;
  readonly value: JsonObject;
}): VNode | undefined {
  const { service, collection, value } = props;
  const found = Object.entries(value).flatMap(([property, member]) => {
    const links = linksOf(service.resources, collection, { property, value: member });
    return links.length === 0 ? [] : [[<Shown text={property} />, <ItemLinks links={links} />] as const];
  });
  return found.length === 0 ? undefined : (
    <section aria-labelledby="references">
      <h3 id="references">References</h3>
      <Entries class="facts" valueClass="mono" entries={found} />
    </section>
  );
}

type Action = 'edit' | 'delete';

function Tools({
  canDelete,
  onChoose,
}: {
  readonly canDelete: boolean;
  readonly onChoose: (action: Action) => void;
}): VNode {
  return (
    <div class="tools">
      <button type="button" class="primary" onClick={() => onChoose('edit')}>
        Edit…
      </button>
      {canDelete && (
        <button type="button" onClick={() => onChoose('delete')}>
          Delete…
        </button>
      )}
    </div>
  );
}

/** Shows one resource to edit and delete, its collections, and the requests about it. */
export function ResourceView(props: {
  readonly collection: string;
  /** The id as in the state or as in a path; undefined for a singleton. */
  readonly resourceKey: string | undefined;
  readonly service: Service;
  readonly counts: readonly StateCollection[];
  readonly beat: number;
  readonly takesFocus: boolean;
  readonly onChange: () => void;
}): VNode {
  const { collection, resourceKey, service, counts, beat, takesFocus, onChange } = props;
  const [action, setAction] = useState<Action>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isSingle = resourceKey === undefined;
  const { value, problem, reload } = useAnswer(
    isSingle ? 'listResources' : 'getResource',
    isSingle ? { collection, limit: 1 } : { collection, key: resourceKey },
    beat,
  );
  const resource = value !== undefined && 'resources' in value ? value.resources[0] : value;
  const key = resource?.key ?? resourceKey;
  const above = isSingle ? '#state' : placeOfResource({ collection });
  useEffect(() => {
    if (takesFocus) {
      heading.current?.focus();
    }
  }, [collection, resourceKey]);
  function close(): void {
    setAction(undefined);
    reload();
    onChange();
  }
  async function remove(): Promise<Asked<undefined>> {
    const asked = await askControl('deleteResource', { collection, key: key ?? '' });
    if (asked.ok && !isSingle) {
      location.hash = above;
    }
    return asked;
  }
  const paths = isSingle ? [] : listBelow(service.resources, collection, key ?? '');
  const below = paths.flatMap((name) => {
    const known = counts.find((each) => each.name === name);
    // There may be resources below a deleted item.
    if (resource === undefined && known === undefined) return [];
    return [{ name, count: known?.count ?? 0, kind: 'collection' as const }];
  });
  return (
    <article
      class="resource"
      aria-label={isSingle ? `Resource ${collection}` : `Resource ${resourceKey} of ${collection}`}
      onKeyDown={({ key: pressed, target }) => {
        const isInDialog = target instanceof Element && target.closest('dialog') !== null;
        if (pressed === 'Escape' && !isInDialog) {
          location.hash = above;
        }
      }}
    >
      <div class="bar">
        <Crumbs
          resources={service.resources}
          collection={collection}
          resourceKey={isSingle ? undefined : (key ?? '')}
          heading={heading}
        />
        {!isSingle && (
          <a class="close" href={above}>
            Close
          </a>
        )}
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {resource === undefined && value !== undefined && (
        <p class="soft">Nothing was put here yet: a read answers with what the document gives it.</p>
      )}
      {resource !== undefined && (
        <MarkedText key={resource.key} text={indentJson(resource.value)} marks={[]} label="Resource" />
      )}
      {resource !== undefined && (
        <References service={service} collection={collection} value={resource.value} />
      )}
      {(resource !== undefined || isSingle) && (
        <Tools canDelete={resource !== undefined} onChoose={setAction} />
      )}
      {below.length > 0 && (
        <nav aria-label="Within it" class="collections">
          <h3>Within it</h3>
          <CollectionList collections={below} />
        </nav>
      )}
      <History path={isSingle ? collection : pathOfResource(collection, key ?? '')} beat={beat} />
      {action === 'edit' && <ResourceDialog collection={collection} resource={resource} onClose={close} />}
      {action === 'delete' && (
        <ConfirmDelete name={isSingle ? collection : labelOfKey(key ?? '')} run={remove} onClose={close} />
      )}
    </article>
  );
}
