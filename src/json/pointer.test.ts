import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendPointer, isPointer, pointerTokens } from './pointer.ts';

test.each([
  [['a'], '/x/a'],
  [['a/b', 'm~n', 0], '/x/a~1b/m~0n/0'],
  [['~1'], '/x/~01'],
  [[''], '/x/'],
  [[], '/x'],
] as const)('appends %j', (tokens, pointer) => {
  expect(appendPointer('/x', ...tokens)).toBe(pointer);
});

test('gives back the tokens that a pointer was made of', () => {
  const token = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') });
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      expect(pointerTokens(appendPointer('', ...tokens))).toEqual(tokens);
    }),
  );
});

test.each([
  ['', true],
  ['/', true],
  ['/a~0b~1c/0', true],
  ['a', false],
  ['/a~', false],
  ['/a~2', false],
  ['/~~01', false],
])('knows of %j whether it is a pointer', (text, is) => {
  expect(isPointer(text)).toBe(is);
});
