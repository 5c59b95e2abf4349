// From `cloche init` to a red verdict that names the fault, then to a green one; the same in three shards.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseDocument } from 'yaml';

const manifest = createRequire(import.meta.url).resolve('cloche/package.json');
const main = join(manifest, '..', 'dist/src/cli/main.js');
const example = (name) => fileURLToPath(new URL(name, import.meta.url));

const secret = 'pipeline secret/1';
const csrf = 'csrf-of-the-pipeline';

describe('a pipeline', () => {
  const root = mkdtempSync(join(tmpdir(), 'cloche-pipeline-'));
  const services = [];
  const outputs = [];

  /** Starts a service on a free port. */
  async function start(fault = '') {
    const env = { PATH: process.env.PATH, PORT: '0', PIPELINE_SECRET: secret, PIPELINE_CSRF: csrf };
    const child = spawn(process.execPath, [example('service.js')], {
      env: { ...env, PIPELINE_FAULT: fault },
    });
    const service = { child, log: '' };
    services.push(service);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (service.log += text));
    while (!service.log.includes('listening')) await once(child.stdout, 'data');
    service.url = `http://127.0.0.1:${/port (\d+)/u.exec(service.log)[1]}`;
    return service;
  }

  /** Runs a command in a folder, on a service. */
  function cloche(words, { folder = '.', url = '' } = {}) {
    const env = { PATH: process.env.PATH, PIPELINE_SECRET: secret, PIPELINE_CSRF: csrf, PIPELINE_URL: url };
    const how = { cwd: join(root, folder), env, maxBuffer: 64 * 1_024 * 1_024 };
    return new Promise((resolve) => {
      execFile(process.execPath, [main, ...words], how, (error, stdout, stderr) => {
        outputs.push(stdout, stderr);
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      });
    });
  }

  /** Tests a service as a whole, and in three shards, each with a service of its own, as in CI. */
  async function testWhole(folder, fault) {
    mkdirSync(join(root, folder));
    for (const name of ['openapi.yaml', 'cloche.yaml'])
      copyFileSync(join(root, name), join(root, folder, name));
    const { url } = await start(fault);
    return cloche(['test', '--seed', '1'], { folder, url });
  }
  async function testShards(folder, fault) {
    const shards = [1, 2, 3].map(async (index) => {
      const { url } = await start(fault);
      const words = ['test', '--shard', `${index}/3`, '--report', `json=shard-${index}.json`];
      return cloche(words, { folder, url });
    });
    const codes = (await Promise.all(shards)).map(({ code }) => code);
    const files = [1, 2, 3].map((index) => `shard-${index}.json`);
    return { codes, merged: await cloche(['merge', ...files, '--report', 'json=merged.json'], { folder }) };
  }

  const readReport = (folder, name) => readFileSync(join(root, folder, name), 'utf8');
  const findingsOf = (folder, name) => JSON.parse(readReport(folder, name)).findings;
  const idsOf = (folder, name) =>
    findingsOf(folder, name)
      .map(({ id }) => id)
      .toSorted();

  before(() => copyFileSync(example('openapi.yaml'), join(root, 'openapi.yaml')));
  after(() => {
    for (const { child } of services) child.kill();
    rmSync(root, { recursive: true, force: true });
  });

  test('cloche init writes a configuration, and names what is missing in it', async () => {
    const { url } = await start();
    const { code, stderr } = await cloche(['init', 'openapi.yaml', '--url', url]);
    assert.deepEqual([code, stderr], [0, '']);
    const file = join(root, 'cloche.yaml');
    const written = readFileSync(file, 'utf8');
    const configuration = parseDocument(written);
    assert.equal(configuration.get('document'), 'openapi.yaml');
    assert.equal(configuration.get('url'), url);
    assert.deepEqual(configuration.getIn(['credentials', 'oauth', 'scopes']).toJSON(), ['wholesale']);
    for (const hint of ['X-CSRF-Token', 'purge']) assert.ok(written.includes(hint), hint);
    // The client, the CSRF token, the tenants, the operation to leave out and the reports.
    const wanted = parse(readFileSync(example('cloche.yaml'), 'utf8'));
    for (const [key, value] of Object.entries(wanted)) configuration.set(key, value);
    writeFileSync(file, String(configuration));
    const { stdout } = await cloche(['test', '--list'], { url });
    assert.match(stdout, /19/u);
  });

  describe('verdicts', { concurrency: true }, () => {
    test('are red with the fault, and name it, also in shards', async () => {
      const { code, stdout, stderr } = await testWhole('red', 'patch-loses-total');
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout, /^FAIL .*: 1 violation in /mu);
      assert.match(stdout, /\/total as it was, as the update did not name it/u);
      const [{ id, check, operation }, ...others] = findingsOf('red', 'cloche.json');
      assert.deepEqual([check, operation, others], ['merge-patch', 'updateOrder', []]);
      for (const name of ['junit.xml', 'cloche.sarif', 'cloche.md', 'cloche.html']) {
        assert.ok(readReport('red', name).includes(id), name);
      }
      const { codes, merged } = await testShards('red', 'patch-loses-total');
      // One shard has the properties that show it.
      assert.deepEqual(
        codes.toSorted((left, right) => left - right),
        [0, 0, 1],
      );
      assert.equal(merged.code, 1, merged.stdout + merged.stderr);
      assert.deepEqual(idsOf('red', 'merged.json'), [id]);
    });

    test('are green without it, and all operations but one succeed, also in shards', async () => {
      const { code, stdout, stderr } = await testWhole('green');
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /^PASS .*: nothing found in /mu);
      const { codes, merged } = await testShards('green');
      assert.deepEqual(codes, [0, 0, 0]);
      assert.equal(merged.code, 0, merged.stdout + merged.stderr);
      const { paths } = parse(readFileSync(example('openapi.yaml'), 'utf8'));
      const operations = Object.values(paths).flatMap((item) =>
        Object.values(item).flatMap(({ operationId }) => operationId ?? []),
      );
      assert.equal(operations.length, 20);
      for (const name of ['cloche.json', 'merged.json']) {
        assert.deepEqual(findingsOf('green', name), []);
        const { coverage } = JSON.parse(readReport('green', name));
        const succeeded = new Set(
          coverage
            .filter(({ statuses }) => statuses.some((status) => status < 300))
            .map(({ operation }) => operation),
        );
        assert.deepEqual(succeeded, new Set(operations.filter((id) => id !== 'purge')));
      }
    });
  });

  test('no output and no report has a secret', () => {
    const files = readdirSync(root, { recursive: true }).filter((name) =>
      /\.(?:json|xml|sarif|md|html)$/u.test(name),
    );
    assert.equal(files.length, 2 * 9);
    const texts = [...outputs, ...files.map((name) => readReport('.', name))];
    const secrets = [secret, encodeURIComponent(secret), btoa(`ci:${secret}`), csrf, 'whs_'];
    for (const hidden of secrets) assert.ok(!texts.some((text) => text.includes(hidden)), hidden);
  });

  test('no run called the operation that deletes everything', async () => {
    for (const { log } of services) assert.ok(!log.includes('purged'));
    // The log shows such a call.
    const [service] = services;
    const headers = { authorization: `Basic ${btoa(`ci:${encodeURIComponent(secret)}`)}` };
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body });
    const { access_token: token } = await response.json();
    const { status } = await fetch(`${service.url}/admin/purge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-csrf-token': csrf },
    });
    assert.equal(status, 204);
    if (!service.log.includes('purged')) await once(service.child.stdout, 'data');
    assert.ok(service.log.includes('purged'));
  });
});
