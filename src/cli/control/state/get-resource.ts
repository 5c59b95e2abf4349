import { indentJson } from '../../../json/indent-json.ts';
import type { StateResource } from '../../../mock/state/mock-state.ts';
import type { Action } from '../action.ts';
import { checkCollection } from './check-collection.ts';

/** `cloche state get` */
export const getResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    key: { describe: 'What it is kept under' },
  },
  async act(client, { required }) {
    const value = await client.call({
      method: 'GET',
      path: '/state/resource',
      query: { collection: checkCollection(required('collection')), key: required('key') },
    });
    // `as`: the document of the control interface says so.
    const resource = value as unknown as StateResource;
    return { value, lines: [indentJson(resource.value)] };
  },
};
