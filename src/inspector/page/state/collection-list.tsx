import type { VNode } from 'preact';
import type { CollectionCount } from '../../../mock/store/store.ts';
import { Shown } from '../parts/shown.tsx';

/** The collections, each a link that opens it. */
export function CollectionList({
  collections,
  open,
}: {
  readonly collections: readonly CollectionCount[];
  readonly open: string | undefined;
}): VNode {
  return (
    <nav aria-label="Collections" class="collections">
      <ul>
        {collections.map(({ name, count }) => (
          <li key={name}>
            <a href={`#state/${encodeURIComponent(name)}`} aria-current={name === open ? 'true' : undefined}>
              <Shown text={name} most={120} /> <span class="count">{count.toLocaleString('en')}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
