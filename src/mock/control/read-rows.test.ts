import { expect, test } from 'vitest';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { readRows } from './read-rows.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const many = Array.from({ length: 5_000 }, (_, id) => ({
  id,
  name: `Tea, "green" ]}[{ ${id}`,
  in: [[], { a: [1] }],
}));
const text = JSON.stringify({
  '/orders': many,
  '/settings': { list: [1, 2] },
  '/empty': [],
  '/teas': [{ id: 0 }],
});

test('reads what is read at once, digit for digit, and leaves the rows out of the frame', async () => {
  const exact = text.replace('"id":4321', '"id":12345678901234567890').replace('"id":0', '"id":1.50');
  const whole = parseJson(exact);
  const read = await readRows(bytes(exact));
  expect(read.kind === 'read' && stringifyJson(read.rows)).toBe(
    whole.kind === 'json' && stringifyJson(whole.value),
  );
  expect(read.kind === 'read' && new TextDecoder().decode(read.frame)).toBe(
    '{"/orders":[],"/settings":{"list":[1,2]},"/empty":[],"/teas":[]}',
  );
});

test('requests have their turn meanwhile', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  await readRows(bytes(JSON.stringify({ '/orders': Array.from({ length: 8 }, () => many).flat() })));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(8);
});

test.each([
  ['in a row', text.replace('"id":4321', '"id":4321x')],
  ['behind the last row', text.replace(']}],', ']},],')],
  ['between rows', text.replace('},{"id":4321', '},,{"id":4321')],
  ['behind a list', text.replace('"/settings"', '"/settings')],
  ['at the end', text.slice(0, -1)],
  ['in the middle of a row', text.slice(0, -100_000)],
  ['on another line', JSON.stringify({ '/orders': many }, null, 1).replace('"id": 4321', '"id": 4321x')],
  ['behind letters of several bytes', text.replaceAll('Tea', 'ŁódźTee').replace('"id":4321', '"id":4321x')],
])('what is no JSON %s is said where it stands', async (_where, broken) => {
  const whole = parseJson(broken);
  const { line, column } = whole.kind === 'syntax' ? whole : { line: 0, column: 0 };
  expect(await readRows(bytes(broken))).toMatchObject({
    kind: 'refused',
    status: 400,
    message: expect.stringContaining(`at line ${line}, column ${column}, `),
  });
});

test.each([
  [
    'a row that is no object',
    text.replace('{"id":4321', '7,{"id":4321'),
    'each row of a list must be an object',
  ],
  [
    'a key that stands twice in a row',
    text.replace('"id":4321', '"id":1,"id":4321'),
    'the key "id" of a row twice',
  ],
  [
    'a row that is nested too deep',
    text.replace('"id":4321', `"id":${'['.repeat(600)}${']'.repeat(600)}`),
    'deeper than 512 levels',
  ],
  [
    'a row that is too large',
    text.replace('"id":4321', `"id":"${'x'.repeat(4_194_304)}"`),
    'A row may have 4194304 bytes',
  ],
  [
    'much besides rows',
    text.replace('"list":[', `"list":["${'x'.repeat(4_194_304)}",`),
    'What is no row of a list',
  ],
  [
    'more rows than the memory holds',
    `{"/orders":[${'{},'.repeat(1_000_000)}{}]}`,
    'An import may have 1000000 rows',
  ],
])('%s is refused', async (_what, body, message) => {
  expect(await readRows(bytes(body))).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(message),
  });
});

test('what is no UTF-8 is refused', async () => {
  const body = bytes(text);
  body[70_000] = 0xff;
  expect(await readRows(body)).toEqual({
    kind: 'refused',
    status: 400,
    message: 'The body is not valid UTF-8.',
  });
});
