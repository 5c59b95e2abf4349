import { expect, test } from 'vitest';
import { compileSchemaAt } from '../contract/document-schemas.ts';
import { buildContract } from '../contract/build.ts';
import { resolvePointer } from '../json/pointer.ts';
import { mountDocuments } from './mount-documents.ts';
import { readJsonDocument } from './read-json-document.ts';

const schema = { $ref: '#/components/schemas/Pet' };

/** Returns a document whose paths, ids and components have the same names in each. */
function documentOf(
  source: string,
  {
    openapi = '3.1.0',
    own = {},
    paths = {},
    scheme = {},
  }: Partial<Record<'own' | 'scheme' | 'paths', object>> & { openapi?: string } = {},
) {
  const content = { 'application/json': { schema } };
  const links = {
    byId: { operationId: 'read', parameters: { id: '$response.body#/id' } },
    byPlace: { operationRef: '#/paths/~1pets~1{id}/get' },
  };
  const document = {
    openapi,
    info: { title: source.replace('.json', ''), version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [{ auth: [] }],
    paths: {
      '/pets': {
        post: {
          operationId: 'create',
          requestBody: { content },
          responses: { 201: { description: 'Created', content, links } },
        },
      },
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'read', security: [{}], responses: { 200: { description: 'One', content } } },
        delete: { operationId: `remove-${source}`, responses: { 204: { description: 'Gone' } } },
      },
      ...paths,
    },
    components: {
      securitySchemes: { auth: { type: 'http', scheme: 'bearer', ...scheme } },
      schemas: {
        Pet: {
          type: 'object',
          discriminator: { propertyName: 'kind' },
          properties: { id: { type: 'string' }, kind: { type: 'string' } },
        },
        Cat: { allOf: [schema, { type: 'object', properties: own }] },
      },
    },
  };
  return readJsonDocument(JSON.stringify(document, undefined, 2), { source });
}

function mountTwo(...given: readonly NonNullable<Parameters<typeof documentOf>[1]>[]) {
  const [one, two] = given;
  return mountDocuments([
    { prefix: '/api/one', document: documentOf('one.json', one) },
    { prefix: '/two', document: documentOf('two.json', two) },
  ]);
}

test('gives each document its own paths, ids and schemas', () => {
  const whole = mountTwo({ own: { a: { type: 'string' } } }, { own: { a: { type: 'number' } } });
  const { operations, title, version, root } = buildContract(whole);
  expect([title, version, root['servers']]).toEqual(['one + two', '1.0.0', undefined]);
  expect(operations.map(({ id, method, path }) => `${id}: ${method} ${path.template}`)).toEqual([
    'api.one.create: POST /api/one/pets',
    'api.one.read: GET /api/one/pets/{id}',
    'remove-one.json: DELETE /api/one/pets/{id}',
    'two.create: POST /two/pets',
    'two.read: GET /two/pets/{id}',
    'remove-two.json: DELETE /two/pets/{id}',
  ]);
  const accepts = operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map(({ schema: compiled }) =>
      [{ kind: 'Cat', a: 'text' }, { kind: 'Cat', a: 1 }, { kind: 'Dog' }].map(
        (value) => compiled?.validator({ formats: 'assert', integers: 'digits' })(value, false).length === 0,
      ),
    ),
  );
  // The discriminator knows its schemas by the names that they have in the documents.
  expect(accepts).toEqual([
    [true, false, false],
    [false, true, false],
  ]);
});

test('adapts links', () => {
  const { root } = mountTwo();
  const links = resolvePointer(root, '/x-cloche-documents/two/paths/~1pets/post/responses/201/links');
  expect(links).toMatchObject({
    byId: { operationId: 'two.read' },
    byPlace: { operationRef: '#/x-cloche-documents/two/paths/~1pets~1{id}/get' },
  });
});

test('shares equal security schemes, and renames others', () => {
  const schemesOf = (whole: ReturnType<typeof mountTwo>) =>
    buildContract(whole).operations.map(({ security }) =>
      security.flat().map(({ name, kind }) => `${name} ${kind}`),
    );
  const shared = [['auth bearer'], [], ['auth bearer']];
  expect(schemesOf(mountTwo())).toEqual([...shared, ...shared]);
  expect(schemesOf(mountTwo({}, { scheme: { scheme: 'basic' } }))).toEqual([
    ['api.one.auth bearer'],
    [],
    ['api.one.auth bearer'],
    ['two.auth basic'],
    [],
    ['two.auth basic'],
  ]);
});

test('prefixes the relative URLs of logins', () => {
  const flows = {
    clientCredentials: { tokenUrl: '/token', refreshUrl: 'https://login.example.com/refresh', scopes: {} },
  };
  const { root } = mountTwo({}, { scheme: { type: 'oauth2', scheme: undefined, flows } });
  expect(resolvePointer(root, '/components/securitySchemes/two.auth/flows/clientCredentials')).toEqual({
    tokenUrl: '/two/token',
    refreshUrl: 'https://login.example.com/refresh',
    scopes: {},
  });
});

test('names the document and the line of a place', () => {
  const whole = mountTwo();
  const place = '/x-cloche-documents/two/components/schemas/Cat';
  expect(whole.locate(place)).toEqual(documentOf('two.json').locate('/components/schemas/Cat'));
  expect(whole.originOf?.(place)).toEqual({ file: 'two.json', pointer: '/components/schemas/Cat' });
  expect(whole.originOf?.('/paths/~1two~1pets')).toEqual({ file: 'two.json', pointer: '/paths/~1pets' });
  expect(whole.locateOrigin?.({ file: 'two.json', pointer: '/paths/~1pets' })).toMatchObject({
    file: 'two.json',
    line: documentOf('two.json').locate('/paths/~1pets')?.line,
  });
});

test('reads each document as its own version says', () => {
  const nullable = { a: { type: 'string', nullable: true } };
  const whole = mountTwo({ own: nullable, openapi: '3.0.3' }, { own: nullable });
  const takesNull = ['api.one', 'two'].map((name) => {
    const { schema: compiled } = compileSchemaAt(
      whole,
      `/x-cloche-documents/${name}/components/schemas/Cat/allOf/1/properties/a`,
      'request',
    );
    return JSON.stringify(compiled).includes('"null"');
  });
  expect([whole.version, ...takesNull]).toEqual(['3.1', true, false]);
});

test('keeps an error of a document to its own operations', () => {
  const again = { get: { responses: { 200: { description: 'One' } } } };
  const { operations, warnings } = buildContract(mountTwo({}, { paths: { '/pets/{key}': again } }));
  const { line = 0 } = documentOf('two.json', { paths: { '/pets/{key}': again } }).warnings?.[0] ?? {};
  expect(warnings.map((warning) => `${warning.file}:${warning.line}`)).toContain(`two.json:${line}`);
  const unclear = operations.filter(({ isUnclear }) => isUnclear === true);
  expect(unclear.map(({ path }) => path.template)).toContain('/two/pets/{key}');
  expect(unclear.filter(({ path }) => !path.template.startsWith('/two/pets/{'))).toEqual([]);
  expect(unclear[0]?.unclearReason).toMatch(/^error in two\.json:\d+$/u);
});

test('refuses two documents with one path', () => {
  const mounts = ['one.json', 'two.json'].map((source) => ({ prefix: '', document: documentOf(source) }));
  expect(() => mountDocuments(mounts)).toThrow(
    'Failed to mount "/=two.json": one.json has the path /pets too. Choose another prefix.',
  );
});
