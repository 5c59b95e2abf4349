import type { CollectionCount } from '../../../mock/store/store.ts';
import type { Action } from '../action.ts';
import { renderCounts } from '../render-counts.ts';

/** `cloche snapshot list` */
export const listSnapshots: Action = {
  async act(client) {
    const value = await client.call({ method: 'GET', path: '/snapshots' });
    // `as`: the document of the control interface says so.
    const { snapshots } = value as unknown as { readonly snapshots: readonly CollectionCount[] };
    return {
      value,
      lines: renderCounts(snapshots),
      notes: snapshots.length === 0 ? ['There are no snapshots; cloche snapshot save NAME keeps one.'] : [],
    };
  },
};
