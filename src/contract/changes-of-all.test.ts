import { expect, test } from 'vitest';
import { body, json, kindsOf, rolesOf, success, task } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

const tasks = {
  '/tasks': { post: { ...body(task), responses: success(json(task), '201') } },
  '/tasks/{taskId}': { get: { responses: success(json(task)) } },
};

test('a PATCH of a collection changes one item where it names it or answers with it, else maybe all of them', () => {
  const count = { type: 'object', properties: { count: { type: 'number' } } };
  const named = { ...task, required: ['id'] };
  const patchOf = (schema: JsonObject, answer: JsonObject): string | undefined =>
    rolesOf(
      kindsOf({
        ...tasks,
        '/tasks': { ...tasks['/tasks'], patch: { ...body(schema), responses: success(answer) } },
      }),
    )['PATCH /tasks'];
  expect(patchOf(task, json(count))).not.toBe('update');
  expect(patchOf(task, json(task))).toBe('update');
  expect(patchOf(named, json(count))).toBe('update');
});
