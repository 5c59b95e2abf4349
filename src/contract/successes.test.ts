import { expect, test } from 'vitest';
import { body, json, kindsOf, list, success, task } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

const failure = { description: 'Some error', content: json({ type: 'object' })['content'] ?? {} };

test.each<[title: string, responses: JsonObject, found: string | undefined]>([
  ['201 before 200', { 200: json(task), 201: json(task) }, '201'],
  ['200 with content before 201 without', { 200: json(task), 201: { description: 'Created' } }, '200'],
  ['201 without content before 202', { 201: { description: 'Created' }, 202: json(task) }, '201'],
  ['default where there is no other success', { default: json(task), 400: { description: '' } }, 'default'],
  ['no default that speaks of errors', { default: failure }, undefined],
])('a create succeeds with %s', (_title, responses, found) => {
  const kinds = kindsOf({
    '/tasks': { get: { responses: success(list(task)) }, post: { ...body(task), responses } },
    '/tasks/{taskId}': { get: { responses: success(json(task)) } },
  });
  expect(kinds['POST /tasks']).toMatchObject({
    kind: 'create',
    success: found === undefined ? undefined : `/paths/~1tasks/post/responses/${found}`,
  });
});
