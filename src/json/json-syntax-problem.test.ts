import { expect, test } from 'vitest';
import { toSyntaxProblem } from './parse.ts';

function explain(text: string): unknown {
  try {
    JSON.parse(text);
  } catch (error) {
    return toSyntaxProblem(text, error);
  }
  return 'JSON';
}

const whole = '{"id": 4,\n "name": "a\\n\\u00e4", "tags": [true, null, -1.5e3, {}, [], "b"]}';

test.each(Array.from({ length: whole.length }, (_, length) => whole.slice(0, length)))(
  'says of %j that it ends too early, and where',
  (text) => {
    const lines = text.split('\n');
    expect(explain(text)).toEqual({
      kind: 'syntax',
      reason: 'the text ends too early',
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
    });
  },
);

test.each([
  ['{"id":4,}', '"}" stands where none may', 1, 9],
  ['[1 2', 'a number stands where none may', 1, 4],
  ['{"a" 1', 'a number stands where none may', 1, 6],
  ['[1,\n  }', '"}" stands where none may', 2, 3],
  ['[true,\ntru]', 'unexpected identifier "tru"', 2, 1],
  ['[trx', 'unexpected identifier "trx"', 1, 2],
  ['{"a":01}', 'unexpected character "1"', 1, 7],
  ['[-x]', 'unexpected character "x"', 1, 3],
  [String.raw`["\x"]`, 'unexpected character "x"', 1, 4],
  ['{"a":1} x', 'unexpected character "x"', 1, 9],
  ['["a\nb"]', 'a control character stands unescaped in a string', 1, 4],
])('says of %j that %s', (text, reason, line, column) => {
  expect(explain(text)).toEqual({ kind: 'syntax', reason, line, column });
});
