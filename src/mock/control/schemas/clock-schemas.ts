import type { JsonObject } from '../../../json/json-value.ts';

/** The schemas of the time of the mock. */
export const clockSchemas: Readonly<Record<string, JsonObject>> = {
  Clock: {
    type: 'object',
    required: ['now', 'frozen'],
    properties: {
      now: { type: 'string', format: 'date-time' },
      frozen: { type: 'boolean', description: 'Whether it stands still.' },
    },
  },
};
