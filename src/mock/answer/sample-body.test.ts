import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { sampleFile } from '../../http/sample-files.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';

const bytesOf = (contentType: string): Buffer => Buffer.from(sampleFile(contentType) ?? '', 'latin1');

async function contentOf(range: string, media: JsonObject): Promise<Buffer> {
  const responses = { 200: { description: 'OK', content: { [range]: media } } };
  const mock = await createMock(contractOf({ paths: { '/file': { get: { responses } } } }));
  return Buffer.from(await (await mock.fetch('/file')).arrayBuffer());
}

const binary: JsonObject = { type: 'string', format: 'binary' };

test.each<[string, JsonObject]>([
  ['image/png', { schema: binary }],
  ['application/pdf', {}],
  ['image/*', { schema: { type: 'string' } }],
])('answers %s with a file', async (range, media) => {
  expect(await contentOf(range, media)).toEqual(bytesOf(range.replace('*', 'png')));
});

test.each<[string, JsonObject, string]>([
  ['image/png', { schema: binary, example: 'own' }, 'own'],
  ['image/png', { schema: { type: 'string', enum: ['own'] } }, 'own'],
  ['image/png', { schema: { type: 'string', contentEncoding: 'base64' } }, 'text'],
  ['image/svg+xml', { schema: { type: 'object', xml: { name: 'svg' } } }, '<svg></svg>'],
  ['application/octet-stream', { schema: binary }, 'text'],
])('answers %s of %j without a file', async (range, media, content) => {
  expect((await contentOf(range, media)).toString()).toContain(content);
});
