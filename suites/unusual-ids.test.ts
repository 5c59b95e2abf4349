import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { Send } from '../src/http/message.ts';
import type { JsonObject } from '../src/json/value.ts';
import { runSuites } from '../src/runner/run.ts';
import { lifeCycles } from './life-cycles.ts';
import { readInOtherCase, unusualIds } from './unusual-ids.ts';

/** A service of notes under ids that clients choose, by POST or by PUT. */
function notes(id: JsonObject, method: 'post' | 'put', path: JsonObject = id): Contract {
  const schema = { type: 'object', required: ['id', 'text'], properties: { id, text: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  const shown = { description: 'The note.', content };
  const write = {
    operationId: 'write',
    requestBody: { content },
    responses: { '201': shown, '200': shown, '400': { description: 'It is not valid.' } },
  };
  const gone = { '404': { description: 'There is none.' } };
  const of = (own: 'post' | 'put') => (method === own ? { [own]: write } : {});
  return contractOf({
    paths: {
      '/notes': of('post'),
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: path }],
        get: { operationId: 'read', responses: { '200': shown, ...gone } },
        delete: { operationId: 'drop', responses: { '204': { description: 'It is gone.' }, ...gone } },
        ...of('put'),
      },
    },
  });
}

const find = ({ operations }: Contract, id: string): Operation | undefined =>
  operations.find((operation) => operation.id === id);

const spelled = ['capital', 'spaced', 'slashed', 'dotted', 'accented'];

test.each([
  ['any text', { type: 'string' }, spelled],
  ['a text of small letters', { type: 'string', pattern: '^[a-z]+$' }, []],
  ['a text of letters', { type: 'string', pattern: '^[A-Za-z]+$' }, ['capital']],
  ['an integer of 64 bits', { type: 'integer', format: 'int64' }, ['itself', 'double-collision']],
  ['an integer of 32 bits', { type: 'integer', format: 'int32' }, []],
  ['a UUID', { type: 'string', format: 'uuid' }, []],
])('chooses unusual ids that are %s', (_what, id, expected) => {
  const contract = notes(id, 'post');
  const ids = unusualIds(find(contract, 'write'), find(contract, 'read'));
  expect(ids.map(({ slot }) => slot.spelling ?? slot.variant)).toEqual(expected);
});

test('chooses no id that the path of a read does not take', () => {
  const contract = notes({ type: 'string' }, 'post', { type: 'string', pattern: '^[A-Za-z]+$' });
  expect(unusualIds(find(contract, 'write'), find(contract, 'read'))).toHaveLength(1);
});

/** Keeps notes, and writes down the ids, as they are encoded, at which they are read. */
function keepNotes(reads: Set<string>): Send {
  const kept = new Map<string, string>();
  return ({ method, target, body }) => {
    const text = new TextDecoder().decode(body ?? new Uint8Array());
    // `as`: what has a text is a note.
    const sent = text === '' ? undefined : (JSON.parse(text) as Record<'id' | 'text', string> | null);
    const [, , place = ''] = target.split('/');
    const id = method === 'POST' ? (sent?.id ?? '') : decodeURIComponent(place);
    const isRefused = sent !== undefined && typeof sent?.text !== 'string';
    const isNew = !kept.has(id);
    if (sent && !isRefused) kept.set(id, JSON.stringify({ ...sent, id }));
    const shown = isRefused ? undefined : kept.get(id);
    if (method === 'DELETE') kept.delete(id);
    if (method === 'GET' && shown !== undefined) reads.add(place);
    const success = method === 'DELETE' ? 204 : sent && isNew ? 201 : 200;
    const status = isRefused ? 400 : shown === undefined ? 404 : success;
    const content = status < 204 && method !== 'HEAD' ? shown : undefined;
    const location = ['Location', `/notes/${encodeURIComponent(id)}`] as const;
    const headers = content === undefined ? [] : [['Content-Type', 'application/json'] as const, location];
    return Promise.resolve({
      kind: 'response',
      response: { status, headers, body: new TextEncoder().encode(content ?? '') },
    });
  };
}

test.each(['post', 'put'] as const)('creates items by %s, and reads each at its path', async (method) => {
  const reads = new Set<string>();
  const send = keepNotes(reads);
  const contract = notes({ type: 'string' }, method);
  const target = { contract, send, socketSend: send };
  const { findings } = await runSuites([lifeCycles], target, { seed: 1, runs: 1 });
  expect(findings.map(({ finding }) => `${finding.level} ${finding.check} ${finding.cause}`)).toEqual([]);
  for (const form of [/^K[a-z]+$/u, /^key%2B%20/u, /^key%2F/u, /^\.key%2541/u, /^key%C3%A9/u]) {
    expect([...reads].some((each) => form.test(each))).toBe(true);
  }
  const [capital = ''] = [...reads].filter((each) => each.startsWith('K'));
  expect([...reads]).toContain(capital.toLowerCase());
});

test('reads an item that the service named in another case, unless its id is a UUID', () => {
  const schema = { type: 'object', properties: { id: { type: 'string', readOnly: true } } };
  const content = { 'application/json': { schema } };
  const shown = { description: 'The note.', content };
  const contract = contractOf({
    paths: {
      '/notes': { post: { requestBody: { content }, responses: { '201': shown } } },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'read', responses: { '200': shown } },
      },
    },
  });
  const read = find(contract, 'read');
  const targets = ['17-ab c', '17', '4f0d4f5e-8a86-4a1e-9f60-5b1c9a2e4f10'].map(
    (id) => read && readInOtherCase(read, { id })?.target,
  );
  expect(targets).toEqual(['/notes/17-AB%20C', undefined, undefined]);
});
