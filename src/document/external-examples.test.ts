import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { stringifyJson } from '../json/print.ts';
import { readDocument } from './read-document.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-external-'));
afterAll(() => rm(folder, { recursive: true }));
const inside = join(folder, 'api');
await mkdir(inside);
await writeFile(join(folder, 'secret.txt'), 'secret');
await writeFile(join(inside, 'flour.json'), '{"grams":12345678901234567890}');
await writeFile(join(inside, 'label.txt'), 'Łódź');
await writeFile(join(inside, 'bytes.txt'), new Uint8Array([0xff, 0xfe]));
await symlink(join(folder, 'secret.txt'), join(inside, 'link.txt'));

async function exampleOf(externalValue: string, range = 'text/plain', status = '200'): Promise<unknown> {
  const examples = { own: { externalValue } };
  const responses = { [status]: { description: '', content: { [range]: { examples } } } };
  const path = join(inside, 'api.json');
  const info = { title: 'Mill', version: '1' };
  await writeFile(
    path,
    JSON.stringify({ openapi: '3.1.0', info, paths: { '/flour': { get: { responses } } } }),
  );
  const { root } = await readDocument(path);
  const found = /"own":(\{.*?\})\}/u.exec(JSON.stringify(root))?.[1] ?? '';
  return JSON.parse(found);
}

test('reads an example beside the document as its media type asks', async () => {
  expect(await exampleOf('./label.txt')).toEqual({ value: 'Łódź' });
  expect(await exampleOf('flour.json', 'text/plain')).toEqual({ value: '{"grams":12345678901234567890}' });
  expect(await exampleOf('label.txt', 'text/plain', 'default')).toEqual({ value: 'Łódź' });
});

test.each([
  '../secret.txt',
  'link.txt',
  'missing.txt',
  'bytes.txt',
  pathToFileURL(join(folder, 'secret.txt')).href,
  'https://example.com/label.txt',
  'http://[',
  '/dev/zero',
])('leaves the external value %s alone', async (externalValue) => {
  expect(await exampleOf(externalValue)).toEqual({ externalValue });
});

test('leaves a file alone that is not the JSON that the media type asks for', async () => {
  expect(await exampleOf('label.txt', 'application/json')).toEqual({ externalValue: 'label.txt' });
});

test('reads examples of components by the name of their file, and names beside the text that holds them', async () => {
  const components = { examples: { bag: { externalValue: 'flour.json' } } };
  const deep = join(inside, 'deep');
  await mkdir(deep);
  await writeFile(join(deep, 'flour.json'), '{"grams":5}');
  await writeFile(
    join(deep, 'path.json'),
    JSON.stringify({
      get: {
        responses: {
          200: {
            description: '',
            content: { 'application/json': { examples: { bag: { externalValue: 'flour.json' } } } },
          },
        },
      },
    }),
  );
  const path = join(inside, 'components.json');
  const paths = { '/flour': { $ref: 'deep/path.json' } };
  await writeFile(
    path,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Mill', version: '1' }, paths, components }),
  );
  const { root } = await readDocument(path);
  expect(root['components']).toMatchObject({ examples: { bag: { value: { grams: expect.anything() } } } });
  expect(stringifyJson(root)).toContain('"value":{"grams":5}');
});

test('takes external values in data for data', async () => {
  const example = { examples: { own: { externalValue: 'label.txt' } } };
  const schema = { type: 'object', default: example, example, const: example };
  const path = join(inside, 'data.json');
  const info = { title: 'Mill', version: '1', 'x-note': example };
  await writeFile(
    path,
    JSON.stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas: { Own: schema } } }),
  );
  expect(JSON.stringify((await readDocument(path)).root)).not.toContain('"value"');
});
