import { expect, test } from 'vitest';
import { body, json, kindsOf, rolesOf, shape, success, task } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

test.each(['*/*', 'application/*'])('a response of %s is JSON for what the operations do', (range) => {
  const any = (schema: JsonObject): JsonObject => ({ description: '', content: { [range]: { schema } } });
  const kinds = kindsOf({
    '/tasks': {
      get: { responses: success(any({ type: 'array', items: task })) },
      post: { ...body(task), responses: success(any(task), '201') },
    },
    '/tasks/{taskId}': { get: { responses: success(any(task)) } },
  });
  expect(rolesOf(kinds)).toEqual({
    'GET /tasks': 'list',
    'POST /tasks': 'create',
    'GET /tasks/{taskId}': 'read',
  });
  expect(kinds['POST /tasks']).toMatchObject({ key: { kind: 'server', property: 'id' }, response: [] });
});

test('a response of images is no JSON', () => {
  const image: JsonObject = { description: '', content: { 'image/*': { schema: task } } };
  expect(kindsOf({ '/images/{id}': { get: { responses: success(image) } } })).toMatchObject({
    'GET /images/{id}': { kind: 'sample', evidence: 'its response is no JSON' },
  });
});

test('default is what reads answer with where no success is declared, unless it speaks of errors', () => {
  const settings = shape('theme', 'language');
  const rolesWith = (description: string) => {
    const answer = (schema: JsonObject): JsonObject => ({ default: { ...json(schema), description } });
    return rolesOf(
      kindsOf({
        '/tasks': { get: { responses: answer({ type: 'array', items: task }) } },
        '/tasks/{taskId}': { get: { responses: answer(task) } },
        '/settings/local': {
          get: { responses: answer(settings) },
          put: { ...body(settings), responses: answer(settings) },
        },
      }),
    );
  };
  expect(rolesWith('Success')).toEqual({
    'GET /tasks': 'list',
    'GET /tasks/{taskId}': 'read',
    'GET /settings/local': 'read',
    'PUT /settings/local': 'replace',
  });
  expect(rolesWith('Unexpected error')).toMatchObject({
    'GET /tasks': 'sample',
    'GET /tasks/{taskId}': 'sample',
    'GET /settings/local': 'sample',
  });
});
