import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { OpenApiDocument } from './document.ts';
import { readDocument } from './read-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-overlays-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const document = write(
  'api.yaml',
  `openapi: 3.1.0
info: { title: Orders, version: '1' }
tags: [{ name: a }, { name: b }, { name: c }]
servers: [{ url: /v1 }]
paths:
  /orders:
    get:
      tags: [a]
      responses: { '200': { description: OK } }
  /old: { get: { deprecated: true, responses: { '200': { description: OK } } } }
`,
);

/** Applies an overlay whose actions begin in line 3. */
function apply(actions: string, version = '1.1.0'): Promise<OpenApiDocument> {
  const text = `overlay: ${version}\ninfo: { title: O, version: '1' }\n${actions}\n`;
  return readDocument(document, { overlays: [write('overlay.yaml', text)] });
}

test('merges objects, concatenates lists, replaces texts and keeps the rest', async () => {
  const { root } = await apply(`actions:
  - target: $
    update: { info: { title: New, x-a: { b: 1 } }, paths: null, tags: [{ name: d }] }
  - target: $.paths.*.get
    update: { tags: [z], summary: Read }
  - target: $.servers
    update: { url: /v2 }
  - target: $.info.version
    update: '2'`);
  expect(root).toMatchObject({
    info: { title: 'New', version: '2', 'x-a': { b: 1 } },
    tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
    servers: [{ url: '/v1' }, { url: '/v2' }],
    paths: {
      '/orders': { get: { tags: ['a', 'z'], summary: 'Read', responses: {} } },
      '/old': { get: { tags: ['z'], summary: 'Read' } },
    },
  });
});

test('removes all selected values, and copies one', async () => {
  const { root, warnings } = await apply(`actions:
  - target: $.tags[?@.name != 'b']
    remove: true
  - target: $.paths
    update: { /copies: {} }
  - target: $.paths['/copies']
    copy: $.paths['/orders']
  - target: $.paths[?@.get.deprecated]
    remove: true`);
  expect(root['tags']).toEqual([{ name: 'b' }]);
  const orders = { get: { tags: ['a'], responses: { 200: { description: 'OK' } } } };
  expect(root['paths']).toEqual({ '/orders': orders, '/copies': orders });
  expect(warnings).toEqual([]);
});

test('names the lines of an overlay for its values, and for a target that selects nothing', async () => {
  const read = await apply(`actions:
  - target: $.paths['/orders'].get
    update:
      summary: Read
      tags: [z]
      x-deep: { a: { b: 1 } }
  - target: $.paths['/none']
    remove: true
  - target: $
  - target: $
    update: { security: [{ none: [] }] }`);
  const lineOf = (pointer: string): string => {
    const { file = '', line } = read.locate(pointer) ?? {};
    return `${file.slice(folder.length + 1)}:${line}`;
  };
  const get = '/paths/~1orders/get';
  expect(
    [`${get}/summary`, `${get}/tags/0`, `${get}/tags/1`, `${get}/x-deep/a/b`, `${get}/responses`].map(lineOf),
  ).toEqual(['overlay.yaml:6', 'api.yaml:8', 'overlay.yaml:7', 'overlay.yaml:8', 'api.yaml:9']);
  expect(
    read.warnings?.map(({ file, line, reason }) => `${file.slice(folder.length + 1)}:${line} ${reason}`),
  ).toEqual([
    'overlay.yaml:9 actions[1].target: selects nothing in the document',
    'overlay.yaml:11 actions[2]: has no update, copy or remove',
    'overlay.yaml:13 security[0].none: undeclared security scheme',
  ]);
});

test.each([
  ['actions: []', /overlay\.yaml:3:1: actions: an overlay must have a list of actions/u],
  ['actions: [{ target: "$[", remove: true }]', /actions\[0\]\.target: is no JSONPath/u],
  ['actions: [{ target: $, remove: true }]', /the whole document cannot be removed/u],
  ['actions: [{ target: $.info, copy: $.tags.* }]', /must select one value, but selects 3/u],
  [
    'actions: [{ target: $, update: { info: [1] } }]',
    /overlay\.yaml:3:\d+: actions\[0\]\.update\.info: is a list, but the document has an object there/u,
  ],
])('rejects %s at its line', async (actions, message) => {
  await expect(apply(actions)).rejects.toThrow(message);
});

test('rejects what is no overlay, and copy in one of 1.0', async () => {
  await expect(apply('actions: [{ target: $, copy: $.info }]', '1.0.0')).rejects.toThrow(
    /copy: must be a JSONPath in an overlay of 1\.1/u,
  );
  await expect(apply('actions: [{ target: $, remove: true }]', '2.0.0')).rejects.toThrow(
    /overlay\.yaml:1:1: overlay: this is no overlay/u,
  );
});
