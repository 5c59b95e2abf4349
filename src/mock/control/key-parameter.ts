import type { JsonObject } from '../../json/json-value.ts';
import { queryParameter } from './query-parameter.ts';

/** The parameter that names a resource of a collection. */
export const keyParameter: JsonObject = queryParameter({
  name: 'key',
  description:
    'What the resource is kept under, as a JSON text; a text may go without its quotes where no other key is meant then.',
  required: true,
  schema: { type: 'string', minLength: 1 },
});
