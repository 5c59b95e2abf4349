import { expect, test } from 'vitest';
import { compileSchema } from './compile.ts';

test('looks at a bounded number of problems in a branch of anyOf, however long an array is', () => {
  const schema = { anyOf: [{ type: 'integer' }, { type: 'array', items: { const: 1 } }] };
  const validate = compileSchema({ schema, pointer: '' }).validator({
    formats: 'assert',
    integers: 'by-value',
  });
  const twos = Array.from({ length: 200_000 }, () => 2);
  expect(validate(twos, false).length).toBeLessThanOrEqual(1000);
});
