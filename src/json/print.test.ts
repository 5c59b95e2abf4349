import { expect, test } from 'vitest';
import { parseJson } from './parse.ts';
import { indentJson } from './print.ts';

test('writes a value over several lines, and numbers digit for digit', () => {
  const parsed = parseJson('{"a":[1,{"b":9007199254740993}],"c":{},"d":[],"e":"x"}');
  const value = parsed.kind === 'json' ? parsed.value : null;
  expect(indentJson(value)).toBe(
    [
      '{',
      '  "a": [',
      '    1,',
      '    {',
      '      "b": 9007199254740993',
      '    }',
      '  ],',
      '  "c": {},',
      '  "d": [],',
      '  "e": "x"',
      '}',
    ].join('\n'),
  );
});
