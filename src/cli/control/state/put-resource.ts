import type { StateResource } from '../../../mock/state/mock-state.ts';
import type { Action } from '../action.ts';
import { readJsonArgument } from '../read-json-argument.ts';
import { checkCollection } from './check-collection.ts';

/** `cloche state put` */
export const putResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    resource: { describe: 'Its JSON, or a file that holds it, or - for standard input' },
  },
  async act(client, { required }) {
    const collection = checkCollection(required('collection'));
    const value = await client.call({
      method: 'PUT',
      path: '/state/resources',
      query: { collection },
      body: await readJsonArgument(required('resource')),
    });
    // `as`: the document of the control interface says so.
    const { key } = value as unknown as StateResource;
    return { value, lines: [`${collection} ${key} is kept.`] };
  },
};
