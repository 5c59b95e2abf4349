import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClocheError } from '../errors/cloche-error.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { jsonEqual } from '../json/value.ts';
import { resolveObject } from './references.ts';
import { readDocument } from './read-document.ts';

const packageFile = new URL('../../package.json', import.meta.url);
// `as`: JSON.parse is typed `any`; which document ships stands in package.json.
const { exampleDocument } = JSON.parse(readFileSync(packageFile, 'utf8')) as { exampleDocument: string };
const bundled = fileURLToPath(new URL(exampleDocument.replace('cloche/', './'), packageFile));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloche-document-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string | Uint8Array): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function messageOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => 'it was read',
    (error: unknown) => (error instanceof ClocheError ? `${error.code} ${error.message}` : String(error)),
  );
}

const head = 'openapi: 3.1.0\ninfo: { title: Orders, version: "1" }\n';

test('reads the document that ships, and knows where everything stands', async () => {
  const document = await readDocument(bundled);
  expect(document).toMatchObject({ source: bundled, version: '3.1', openapi: '3.1.0' });
  const [path] = Object.keys(document.root['paths'] ?? {});
  const pointer = `/paths/${path?.replaceAll('/', '~1')}/post/responses/400`;
  expect(document.locate(pointer)).toEqual({ file: bundled, line: 32, column: 9 });
  expect(document.locate(`${pointer}/nowhere/at/all`)).toEqual(document.locate(pointer));
  expect(document.locate('')).toEqual({ file: bundled, line: 1, column: 1 });
});

test('gives the same root for a document in JSON as in YAML', async () => {
  const document = await readDocument(bundled);
  const text = stringifyJson(document.root);
  const spread = JSON.stringify(JSON.parse(text), null, '\t');
  const called = await readDocument(write('twin.json', spread));
  const uncalled = await readDocument(write('twin', spread));
  expect(jsonEqual(called.root, document.root)).toBe(true);
  expect(jsonEqual(uncalled.root, document.root)).toBe(true);
  expect(called.locate('/info/title')?.line).toBeGreaterThan(1);
});

test('reads strings, keys and numbers in YAML as in JSON', async () => {
  const json = String.raw`{"escaped":"\u00e9\ud83d\ude00\u0000\/\t","lone":"\ud800","__proto__":{"a":1},"<<":1,"${'k'.repeat(1100)}":1,"numbers":[1,1.0,1e2,-0,9007199254740993,9223372036854775807,0.1]}`;
  const whole = `{"openapi":"3.1.0","info":{"title":"","version":""},"paths":{},"x-data":${json}}`;
  const yaml = `${head}paths: {}
x-data:
  escaped: "\\u00e9\\ud83d\\ude00\\u0000\\/\\t"
  lone: "\\ud800"
  __proto__: { a: 1 }
  "<<": 1
  ? ${'k'.repeat(1100)}
  : 1
  numbers: [1, 1.0, 1e2, -0, 9007199254740993, 9223372036854775807, 0.1]
`;
  const fromJson = await readDocument(write('data.json', whole));
  const fromYaml = await readDocument(write('data.yaml', yaml));
  expect(stringifyJson(fromYaml.root['x-data'] ?? null)).toBe(stringifyJson(fromJson.root['x-data'] ?? null));
  expect(resolvePointer(fromYaml.root, '/x-data/numbers/5')).toEqual(new ExactNumber('9223372036854775807'));
});

