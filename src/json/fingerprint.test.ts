import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

test('is the same for the same text, and another for another', () => {
  expect(fingerprint('openapi: 3.1.0')).toBe('c7803465ed81f34d');
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(fingerprint(one) === fingerprint(other)).toBe(one === other);
    }),
  );
});
