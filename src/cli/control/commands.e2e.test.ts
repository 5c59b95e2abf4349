import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startMock } from '../../../fixtures/start-mock.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { Mock } from '../../mock/mock.ts';
import type { GivenRows } from '../../mock/state/rows.ts';

const minute = 60_000;
const folder = await mkdtemp(`${tmpdir()}/cloche-commands-`);
let mock: Mock;
let url: string;

beforeAll(async () => {
  await buildWhenStale();
  mock = await createMock();
  ({ url } = await mock.listen());
}, 2 * minute);

afterAll(async () => {
  await mock.close();
  await rm(folder, { recursive: true });
});

function run(...words: readonly string[]): Promise<Ended> {
  return runCloche(words, { folder, env: { CLOCHE_MOCK: url } });
}

test('drives the mock that $CLOCHE_MOCK or --mock names', { timeout: minute }, async () => {
  expect(await run('state', 'list')).toEqual({ code: 0, stdout: '/plants  0 resources\n', stderr: '' });
  expect(await runCloche(['state', '--mock', `${url}/`, '--json'], { folder })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"collections": ['),
  });
});

test('drives the mock at the port that the configuration gives', { timeout: minute }, async () => {
  const configured = await mkdtemp(join(tmpdir(), 'cloche-port-'));
  await writeFile(join(configured, 'cloche.yaml'), `mock:\n  port: ${new URL(url).port}\n`);
  expect(await runCloche(['state', 'list'], { folder: configured })).toMatchObject({
    code: 0,
    stdout: '/plants  0 resources\n',
  });
  await rm(configured, { recursive: true });
});

test(
  'exits with 1 where what was asked is not so, and with 2 where it cannot be asked',
  { timeout: minute },
  async () => {
    expect(await run('requests', 'verify', '--path', '/plants')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Expected'),
    });
    expect(await run('state', 'get', '/plants', '7')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no resource 7 in /plants.\n',
    });
    expect(await runCloche(['reset', '--mock', 'nonsense'], { folder })).toMatchObject({
      code: 2,
      stdout: '',
    });
  },
);

test('says how a command is written, and which word was meant', { timeout: minute }, async () => {
  expect((await run('state', 'get')).stderr).toBe(
    'Failed to read the command "cloche state get": <collection> [key] is missing. Write it as cloche state get <collection> [key]; cloche state --help lists what it takes.\n',
  );
  expect((await run('faults', 'ad')).stderr).toContain('Perhaps cloche faults add was meant.');
  expect((await run('requests', '--verdct', 'refused')).stderr).toContain('Perhaps --verdict was meant.');
  const help = await run('requests', 'clear', '--help');
  expect([help.code, help.stdout.includes('--verdict'), help.stdout.includes('--mock')]).toEqual([
    0,
    false,
    true,
  ]);
});

test('an exported state names its schema, and every reader accepts it', { timeout: minute }, async () => {
  await mkdir(`${folder}/node_modules/cloche/spec`, { recursive: true });
  await writeFile(`${folder}/node_modules/cloche/spec/data.schema.json`, '{}');
  await mkdir(`${folder}/states`);
  await run('state', 'put', '/plants', '{"id":1,"name":"Fern"}');
  await expect(run('state', 'export', '-o', 'states/one.json')).resolves.toMatchObject({ code: 0 });
  const text = await readFile(`${folder}/states/one.json`, 'utf8');
  expect(JSON.parse(text)).toEqual({
    $schema: '../node_modules/cloche/spec/data.schema.json',
    '/plants': [{ id: 1, name: 'Fern' }],
  });

  const one = { code: 0, stdout: '1 resource taken in.\n' };
  await run('reset');
  await expect(run('state', 'import', 'states/one.json')).resolves.toMatchObject(one);
  await expect(runCloche(['state', '--mock', url], { folder })).resolves.toMatchObject({
    stdout: '/plants  1 resource\n',
  });
  const response = await fetch(`${url}/__cloche/state/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  expect([response.status, await response.json()]).toEqual([200, { added: 1, replaced: 0 }]);
  const other = await startMock(folder, ['--data', 'states/one.json']);
  await expect(runCloche(['state', '--mock', other.url], { folder })).resolves.toMatchObject({
    stdout: '/plants  1 resource\n',
  });
  // `as`: an export has this shape.
  const data = JSON.parse(text) as GivenRows;
  const fromObject = await createMock(undefined, { data });
  expect(await fromObject.state.export()).toEqual({ '/plants': [{ id: 1, name: 'Fern' }] });
  await fromObject.close();
});
