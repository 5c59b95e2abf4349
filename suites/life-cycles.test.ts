import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import type { RunResult } from '../src/events/events.ts';
import type { HttpRequest, Send } from '../src/http/message.ts';
import type { JsonObject } from '../src/json/value.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import { runSuites } from '../src/runner/run.ts';
import { lifeCycles } from './life-cycles.ts';

const properties = {
  id: { type: 'integer', readOnly: true },
  title: { type: 'string' },
  published: { type: 'boolean' },
};
const content = { 'application/json': { schema: { type: 'object', properties } } };
const ok = { '200': { description: 'ok', content }, '400': { description: 'refused' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const contract = contractOf({
  paths: {
    '/tasks': {
      post: {
        requestBody: { content },
        responses: { '201': { description: 'ok', content }, '202': { description: 'ok', content } },
      },
    },
    '/tasks/{id}': {
      parameters: [id],
      get: { responses: ok },
      patch: { requestBody: { content }, responses: ok },
    },
  },
});

/** Sends life cycles to a service of tasks. */
async function runOn(
  update: (task: JsonObject, change: JsonObject) => JsonObject,
  created = 201,
): Promise<RunResult> {
  const tasks: JsonObject[] = [];
  const send: Send = ({ method, target, body }: HttpRequest) => {
    // `as`: whatever the suite sends to this document is an object.
    const sent = (body === undefined ? {} : JSON.parse(new TextDecoder().decode(body))) as JsonObject;
    const at = Number(target.split('/')[2]);
    const known = tasks[at - 1];
    if (typeof (sent['published'] ?? false) !== 'boolean') {
      return Promise.resolve({
        kind: 'response',
        response: { status: 400, headers: [], body: new Uint8Array() },
      });
    }
    if (method === 'POST') tasks.push({ published: false, ...sent, id: tasks.length + 1 });
    if (method === 'PATCH' && known !== undefined) tasks[at - 1] = update(known, sent);
    const shown = method === 'POST' ? tasks.at(-1) : tasks[at - 1];
    const text = shown === undefined || method === 'HEAD' ? '' : JSON.stringify(shown);
    return Promise.resolve({
      kind: 'response',
      response: {
        status: shown === undefined ? 404 : method === 'POST' ? created : 200,
        headers: [
          ...(shown === undefined ? [] : [['Content-Type', 'application/json'] as const]),
          ...(method === 'POST' ? [['Location', `/tasks/${tasks.length}`] as const] : []),
        ],
        body: new TextEncoder().encode(text),
      },
    });
  };
  return runSuites([lifeCycles], { contract, send, socketSend: send }, { seed: 1, keep: true });
}

async function findIn(update: Parameters<typeof runOn>[0]): Promise<readonly string[]> {
  const { findings } = await runOn(update);
  return findings.map(({ finding: { check, level, cause } }) => `${level} ${check}: ${cause}`);
}

test('a change that puts a flag back which it does not name is found', async () => {
  expect(await findIn((task, change) => ({ ...task, published: false, ...change }))).toEqual([
    'warning merge-patch: published changed',
  ]);
  expect(await findIn((task, change) => ({ ...task, ...change }))).toEqual([]);
});

test('says that nothing is certain of what is created with 202', async () => {
  const forgetful = (task: JsonObject): JsonObject => task;
  const { findings, notChecked, properties: tried } = await runOn(forgetful, 202);
  expect(findings).toEqual([]);
  expect(new Set(tried.map(({ verdict }) => verdict))).toEqual(new Set(['unjudged']));
  expect(notChecked.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('answers 202'));
});

test('clients whose creates are refused while others are under way do not all change one item', async () => {
  const underWay = new Map<string, number>();
  const together: string[] = [];
  let rows = 0;
  const send: Send = async ({ method, target }) => {
    const place = `${method} ${target}`;
    const others = underWay.get(place) ?? 0;
    underWay.set(place, others + 1);
    await new Promise((resolve) => void setTimeout(resolve, 1));
    underWay.set(place, (underWay.get(place) ?? 1) - 1);
    const isRefused = method === 'POST' && others > 0;
    if (isRefused || method === 'PATCH') together.push(...(others > 0 ? [place] : []));
    rows += method === 'POST' && !isRefused ? 1 : 0;
    const shown = JSON.stringify({ id: method === 'POST' ? rows : Number(target.split('/')[2]) });
    const headers = isRefused ? [] : [['Content-Type', 'application/json'] as const];
    const status = isRefused ? 409 : method === 'POST' ? 201 : 200;
    const content = isRefused || method === 'HEAD' ? '' : shown;
    return {
      kind: 'response',
      response: { status, headers, body: new TextEncoder().encode(content) },
    };
  };
  await runSuites([lifeCycles], { contract, send, socketSend: send }, { seed: 1, keep: true });
  expect([...new Set(together)]).toEqual(['POST /tasks']);
});

test('collections whose items refer to each other do not change side by side, as what goes may take others with it', () => {
  const refersTo = (name: string): JsonObject => {
    const schema = { type: 'object', properties: { id: properties.id, [name]: { type: 'integer' } } };
    return { 'application/json': { schema } };
  };
  const pathsOf = (name: string, body: JsonObject): JsonObject => ({
    [`/${name}`]: {
      post: {
        operationId: name,
        requestBody: { content: body },
        responses: { '201': { description: 'ok', content: body } },
      },
    },
    [`/${name}/{id}`]: {
      get: { parameters: [id], responses: { '200': { description: 'ok', content: body } } },
    },
  });
  const paths = {
    ...pathsOf('snippets', content),
    ...pathsOf('comments', refersTo('snippet')),
    ...pathsOf('likes', refersTo('comment')),
    ...pathsOf('tags', content),
  };
  const plan = lifeCycles.plan({
    contract: contractOf({ paths }),
    policy: defaultPolicy,
    unsafeMethods: false,
  });
  const planned = plan.kind === 'properties' ? plan.properties : [];
  const groups = new Map(planned.map((property) => [property.id, property.writesTo]));
  expect(groups.get('likes.life-cycle')).toBe(groups.get('snippets.life-cycle'));
  expect(groups.get('comments.life-cycle')).toBe(groups.get('snippets.life-cycle'));
  expect(groups.get('tags.life-cycle')).not.toBe(groups.get('snippets.life-cycle'));
});

const settings = {
  type: 'object',
  properties: {
    theme: { type: 'string' },
    size: { type: 'integer' },
    at: { type: 'integer', readOnly: true },
  },
};
const shown = { 'application/json': { schema: settings } };
const responses = { '200': { description: 'ok', content: shown } };

/** Runs the suite on a service with settings, and returns them after the run with the requests. */
async function runOnSettings(
  method: 'put' | 'patch' | 'post',
  {
    unsafeMethods = true,
    fault,
    ...options
  }: Parameters<typeof runSuites>[2] & { readonly fault?: 'lost' | 'partial' } = {},
  onRequest: (requests: readonly string[]) => void = () => undefined,
) {
  const before: JsonObject = { theme: 'ours', size: 4 };
  let [now, at] = [before, 0];
  const sent: string[] = [];
  const send: Send = async (request: HttpRequest) => {
    sent.push(request.method);
    onRequest(sent);
    await Promise.resolve();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      // `as`: whatever the suite sends to this document is an object.
      const value = JSON.parse(new TextDecoder().decode(request.body)) as JsonObject;
      at += 1;
      const next = method === 'patch' || fault === 'partial' ? { ...now, ...value } : value;
      if (fault !== 'lost')
        now = Object.fromEntries(Object.entries(next).filter(([, each]) => each !== null));
    }
    const body = new TextEncoder().encode(request.method === 'HEAD' ? '' : JSON.stringify({ ...now, at }));
    return {
      kind: 'response',
      response: { status: 200, headers: [['Content-Type', 'application/json']], body },
    };
  };
  const type = method === 'patch' ? 'application/merge-patch+json' : 'application/json';
  const requestBody = { required: true, content: { [type]: { schema: settings } } };
  const paths = {
    '/settings': { get: { responses }, [method]: { operationId: 'set', requestBody, responses } },
  };
  const result = await runSuites(
    [lifeCycles],
    { contract: contractOf({ paths }), send, socketSend: send },
    { seed: 1, unsafeMethods, ...options },
  );
  return { before, now, sent, result };
}

test.each(['put', 'patch', 'post'] as const)('puts back a singleton that %s changes', async (method) => {
  const { before, now, sent, result } = await runOnSettings(method);
  expect(now).toEqual(before);
  expect(sent.filter((each) => each === method.toUpperCase()).length).toBeGreaterThan(6);
  expect(result.findings).toEqual([]);
});

test.each(['put', 'patch', 'post'] as const)(
  'leaves a singleton of %s alone without --unsafe-methods',
  async (method) => {
    const suites = runOnSettings(method, { unsafeMethods: false });
    await expect(suites).rejects.toThrow('1 of 2 operations remain');
  },
);

test('finds a singleton that loses each change', async () => {
  const { result } = await runOnSettings('put', { fault: 'lost' });
  expect(result.findings.map(({ finding }) => `${finding.level} ${finding.check}`)).toContain(
    'violation read-after-write',
  );
});

test.each([5, 6, 7, 8])('puts back a singleton if the run is interrupted at request %i', async (last) => {
  const controller = new AbortController();
  const { before, now, result } = await runOnSettings('put', { signal: controller.signal }, (sent) => {
    if (sent.length === last) controller.abort();
  });
  expect(result.interrupted).toBe(true);
  expect(now).toEqual(before);
});

test('puts back a singleton if the run ends at its first violation', async () => {
  const { before, now, result } = await runOnSettings('put', { fault: 'partial', bail: true });
  expect(result.findings).toHaveLength(1);
  expect(now).toEqual(before);
});