test('reads what only YAML has: aliases, merge keys, keys that are no strings, loose numbers, a byte order mark', async () => {
  const yaml = `\uFEFF${head}paths: {}
x-base: &base { a: 1, b: 2 }
x-more: &more { b: 3, c: 3 }
x-merged:
  <<: [*base, *more]
  a: 0
x-alias: [*base]
x-keys: { 200: a, true: b, null: c, 1.0: d }
x-numbers: [+1, .5, 1., 007, 0x1F, -.50]
x-words: [yes, on, ~, 2026-11-21]
`;
  const document = await readDocument(write('loose.yaml', yaml));
  const { root } = document;
  expect(stringifyJson(root['x-merged'] ?? null)).toBe('{"a":0,"b":2,"c":3}');
  expect(stringifyJson(root['x-alias'] ?? null)).toBe('[{"a":1,"b":2}]');
  expect(Object.keys(root['x-keys'] ?? {})).toEqual(['200', 'true', 'null', '1.0']);
  expect(stringifyJson(root['x-numbers'] ?? null)).toBe('[1,0.5,1,7,31,-0.50]');
  expect(root['x-words']).toEqual(['yes', 'on', null, '2026-11-21']);
  expect(document.locate('/x-merged/c')?.line).toBe(5);
});

test.each([
  [
    'a licence with a name alone',
    'openapi: 3.1.0\ninfo: { title: A, version: "1", license: { name: MIT } }\npaths: {}\n',
  ],
  ['no paths', `${head}components: {}\n`],
  ['webhooks alone', `${head}webhooks: { placed: { post: {} } }\n`],
  [
    'a reference with a summary',
    `${head}paths:\n  /a: { get: { responses: { default: { $ref: "#/components/responses/A", description: B } } } }\ncomponents: { responses: { A: { description: A } } }\n`,
  ],
  [
    'a schema that is true, and one with keywords of its own',
    `${head}components: { schemas: { A: true, B: { $id: b, color: red, type: [string, "null"], const: null } } }\n`,
  ],
  [
    'a parameter of the path shared by its operations',
    `${head}paths:\n  /a/{id}:\n    parameters: [{ $ref: "#/components/parameters/Id" }]\n    get: {}\n    put: {}\ncomponents: { parameters: { Id: { name: id, in: path, required: true, schema: {} } } }\n`,
  ],
])('reads the legal 3.1 document with %s', async (title, text) => {
  expect(await messageOf(readDocument(write(`${title}.yaml`, text)))).toBe('it was read');
});

test('makes each reference a plain pointer', async () => {
  const text = `${head}paths:
  /a/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { $ref: "#Id" } }]
    get: { responses: { default: { description: A, content: { a/b: { schema: { $ref: "./plain.yaml#/paths/~1a~1%7Bid%7D/parameters/0/schema" } } } } } }
components:
  schemas:
    A: { $anchor: Id, type: integer, example: { $ref: nowhere }, properties: { $ref: { type: string } } }
`;
  const { root } = await readDocument(write('plain.yaml', text));
  expect(resolvePointer(root, '/paths/~1a~1{id}/parameters/0/schema')).toEqual({
    $ref: '#/components/schemas/A',
  });
  expect(stringifyJson(root)).toContain('{"$ref":"#/paths/~1a~1{id}/parameters/0/schema"}');
  expect(stringifyJson(root)).toContain('"example":{"$ref":"nowhere"}');
});

