import { expect, test } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { prepareEnvelope } from './list-envelope.ts';

test('an envelope whose sample fits is prepared without asking for reasons, which takes compiling', () => {
  const compiled = compileSchema({
    schema: {
      type: 'object',
      required: ['data', 'has_more', 'object'],
      properties: {
        data: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: {} } } },
        has_more: { type: 'boolean' },
        object: { enum: ['list'] },
      },
    },
    pointer: '',
  });
  let asked = 0;
  const envelope = prepareEnvelope(
    {
      examples: [],
      schema: {
        ...compiled,
        validator(reading) {
          const validate = compiled.validator(reading);
          const count: typeof validate = Object.assign(
            (...of: Parameters<typeof validate>) => {
              asked += 1;
              return validate(...of);
            },
            { accepts: validate.accepts },
          );
          return count;
        },
      },
    },
    ['data'],
  );
  expect([asked, envelope.needsTotal]).toEqual([0, false]);
});
