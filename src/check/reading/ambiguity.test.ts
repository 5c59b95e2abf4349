import { expect, test } from 'vitest';
import { parseJson } from '../../json/parse.ts';
import { compileSchema } from '../../schema/compile.ts';
import { findContest } from './ambiguity.ts';

const schema = compileSchema({
  pointer: '',
  schema: {
    properties: {
      id: { type: 'integer', format: 'int64' },
      price: { type: 'number' },
      contact: { type: 'string', format: 'email' },
    },
  },
});

test.each([
  ['{"id":1}', undefined],
  ['{"id":9223372036854775807}', undefined],
  // Only where an integer is asked for does its notation matter.
  ['{"price":2.0}', undefined],
  ['{"id":2.0}', ['integer-notation']],
  ['{"id":9223372036854775808}', ['int64-range']],
  ['{"id":1e19}', ['int64-range', 'integer-notation']],
  ['{"contact":"nobody"}', []],
  ['{"contact":"nobody","id":9223372036854775808}', []],
  ['{"price":-0}', []],
  [String.raw`{"other":"\ud800"}`, []],
  ['{"id":1,"id":2}', ['duplicate-keys-in-json']],
] as const)('%s is contested by %j', (text, expected) => {
  const json = parseJson(text, { findDuplicateKeys: true });
  const contest =
    json.kind === 'json'
      ? findContest({
          value: json.value,
          exact: json.exact,
          hasByteOrderMark: false,
          hasDuplicateKeys: json.duplicateKeys.length > 0,
          schema,
        })
      : 'no JSON';
  expect(typeof contest === 'object' ? contest.questions : contest).toEqual(expected);
});