test('follows references to files in the folder, theirs included, and knows where they stand', async () => {
  const main = write(
    'family/main.yaml',
    `${head}paths:
  /a: { $ref: "parts/paths.yaml#/a" }
  /b:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { $ref: "./parts/node.json#/Node" } } } }
components:
  schemas:
    Leaf: { type: integer, maximum: 9223372036854775807, example: { $ref: nowhere.yaml } }
    Node: { $ref: "parts/node.json#/Node" }
`,
  );
  write(
    'family/parts/paths.yaml',
    'a:\n  get:\n    responses:\n      "200":\n        description: OK\n        content:\n          application/json: { schema: { $ref: "../main.yaml#/components/schemas/Leaf" } }\n',
  );
  write(
    'family/parts/node.json',
    '{ "Node": { "type": "object", "default": { "$ref": "nowhere" },\n  "properties": { "next": { "$ref": "#/Node" }, "leaf": { "$ref": "../main.yaml#/components/schemas/Leaf" } } } }',
  );
  const document = await readDocument(main);
  const { root } = document;
  const text = stringifyJson(root);
  expect(text).toContain('"maximum":9223372036854775807,"example":{"$ref":"nowhere.yaml"}');
  expect(text).toContain('"leaf":{"$ref":"#/components/schemas/Leaf"}');
  const left = [...text.matchAll(/"\$ref":"([^#][^"]*)"/gu)].map(([, reference]) => reference);
  expect(new Set(left)).toEqual(new Set(['nowhere', 'nowhere.yaml']));
  expect(document.locate('/paths/~1a/get/responses/200/description')).toEqual({
    file: join(folder, 'family/parts/paths.yaml'),
    line: 5,
    column: 9,
  });
  expect(document.originOf?.('/paths/~1a/get/responses/200/description')).toEqual({
    file: join(folder, 'family/parts/paths.yaml'),
    pointer: '/a/get/responses/200/description',
  });
  expect(document.originOf?.('/components/schemas/Leaf/maximum')).toEqual({
    pointer: '/components/schemas/Leaf/maximum',
  });
  const nodeSchema = '/paths/~1b/get/responses/200/content/application~1json/schema';
  const reference =
    resolvePointer(root, `${nodeSchema}/$ref`) ?? resolvePointer(root, '/components/schemas/Node/$ref');
  const place = typeof reference === 'string' ? reference.slice(1) : nodeSchema;
  expect(document.originOf?.(`${place}/properties/leaf`)).toEqual({
    file: join(folder, 'family/parts/node.json'),
    pointer: '/Node/properties/leaf',
  });
  const file = join(folder, 'family/parts/node.json');
  expect(document.locateOrigin?.({ file, pointer: '/Node/properties/leaf' })).toMatchObject({
    file,
    line: 2,
  });
  const leaf = document.locateOrigin?.({ pointer: '/components/schemas/Leaf/maximum' });
  expect(leaf).toMatchObject({ file: main, line: document.locate('/components/schemas/Leaf/maximum')?.line });
  expect(document.locateOrigin?.({ file: 'elsewhere.yaml', pointer: '/Node' })).toBeUndefined();
});

test('says what is wrong in a file that the document refers to, there', async () => {
  const main = write('wrong/main.yaml', `${head}components: { schemas: { A: { $ref: "part.yaml#/A" } } }\n`);
  write('wrong/part.yaml', '# a part\nA:\n  type: strin\n');
  const strictly = readDocument(main, { isStrict: true });
  expect(await messageOf(strictly)).toContain('wrong/part.yaml:3:3: components.schemas.A.type: must be');
  const { root, warnings } = await readDocument(main);
  expect(root['components']).toEqual({ schemas: { A: {} } });
  expect(warnings).toMatchObject([{ file: expect.stringContaining('part.yaml'), line: 3, column: 3 }]);
});

test('refuses references out of the folder, through links too, and follows them when told to', async () => {
  write('outside/order.yaml', 'Order: { type: object }\n');
  mkdirSync(join(folder, 'inside'));
  symlinkSync(join(folder, 'outside'), join(folder, 'inside/linked'));
  const plain = write(
    'inside/plain.yaml',
    `${head}components: { schemas: { A: { $ref: "../outside/order.yaml#/Order" } } }\n`,
  );
  const linked = write(
    'inside/linking.yaml',
    `${head}components: { schemas: { A: { $ref: "linked/order.yaml#/Order" } } }\n`,
  );
  expect(await messageOf(readDocument(plain))).toMatch(
    /^REFERENCE_REFUSED .*plain\.yaml:3:\d+: .*--allow-references/u,
  );
  expect(await messageOf(readDocument(linked))).toMatch(/^REFERENCE_REFUSED /u);
  const followed = [plain, linked].map((file) => readDocument(file, { followReferences: true }));
  for (const { root } of await Promise.all(followed)) {
    expect(resolvePointer(root, '/components/schemas/A')).toEqual({ type: 'object' });
  }
});

