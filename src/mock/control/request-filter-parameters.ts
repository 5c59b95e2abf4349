import type { JsonObject } from '../../json/json-value.ts';
import { queryParameter } from './query-parameter.ts';

const text = { type: 'string' };

/** What of a request is looked at, as the query spells it. */
export const requestFilters: readonly {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}[] = [
  { name: 'operation', description: 'The id of the operation.', schema: text },
  { name: 'method', description: 'The method, in any case.', schema: text },
  {
    name: 'path',
    description: 'The path as it was sent, without its query, or a template of the document.',
    schema: text,
  },
  {
    name: 'status',
    description: 'The status of the answer.',
    schema: { type: 'integer', minimum: 100, maximum: 599 },
  },
  {
    name: 'verdict',
    description: 'What the mock made of it.',
    schema: { enum: ['accepted', 'refused', 'forced'] },
  },
  { name: 'condition', description: 'Why it was refused.', schema: text },
  {
    name: 'search',
    description: 'A text that target, body or message holds, in any case.',
    schema: text,
  },
  {
    name: 'after',
    description: 'Requests with a higher id.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
];

/** The parameters that say which requests are meant. */
export const requestFilterParameters: JsonObject[] = requestFilters.map(queryParameter);
