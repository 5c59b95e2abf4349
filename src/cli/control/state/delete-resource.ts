import type { Action } from '../action.ts';
import { checkCollection } from './check-collection.ts';

/** `cloche state delete` */
export const deleteResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    key: { describe: 'What it is kept under' },
  },
  async act(client, { required }) {
    const collection = checkCollection(required('collection'));
    const key = required('key');
    await client.call({ method: 'DELETE', path: '/state/resource', query: { collection, key } });
    return { value: undefined, lines: [`${collection} ${key} is forgotten.`] };
  },
};