test('reads a document over http, and follows its references only when told to', async () => {
  const texts = new Map([
    ['/api/plain', `${head}paths: {}\n`],
    ['/api/main.yaml', `${head}components: { schemas: { A: { $ref: "order.json#/Order" } } }\n`],
    ['/api/order.json', '{ "Order": { "type": "object" } }'],
  ]);
  const server = createServer((request, response) => {
    const text = texts.get(request.url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/yaml' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api`;
  try {
    const plain = await readDocument(`${base}/plain`);
    expect(plain.locate('/paths')).toEqual({ file: `${base}/plain`, line: 3, column: 1 });
    expect(await messageOf(readDocument(`${base}/main.yaml`))).toMatch(
      /^REFERENCE_REFUSED .*over the network/u,
    );
    const { root } = await readDocument(`${base}/main.yaml`, { followReferences: true });
    expect(resolvePointer(root, '/components/schemas/A')).toEqual({ type: 'object' });
    expect(await messageOf(readDocument(`${base}/nothing`))).toBe(
      `DOCUMENT_UNREADABLE Failed to read "${base}/nothing": the server answered 404. Check the URL, or download the document and name the file.`,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('reads no document without end', async () => {
  const server = createServer((_, response) => {
    const writeOn = (): void => {
      while (!response.destroyed && response.write(' '.repeat(1_048_576))) {
        // It takes more.
      }
      response.once('drain', writeOn);
    };
    writeOn();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  expect(await messageOf(readDocument(url))).toContain('it is longer than 256 MiB');
  server.closeAllConnections();
  server.close();
});

test('says that nobody answers where a document should be', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  expect(await messageOf(readDocument(url))).toContain(`"${url}": the connection was refused`);
});

test('says why a file cannot be read', async () => {
  const missing = join(folder, 'nowhere', 'missing.yaml');
  const remedy = 'Name a file that can be read, or a URL.';
  expect(await messageOf(readDocument(missing))).toBe(
    `DOCUMENT_UNREADABLE Failed to read "${missing}": there is no such file. ${remedy}`,
  );
  expect(await messageOf(readDocument(folder))).toContain('it is a folder');
  expect(await messageOf(readDocument(pathToFileURL(missing).href))).toContain(
    `"${missing}": there is no such file`,
  );
  const latin = write('latin.yaml', Uint8Array.from([0x61, 0x3a, 0x20, 0xe9]));
  expect(await messageOf(readDocument(latin))).toContain('it is not UTF-8. Save it as UTF-8.');
});

test('refuses a text that is nested too deeply, in YAML and in JSON', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(await messageOf(readDocument(write('deep.yaml', `a: ${deep}`)))).toContain(
    'it is nested too deeply',
  );
  expect(await messageOf(readDocument(write('deep.json', deep)))).toContain(
    'it is nested deeper than 512 levels',
  );
});

test('follows references to names with a space or a percent sign, encoded as a URL has them', async () => {
  const place = '#/components/schemas/Line/properties';
  const line =
    'Line: { properties: { Order line: { type: string }, 100%: { type: integer }, a%20b: { type: boolean } } }';
  const references = ['Order%20line', '100%25', 'a%2520b'].map((name) => `{ $ref: '${place}/${name}' }`);
  const text = `paths: {}\ncomponents: { schemas: { ${line}, All: { anyOf: [${references.join(', ')}] } } }\n`;
  const outer = `paths: {}\ncomponents: { schemas: { All: { $ref: './spaced.yaml${place}/Order%20line' } } }\n`;
  for (const opening of [head, head.replace('3.1.0', '3.0.3')]) {
    const { root } = await readDocument(write('spaced.yaml', `${opening}${text}`));
    expect(resolvePointer(root, '/components/schemas/All')).toEqual({
      anyOf: ['Order line', '100%', 'a%20b'].map((name) => ({ $ref: `${place}/${name}` })),
    });
    const other = await readDocument(write('spaced-outer.yaml', `${opening}${outer}`));
    expect(resolvePointer(other.root, '/components/schemas/All')).toEqual({ type: 'string' });
  }
});

const lamps = `openapi: 3.0.3
info: { title: Lamps, version: '1' }
paths:
  /lamp: { get: { responses: { 200: { description: OK, content: { application/json: { schema: { $ref: lamp.json } } } } } } }
  /bulb: { get: { responses: { 200: { description: OK, content: { application/json: { schema: { $ref: 'lamp.json#/NAME/bulb' } } } } } } }
`;
const lampOf = (name: string, bulb: object): string =>
  JSON.stringify({
    type: 'object',
    properties: { bulb: { $ref: `#/${name}/bulb` } },
    [name]: { bulb },
  });

test.each(['definitions', '$defs'])(
  'follows references into the %s of a file in OpenAPI 3.0',
  async (name) => {
    write('lamps/lamp.json', lampOf(name, { type: 'integer' }));
    const { root, warnings } = await readDocument(write('lamps/api.yaml', lamps.replace('NAME', name)));
    const schema = '/paths/~1lamp/get/responses/200/content/application~1json/schema';
    expect(resolvePointer(root, `${schema}/${name}/bulb`)).toEqual({ type: 'integer' });
    expect(warnings).toEqual([]);
  },
);

test('follows references into any member of a file, and warns that the member is unknown', async () => {
  write('lamps/lamp.json', lampOf('parts', { type: 'integer' }));
  const { root, warnings } = await readDocument(write('lamps/api.yaml', lamps.replace('NAME', 'parts')));
  const schema = '/paths/~1lamp/get/responses/200/content/application~1json/schema';
  expect(resolvePointer(root, `${schema}/parts/bulb`)).toEqual({ type: 'integer' });
  expect(warnings?.map(({ effect }) => effect)).toEqual([
    'only the references that lead into it are followed',
  ]);
});

test('passes over an unknown keyword that no reference leads into', async () => {
  const schema =
    "{ type: object, parts: { a: { type: integer } }, properties: { a: { $ref: '#/components/schemas/A' } } }";
  const text = `openapi: 3.0.3
info: { title: Lamps, version: '1' }
paths: { /lamp: { get: { responses: { 200: { description: OK, content: { application/json: { schema: ${schema} } } } } } } }
components: { schemas: { A: { type: integer } } }
`;
  const { warnings } = await readDocument(write('lamps/api.yaml', text));
  expect(warnings?.map(({ effect }) => effect)).toEqual(['ignored']);
});

test('warns of a wrong schema among the definitions of a file', async () => {
  write('lamps/lamp.json', lampOf('definitions', { type: 'text' }));
  const { warnings } = await readDocument(write('lamps/api.yaml', lamps.replace('NAME', 'definitions')));
  expect(warnings?.map(({ effect }) => effect)).toContain('any value is allowed there');
});

/** The schema of a body, as YAML, in a document that has a component called Count. */
const withBody = (schema: string, version = '3.1.0'): string => `openapi: ${version}
info: { title: Eggs, version: '1' }
paths:
  /baskets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    put:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { 204: { description: OK } }
components: { schemas: { Count: { type: number } } }
`;
const body = '/paths/~1baskets~1{id}/put/requestBody/content/application~1json/schema';

test.each<[string, string, string, string]>([
  [
    'its own definitions',
    "{ $id: 'https://a.example/b', properties: { a: { $ref: '#/$defs/Count' } }, $defs: { Count: {} } }",
    '/properties/a',
    `#${body}/$defs/Count`,
  ],
  ['itself', "{ $id: 'https://a.example/b', properties: { a: { $ref: '#' } } }", '/properties/a', `#${body}`],
  [
    'the innermost schema with an $id',
    "{ $id: b, $defs: { C: {} }, properties: { a: { $id: c, items: { $ref: '#/$defs/C' }, $defs: { C: {} } } } }",
    '/properties/a/items',
    `#${body}/properties/a/$defs/C`,
  ],
  [
    'the document if the schema has no such place',
    "{ $id: b, properties: { a: { $ref: '#/components/schemas/Count' } } }",
    '/properties/a',
    '#/components/schemas/Count',
  ],
  [
    'the document if $id is the name of a property',
    "{ properties: { $id: { type: string }, a: { $ref: '#/components/schemas/Count' } } }",
    '/properties/a',
    '#/components/schemas/Count',
  ],
])('resolves a reference within a schema that has an $id to %s', async (_, schema, holder, reference) => {
  const { root, warnings } = await readDocument(write('ids/api.yaml', withBody(schema)));
  expect(resolvePointer(root, `${body}${holder}/$ref`)).toBe(reference);
  expect(warnings).toEqual([]);
});

test('resolves references within a schema that has an $id in a document of several files', async () => {
  write('ids/note.yaml', '{ type: string }');
  const schema =
    '{ $id: b, properties: { a: { $ref: "#/$defs/C" }, note: { $ref: note.yaml } }, $defs: { C: { minimum: 1 } } }';
  const { root } = await readDocument(write('ids/api.yaml', withBody(schema)));
  expect(resolvePointer(root, `${body}/properties/a/$ref`)).toBe(`#${body}/$defs/C`);
  expect(resolvePointer(root, `${body}/properties/note`)).toEqual({ type: 'string' });
});

const lost = "{ $id: b, properties: { a: { $ref: '#/$defs/Lost' }, n: { type: integer } } }";

test('passes over a reference to nothing within a schema that has an $id', async () => {
  const { root, warnings } = await readDocument(write('ids/api.yaml', withBody(lost)));
  expect(resolvePointer(root, `${body}/properties`)).toEqual({ a: {}, n: { type: 'integer' } });
  expect(warnings?.map(({ effect }) => effect)).toEqual(['any value is allowed there']);
});

test('refuses a reference to nothing without an $id, and in a strict reading', async () => {
  const file = write('ids/api.yaml', withBody(lost.replace('$id: b, ', '')));
  expect(await messageOf(readDocument(file))).toContain('leads to nothing');
  const strict = readDocument(write('ids/strict.yaml', withBody(lost)), { isStrict: true });
  expect(await messageOf(strict)).toContain('leads to nothing');
});

test('does not resolve references against an $id in OpenAPI 3.0, which has none', async () => {
  const schema = "{ $id: b, properties: { a: { $ref: '#/properties/b' }, b: { type: string } } }";
  const { root } = await readDocument(write('ids/api.yaml', withBody(schema, '3.0.3')));
  expect(resolvePointer(root, `${body}/properties/a`)).toEqual({});
});

test('resolves references against $self of a 3.2 document, and reads its siblings from the folder', async () => {
  write('shared.yaml', 'Text: { type: string }\n');
  const refer = (reference: string): string =>
    `{ get: { responses: { 200: { content: { text/a: { schema: { $ref: '${reference}' } } } } } } }`;
  const self = 'https://example.com/apis/main.yaml';
  const yaml = `openapi: 3.2.0
$self: ${self}
info: { title: A, version: '1' }
paths:
  /own: ${refer(`${self}#/components/schemas/Own`)}
  /sibling: ${refer('shared.yaml#/Text')}
  /whole: ${refer('https://example.com/apis/shared.yaml#/Text')}
components: { schemas: { Own: { type: integer } } }
`;
  const { root } = await readDocument(write('self.yaml', yaml));
  const types = ['own', 'sibling', 'whole'].map((name) => {
    const place = `/paths/~1${name}/get/responses/200/content/text~1a/schema`;
    return resolveObject(root, place)?.value['type'];
  });
  expect(types).toEqual(['integer', 'string', 'string']);
});
