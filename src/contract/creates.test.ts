import { expect, test } from 'vitest';
import { body, json, kindsOf, list, rolesOf, success, task } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

test('what is added to an item below it, and answered with that item, is an action on it', () => {
  const labels = { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } };
  const tasks = {
    '/tasks': { post: { ...body(task), responses: success(json(task), '201') } },
    '/tasks/{id}': { get: { responses: success(json(task)) } },
  };
  const add = (sent: JsonObject, status: string): JsonObject => ({
    '/tasks/{id}/labels': {
      post: { ...body(sent), operationId: 'addLabels', responses: success(json(task), status) },
    },
  });
  const rolesWith = (sent: JsonObject, status: string) =>
    rolesOf(kindsOf({ ...tasks, ...add(sent, status) }))['POST /tasks/{id}/labels'];
  expect(rolesWith(labels, '200')).toBe('action');
  // It says that it creates, or takes what it answers with.
  expect(rolesWith(labels, '201')).toBe('create');
  expect(rolesWith(task, '200')).toBe('create');
});

test('what is sent to a path and to one below it, and never read, creates nothing', () => {
  const text = { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } };
  const post = { ...text, responses: success({ description: '' }) };
  const kinds = kindsOf({ '/batches': { post }, '/batches/{system}': { post } });
  expect(kinds['POST /batches']?.kind).toBe('sample');
});

test('what a procedure registers is not created', () => {
  const topic = { type: 'object', properties: { topicName: { type: 'string' } } };
  const roles = rolesOf(
    kindsOf({
      '/#Target=RegisterTopic': {
        post: { ...body(topic), operationId: 'registerTopic', responses: success(json({ type: 'object' })) },
      },
    }),
  );
  expect(new Set(Object.values(roles))).toEqual(new Set(['sample']));
});

test('one of a few values is no id that a service makes', () => {
  const text = { type: 'string' };
  const kind = { type: 'string', enum: ['uplink', 'downlink'] };
  const config = { type: 'object', properties: { configKind: kind, serial: text, title: text } };
  const sent = { type: 'object', properties: { title: text } };
  const kinds = kindsOf({
    '/configs': {
      get: { responses: success(list(config)) },
      post: { ...body(sent), responses: success({ description: '' }, '201') },
    },
    '/configs/{configKind}/{serial}': { get: { responses: success(json(config)) } },
  });
  expect(kinds['POST /configs']).toMatchObject({ kind: 'create', key: { kind: 'none' } });
});

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
