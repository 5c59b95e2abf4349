import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringifyJson } from '../json/print.ts';
import { toBundle } from './bundle.ts';
import { readDocument } from './read-document.ts';
import { readJsonDocument } from './read-json-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const main = `
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      requestBody: { content: { application/json: { schema: { $ref: 'order.yaml#/Order' } } } }
      responses: { 200: { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Text' } } } } }
    get:
      responses: { 200: { $ref: '#/paths/~1orders~1%7Bid%7D/post/responses/200' } }
components:
  schemas:
    Text: { const: { $ref: text.yaml } }
`;
const order = `
Order:
  type: object
  properties:
    id: { type: integer, maximum: 9007199254740993 }
    next: { $ref: '#/Order' }
`;

async function bundle(): Promise<string> {
  writeFileSync(join(folder, 'order.yaml'), order);
  writeFileSync(join(folder, 'main.yaml'), main);
  const { root } = await readDocument(join(folder, 'main.yaml'));
  return stringifyJson(toBundle(root));
}

test('has each reference inside the document, as a URL fragment', async () => {
  const text = await bundle();
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/gu)].map(([, reference = '']) => reference);
  expect(references.filter((reference) => !reference.startsWith('#'))).toEqual(['text.yaml']);
  expect(references).toContain('#/components/schemas/Text');
  expect(text).not.toMatch(/"\$ref":"#[^"]*[{} ]/u);
});

test('is read as what it was made of', async () => {
  const { root } = await readDocument(join(folder, 'main.yaml'));
  expect(readJsonDocument(await bundle(), { source: 'bundle' }).root).toEqual(root);
});

test('keeps the digits of a number', async () => {
  expect(await bundle()).toContain('"maximum":9007199254740993');
});

test('leaves what it is made of as it is', async () => {
  const { root } = await readDocument(join(folder, 'main.yaml'));
  const before = stringifyJson(root);
  toBundle(root);
  expect(stringifyJson(root)).toBe(before);
});
