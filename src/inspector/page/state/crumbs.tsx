import type { RefObject, VNode } from 'preact';
import type { ServiceResource } from '../../../mock/control/calls.ts';
import type { StateCollection } from '../../../mock/state/rows.ts';
import { Shown } from '../parts.tsx';
import { findParent, labelOfKey, type linksOf, placeOfResource } from '../place.ts';

/** Lists collections as links. */
export function CollectionList({
  collections,
  chosen,
}: {
  readonly collections: readonly Pick<StateCollection, 'name' | 'count' | 'kind'>[];
  readonly chosen?: string | undefined;
}): VNode {
  return (
    <ul>
      {collections.map(({ name, count, kind }) => (
        <li key={name}>
          <a href={placeOfResource({ collection: name })} aria-current={name === chosen ? 'true' : undefined}>
            <Shown text={name} />{' '}
            {kind === 'collection' && <span class="count">{count.toLocaleString('en')}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Renders links to items, with a comma between two. */
export function ItemLinks({ links }: { readonly links: ReturnType<typeof linksOf> }): VNode {
  return (
    <>
      {links.map(([text, place], index) => (
        <>
          {index > 0 && ', '}
          <a href={place}>
            <Shown text={text} />
          </a>
        </>
      ))}
    </>
  );
}

/** Lists the steps to a collection: each collection and item above it, and itself. */
function listSteps(
  resources: readonly ServiceResource[],
  collection: string,
): readonly Record<'text' | 'place', string>[] {
  const parent = findParent(resources, collection);
  const own = placeOfResource({ collection });
  if (parent === undefined) return [{ text: collection, place: own }];
  const below = collection.split('/').slice(parent.collection.split('/').length + 1);
  return [
    ...listSteps(resources, parent.collection),
    { text: parent.key, place: placeOfResource(parent) },
    { text: below.join('/'), place: own },
  ];
}

/** Renders the heading of a collection or of a resource, with links to the levels above. */
export function Crumbs(props: {
  readonly resources: readonly ServiceResource[];
  readonly collection: string;
  /** The id of the resource; undefined for a collection and for a singleton. */
  readonly resourceKey?: string | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}): VNode {
  const { resources, collection, resourceKey, heading } = props;
  const steps = listSteps(resources, collection);
  const above = resourceKey === undefined ? steps.slice(0, -1) : steps;
  const own = resourceKey === undefined ? (steps.at(-1)?.text ?? collection) : labelOfKey(resourceKey);
  return (
    <h2 class="crumbs mono" ref={heading} tabIndex={-1}>
      {above.map(({ text, place }) => (
        <>
          <a href={place}>
            <Shown text={text} />
          </a>
          <span class="soft"> / </span>
        </>
      ))}
      <Shown text={own} />
    </h2>
  );
}
