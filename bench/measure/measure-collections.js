import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCollections } from '../../fixtures/services/collections/catalogue.js';
import { median } from '../median.js';
import { runNode } from '../run-node.js';
import { cloche } from '../servers/server-kinds.js';
import { startServer } from '../servers/start-server.js';
import { findFirst, runOn, untilFound } from './first-finding.js';

/** @import { Figure } from '../figure.js' */

const documentOf = (/** @type {string} */ baseUrl) => ['--document', `${baseUrl}/openapi.json`];

/**
 * What it takes a default run to find each fault of collections, how long a whole one takes on services that have
 * none, and on a mock of documents of 20 and 200 operations.
 * @returns {Promise<Figure[]>}
 */
export async function measureCollections() {
  const { correct, faulty, tosem } = await loadCollections();
  const results = [];
  // A warning fails no run.
  const failing = faulty.filter(({ entry }) => entry.level === undefined);
  for (const service of [...tosem, ...failing]) {
    process.stderr.write(`  ${service.id}\n`);
    results.push({ id: service.id, first: await findFirst(service, documentOf) });
  }
  const isFound = (/** @type {typeof results[number]} */ { first }) => first.exitCode === 1;
  const missed = results.filter((one) => !isFound(one)).map(({ id }) => id);
  const figures = [];
  for (const service of correct) {
    const { seconds } = await runOn(service, documentOf);
    figures.push({ name: `test, default run on ${service.id}`, measured: seconds, unit, raw: service.title });
  }
  return [
    {
      name: 'test, faulty collections that a default run does not fail',
      measured: missed.length,
      unit: 'count',
      bar: { atMost: 0 },
      raw: missed.length === 0 ? `of ${results.length}` : missed.join(', '),
    },
    ...untilFound('a fault of collections', results.filter(isFound)),
    ...figures,
    await timeOperations(20, 20),
    await timeOperations(200, 120),
  ];
}

const unit = /** @type {const} */ ('seconds');

/**
 * The time of a default run on a mock in a process of its own, of a document with so many operations.
 * @param {number} operations - a multiple of 5
 * @param {number} atMost
 * @returns {Promise<Figure>}
 */
async function timeOperations(operations, atMost) {
  process.stderr.write(`  ${operations} operations\n`);
  const folder = mkdtempSync(join(tmpdir(), 'cloche-bench-'));
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(createDocument(operations / 5)));
  const server = await startServer(
    (port) => [cloche, 'mock', document, '--port', String(port), '--quiet'],
    undefined,
    undefined,
    (port) => `GET /orders0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  );
  const rounds = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      const { exitCode, seconds } = await runNode([
        cloche,
        'test',
        `http://127.0.0.1:${server.port}`,
        '--document',
        document,
      ]);
      if (exitCode !== 0) throw new Error(`cloche test ended with ${exitCode} on its own mock`);
      rounds.push(seconds);
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
  return {
    name: `test, default run on a mock of ${operations} operations`,
    measured: median(rounds),
    unit,
    bar: { atMost },
    raw: 'wall time, the start of the process included; three runs',
  };
}

/**
 * A document of collections that can be listed, filled, read, replaced and deleted.
 * @param {number} collections
 */
function createDocument(collections) {
  const json = (/** @type {object} */ schema) => ({ 'application/json': { schema } });
  const error = {
    description: 'refused',
    content: json({ type: 'object', required: ['message'], properties: { message: { type: 'string' } } }),
  };
  const sent = {
    type: 'object',
    required: ['title', 'state'],
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 40 },
      state: { enum: ['open', 'paid', 'sent'] },
      count: { type: 'integer', minimum: 0, maximum: 1_000 },
      remark: { type: 'string' },
    },
  };
  const kept = {
    ...sent,
    required: ['id', ...sent.required],
    properties: { id: { type: 'string', format: 'uuid', readOnly: true }, ...sent.properties },
  };
  const query = (/** @type {string} */ name, /** @type {object} */ schema) => ({ name, in: 'query', schema });
  const requestBody = { required: true, content: json(sent) };
  const one = { 200: { description: 'it', content: json(kept) }, 400: error, 404: error };
  const paths = Array.from({ length: collections }, (_, index) => {
    const name = `orders${index}`;
    return {
      [`/${name}`]: {
        get: {
          operationId: `list-${name}`,
          parameters: [
            query('limit', { type: 'integer', minimum: 1, maximum: 100 }),
            query('offset', { type: 'integer', minimum: 0 }),
            query('state', sent.properties.state),
          ],
          responses: {
            200: { description: 'they', content: json({ type: 'array', items: kept }) },
            400: error,
          },
        },
        post: { operationId: `create-${name}`, requestBody, responses: { 201: one[200], 400: error } },
      },
      [`/${name}/{id}`]: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: kept.properties.id }],
        get: { operationId: `read-${name}`, responses: one },
        put: { operationId: `replace-${name}`, requestBody, responses: one },
        delete: {
          operationId: `delete-${name}`,
          responses: { 204: { description: 'gone' }, 400: error, 404: error },
        },
      },
    };
  });
  return { openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths: Object.assign({}, ...paths) };
}
