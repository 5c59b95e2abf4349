import { expect, test } from 'vitest';
import { body, kindsOf, rolesOf, success, task } from '../../fixtures/kinds-of.ts';
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
