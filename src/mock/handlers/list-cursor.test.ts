import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutValues, readCursor, writeCursor } from './list-cursor.ts';

const cursor = fc.record({
  direction: fc.constantFrom('after' as const, 'before' as const),
  position: fc.nat(),
  values: fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null))),
});

test('a cursor is read as it was written, and its text needs no encoding in a URL', () => {
  fc.assert(
    fc.property(fc.string(), cursor, (scope, made) => {
      const token = writeCursor(scope, made);
      const { direction, position } = made;
      expect(encodeURIComponent(token)).toBe(token);
      expect(readCursor(scope, token)).toEqual({ direction, position, ...cutValues(made.values) });
      expect(readCursor(scope, `4##${token}`)).toEqual(readCursor(scope, token));
      expect(token).toMatch(/^(?:[a-z0-9]{4})+$/u);
    }),
  );
});

test('a cursor has a bounded length, whatever the values of its item', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 5_000 }),
    fc.integer(),
    fc.constant('\u0001'.repeat(9_000)),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 100 }), (values) => {
      const token = writeCursor('/books', { direction: 'after', position: 7, values });
      expect(token.length).toBeLessThan(1_600);
    }),
  );
  expect(cutValues(['a', 'b'.repeat(9_000)])).toEqual({ values: ['a', 'b'.repeat(39)], isCut: true });
});

test('the text of a cursor is good for its own list alone', () => {
  const made = { direction: 'after', position: 7, values: [] } as const;
  expect(readCursor('/pens', writeCursor('/books', made))).toBeUndefined();
});

test('no other text is a cursor, and none breaks anything', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.stringMatching(/^[\w-]{0,40}$/u),
  );
  fc.assert(fc.property(text, (token) => readCursor('/books', token) === undefined));
  const token = writeCursor('/books', { direction: 'after', position: 7, values: ['a'] });
  for (let index = 0; index < token.length - 1; index += 1) {
    const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
    expect(readCursor('/books', changed)).toBeUndefined();
  }
});
