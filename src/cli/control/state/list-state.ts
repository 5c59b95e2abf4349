import { stringifyJson } from '../../../json/stringify-json.ts';
import type { StatePage } from '../../../mock/state/mock-state.ts';
import type { CollectionCount } from '../../../mock/store/store.ts';
import type { Action, ActionResult } from '../action.ts';
import { checkCollection } from './check-collection.ts';
import { countResources } from '../count-resources.ts';
import { renderCounts } from '../render-counts.ts';
import type { MockClient } from '../mock-client.ts';

const usualLimit = 100;

async function listCollections(client: MockClient): Promise<ActionResult> {
  const value = await client.call({ method: 'GET', path: '/state' });
  // `as`: the document of the control interface says so.
  const { collections } = value as unknown as { readonly collections: readonly CollectionCount[] };
  return {
    value,
    lines: renderCounts(collections),
    notes: collections.length === 0 ? ['There are no collections: nothing creates anything.'] : [],
  };
}

/** `cloche state list` */
export const listState: Action = {
  options: {
    collection: { describe: 'The path of a collection, /shops/7/orders' },
    search: { type: 'string', requiresArg: true, describe: 'Resources that hold this text, in any case' },
    offset: { requiresArg: true, describe: 'Pass over so many' },
    limit: { requiresArg: true, describe: 'So many at most', defaultDescription: String(usualLimit) },
  },
  async act(client, { text, whole }) {
    const collection = text('collection');
    if (collection === undefined) {
      return listCollections(client);
    }
    const value = await client.call({
      method: 'GET',
      path: '/state/resources',
      query: {
        collection: checkCollection(collection),
        search: text('search'),
        offset: whole('offset'),
        limit: whole('limit') ?? usualLimit,
      },
    });
    // `as`: the document of the control interface says so.
    const { total, resources } = value as unknown as StatePage;
    const isAll = resources.length === total;
    return {
      value,
      lines: resources.map((resource) => stringifyJson(resource.value)),
      notes: isAll && total > 0 ? [] : [`${resources.length} of ${countResources(total)} shown.`],
    };
  },
};
