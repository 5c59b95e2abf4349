import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { listSchemaErrors } from '../../../fixtures/report-schemas.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-diff-'));
const minute = 60_000;

const old = `openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    post:
      operationId: createPet
      parameters: [{ name: dryRun, in: query, schema: { type: boolean } }]
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses:
        '201':
          description: Created
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
        '400': { description: Refused }
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: OK
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
components:
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: { type: string }
        status:
          type: string
          enum: [sold, free]
`;
const now = old
  .replace('version: 1.0.0', 'version: 2.0.0')
  .replace('      parameters: [{ name: dryRun, in: query, schema: { type: boolean } }]\n', '')
  .replaceAll('{id}', '{petId}')
  .replace('name: id,', 'name: petId,')
  .replace("'400': { description: Refused }", "'409': { description: Its id exists }")
  .replace('[sold, free]', '[sold, free, lost]');

beforeAll(async () => {
  await buildWhenStale();
  writeFileSync(join(folder, 'old.yaml'), old);
  writeFileSync(join(folder, 'new.yaml'), now);
  writeFileSync(
    join(folder, 'policy.yaml'),
    'answers: {}\noperations:\n  createPet:\n    duplicate-key: refuse\n',
  );
}, 2 * minute);
afterAll(() => rmSync(folder, { recursive: true }));

const diff = (...words: readonly string[]): Promise<Ended> => runCloche(['diff', ...words], { folder });

test('prints the changes by operation, with their lines, and fails', async () => {
  const { code, stdout, stderr } = await diff('old.yaml', 'new.yaml');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toBe(`Pets 1.0.0 → 2.0.0 (old.yaml → new.yaml)

POST /pets, GET /pets/{petId}
  breaks clients   response body: \`status\` can be "lost" now (new.yaml:30)

POST /pets
  breaks services  request body: \`status\` can be "lost" now (new.yaml:30)
  breaks services  the response 400 is not declared any more (old.yaml:14)
  warning          the query parameter \`dryRun\` is not declared any more (old.yaml:7)
  note             the response 409 is new (new.yaml:13)

FAIL  1 change breaks clients, 2 break services
`);
});

test('passes if nothing breaks those who matter', async () => {
  const same = await diff('old.yaml', 'old.yaml');
  expect([same.code, same.stdout]).toEqual([0, 'Pets 1.0.0 (old.yaml → old.yaml)\n\nPASS  no changes\n']);
  writeFileSync(
    join(folder, 'more.yaml'),
    old.replace('  /pets/{id}:', '  /cats: { get: { responses: {} } }\n  /pets/{id}:'),
  );
  const more = await diff('old.yaml', 'more.yaml', '--breaks', 'clients');
  expect(more.code).toBe(0);
  expect(more.stdout).toContain('PASS  1 change breaks services, which --breaks clients allows\n');
  expect(await diff('old.yaml', 'more.yaml', '--breaks', 'services')).toMatchObject({ code: 1 });
});

test('counts the behaviour of a policy', async () => {
  const { code, stdout } = await diff('old.yaml', 'new.yaml', '--policy', 'policy.yaml');
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
    'breaks both What happens when the id exists already? 409 with an error body now; the service was observed with: 400 with an error body (duplicate-key) (new.yaml:13)',
  );
});

test('writes JSON to standard output and SARIF to a file', async () => {
  const { code, stdout, stderr } = await diff(
    'old.yaml',
    'new.yaml',
    '--report',
    'json',
    '--report',
    'sarif=diff.sarif',
  );
  const report = JSON.parse(stdout);
  expect([code, report]).toMatchObject([
    1,
    { passes: false, breaks: { clients: 1, services: 2 }, new: { version: '2.0.0' } },
  ]);
  expect(report.changes[0]).toEqual({
    kind: 'value-added',
    level: 'break',
    breaks: ['clients'],
    operations: ['POST /pets', 'GET /pets/{petId}'],
    message: 'response body: `status` can be "lost" now',
    document: 'new',
    pointer: '/components/schemas/Pet/properties/status/enum',
    file: 'new.yaml',
    line: 30,
    column: 11,
  });
  expect(stderr).toContain('FAIL  1 change breaks clients, 2 break services');
  const sarif = JSON.parse(readFileSync(join(folder, 'diff.sarif'), 'utf8'));
  expect(listSchemaErrors('sarif', sarif)).toEqual([]);
  expect(sarif.runs[0].results.map(({ level }: { level: string }) => level)).toEqual([
    'error',
    'error',
    'error',
    'warning',
    'note',
  ]);
  expect(sarif.runs[0].results[0].locations[0].physicalLocation).toMatchObject({
    artifactLocation: { uri: 'new.yaml' },
    region: { startLine: 30 },
  });
});

test.each([
  [['old.yaml', 'none.yaml'], 'Failed to read "none.yaml"'],
  [['old.yaml'], 'Failed to read the command "cloche diff"'],
  [
    ['old.yaml', 'new.yaml', '--report', 'junit'],
    '"--report junit": it is the report of a run. Choose among json, sarif.',
  ],
  [['old.yaml', 'new.yaml', '--breaks', 'all'], 'all'],
  [['old.yaml', 'new.yaml', '--policy', 'old.yaml'], 'old.yaml:1:1'],
])('refuses %j with exit code 2', async (words, message) => {
  const { code, stdout, stderr } = await diff(...words);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});
