import { fileURLToPath } from 'node:url';
import { expect, expectTypeOf, test } from 'vitest';
import type { operations, paths } from '../../fixtures/documents/projects.d.ts';
import { createInspectedMock as createMock } from '../inspector/create-inspector.ts';
import type { Mock, MockOptions } from './mock.ts';
import type { OptionsFor, TypedInput, TypedMockOptions } from './typed.ts';

const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));
type Options = TypedMockOptions<paths, operations>;

test('answers with typed handlers, by id or by method and path, and starts from typed data', async () => {
  await using mock = await createMock<paths, operations>(document, {
    data: { '/projects': [{ id: 1, name: 'Garden' }], '/projects/1/tasks': [{ id: 1, title: 'Dig' }] },
    handlers: {
      getProject: ({ params, respond }) =>
        respond(200, { id: params.projectId, name: 'Handled', status: 'open' }),
      'GET /projects/{projectId}/tasks': async ({ next }) => ({
        ...(await next()),
        headers: { 'X-Mine': 'yes' },
      }),
    },
    faults: [{ operation: 'GET /projects', answer: { status: 503 }, times: 1 }],
  });
  const list = await mock.fetch('/projects');
  expect(list.status).toBe(503);
  expect(mock.faults.list()[0]).toMatchObject({ operation: 'listProjects', applied: 1 });
  const read = await mock.fetch('/projects/1');
  await expect(read.json()).resolves.toMatchObject({ id: 1, name: 'Handled' });
  const tasks = await mock.fetch('/projects/1/tasks');
  expect(tasks.headers.get('x-mine')).toBe('yes');
  await expect(tasks.json()).resolves.toMatchObject([{ id: 1, title: 'Dig' }]);
  const restore = mock.answer('DELETE /projects/{projectId}', { status: 404, body: { message: 'Gone.' } });
  expect((await mock.fetch('/projects/1', { method: 'DELETE' })).status).toBe(404);
  restore();
  expect((await mock.fetch('/projects/1', { method: 'DELETE' })).status).toBe(204);
});

test('has the types of the requests', () => {
  type Input = TypedInput<operations['listProjects']>;
  expectTypeOf<Input['query']['status']>().toEqualTypeOf<'open' | 'closed' | undefined>();
  expectTypeOf<Input['body']>().toEqualTypeOf<undefined>();
  expectTypeOf<TypedInput<operations['getProject']>['params']['projectId']>().toEqualTypeOf<number>();
  expectTypeOf<NonNullable<TypedInput<operations['updateProject']>['body']>['status']>().toEqualTypeOf<
    'open' | 'closed' | undefined
  >();
});

test('rejects unknown operations, statuses and members when it is compiled', () => {
  const options: readonly Options[] = [
    // @ts-expect-error -- there is no such operation
    { handlers: { getProjekt: () => new Response() } },
    // @ts-expect-error -- there is no such path
    { handlers: { 'GET /projekts': () => new Response() } },
    // @ts-expect-error -- the document does not declare the status
    { handlers: { deleteProject: { status: 202 } } },
    // @ts-expect-error -- the member has another type
    { handlers: { getProject: { status: 200, body: { id: 'p1', name: 'Garden', status: 'open' } } } },
    // @ts-expect-error -- the document does not declare the status
    { handlers: { getProject: ({ respond }) => respond(202, { id: 1, name: 'Garden', status: 'open' }) } },
    // @ts-expect-error -- the member has another type
    { handlers: { getProject: ({ respond }) => respond(200, { id: 'p1', name: 'Garden', status: 'open' }) } },
    // @ts-expect-error -- there is no such collection
    { data: { '/projekts': [] } },
    // @ts-expect-error -- there is no such member
    { data: { '/projects': [{ nam: 'Garden' }] } },
    // @ts-expect-error -- the member has another type
    { data: { '/projects/1/tasks': [{ title: 7 }] } },
    // @ts-expect-error -- there is no such operation
    { faults: [{ operation: 'getProjekt', answer: { status: 503 } }] },
    // @ts-expect-error -- there is no such path
    { faults: [{ path: '/projekts', answer: { status: 503 } }] },
  ];
  expect(options).toHaveLength(11);
});

test('has the plain types without type arguments', async () => {
  expectTypeOf<OptionsFor<never, {}>>().toEqualTypeOf<MockOptions>();
  await using mock = await createMock(document, {
    handlers: { getProject: ({ respond }) => respond(200, {}) },
  });
  expectTypeOf(mock).toEqualTypeOf<Mock>();
  await using routed = await createMock<paths>(document);
  // @ts-expect-error -- an id has a type only with the operations
  expect(() => routed.answer('getProjekt', { status: 404 })).toThrow('Perhaps "getProject" was meant');
});
