import { expect, test } from 'vitest';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { GivenRows } from './rows.ts';
import { parseData } from './data-file.ts';
import { placeOfRow } from './rows.ts';

function textOf(rows: GivenRows): string {
  // `as`: rows are JSON.
  return stringifyJson(rows as JsonValue);
}

function placesOf(rows: GivenRows): readonly (string | undefined)[] {
  return Object.values(rows).flat().map(placeOfRow);
}

const id = '9007199254740993';

test.each([
  ['orders.json', `{ "/orders": [\n  { "id": ${id} },\n  { "id": 1.0 } ] }`, ['2:3', '3:3']],
  ['orders.yaml', `/orders:\n  - id: ${id}\n  - { id: 1.0 }\n`, ['2:5', '3:5']],
  ['orders.txt', `/orders:\n  - id: ${id}\n  - { id: 1.0 }\n`, ['2:5', '3:5']],
  ['orders', `{ "/orders": [\n  { "id": ${id} },\n  { "id": 1.0 } ] }`, ['2:3', '3:3']],
])('reads %s by collection, digits and places kept', async (file, text, places) => {
  const rows = await parseData({ file, text });
  expect(textOf(rows)).toBe(`{"/orders":[{"id":${id}},{"id":1.0}]}`);
  expect(placesOf(rows)).toEqual(places.map((place) => `${file}:${place}`));
});

test.each([
  ['orders.json', `[{ "id": ${id} },\r\n { "id": 1.0 }]`, ['1:2', '2:2']],
  ['orders.yml', `- id: ${id}\n- id: 1.0\n`, ['1:3', '2:3']],
  ['orders.ndjson', `{ "id": ${id} }\r\n\n{ "id": 1.0 }\n`, ['1:1', '3:1']],
  ['orders.jsonl', `{ "id": ${id} }\n{ "id": 1.0 }`, ['1:1', '2:1']],
  ['orders', `{ "id": ${id} }\n{ "id": 1.0 }`, ['1:1', '2:1']],
])('reads %s as rows alone, digits and places kept', async (file, text, places) => {
  const rows = await parseData({ file, text });
  expect(textOf(rows)).toBe(`[{"id":${id}},{"id":1.0}]`);
  expect(placesOf(rows)).toEqual(places.map((place) => `${file}:${place}`));
});

test.each([
  ['a.json', '[1', /a\.json:1:\d+: .+\. Correct the JSON\.$/u],
  ['a.json', '[{"id":1,"id":2}]', /a\.json:1:\d+: the key "id" stands twice in one object/u],
  ['a.yaml', '- id: 1\n- [', /a\.yaml:\d:\d+: /u],
  ['a.ndjson', '{"id":1}\n{"id":}', /a\.ndjson:2:7: .+\. Write one JSON object on each line\.$/u],
  ['a.ndjson', '{"id":1}\n[]', /a\.ndjson:2:1: a row must be an object/u],
  ['a.json', '{"/a":[{"id":1},\n7]}', /a\.json:2:1: a row must be an object/u],
  ['a.json', '{"/a":1}', /a\.json:1:2: what stands under "\/a" is neither a list of rows nor an object/u],
  ['a.json', '{"id":1}', /a\.json:1:2: "id" is no path of a collection\. Give rows by the path/u],
  ['a.json', '"x"', /it is neither an object nor a list/u],
  ['a.yaml', '', /it is empty/u],
  ['a.ndjson', '\n\r\n', /it is empty/u],
])('says what is wrong with %s that holds %o', async (file, text, sentence) => {
  await expect(parseData({ file, text })).rejects.toThrow(sentence);
  await expect(parseData({ file, text })).rejects.toThrow(`Failed to read the data of "${file}": `);
  await expect(parseData({ file, text })).rejects.toMatchObject({ code: 'DATA_INVALID' });
});
