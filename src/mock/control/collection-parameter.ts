import type { JsonObject } from '../../json/json-value.ts';
import { queryParameter } from './query-parameter.ts';

/** The parameter that names a collection. */
export const collectionParameter: JsonObject = queryParameter({
  name: 'collection',
  description: 'The concrete path of the collection, `/shops/7/orders`.',
  required: true,
  schema: { type: 'string', pattern: '^/' },
});
