import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findIn, lifeCycleTrace } from '../../../fixtures/life-cycle-trace.ts';
import type { JsonObject } from '../../json/value.ts';
import { statefulChecks } from './stateful-checks.ts';

const create = 'POST /tasks {"title":"tea","note":"two cups"} > 201 {"id":7,"title":"tea","note":"two cups"}';

test('finds an id that two creates were given', () => {
  const again = 'POST /tasks {"title":"jam","note":"one jar"} > 201 {"id":7,"title":"jam","note":"one jar"}';
  expect(findIn(statefulChecks['lost-identity'], [create, again])).toEqual([
    'violation createTask: an id twice',
  ]);
});

/** What is found in a service of members, whose ids are texts that the client or the service chooses. */
function findInMembers(
  lines: readonly string[],
  of: { readonly isServers?: true; readonly says?: string } = {},
) {
  const id = { type: 'string', ...(of.isServers && { readOnly: true }) };
  const schema: JsonObject = {
    type: 'object',
    required: of.isServers ? ['name'] : ['id', 'name'],
    properties: { id, name: { type: 'string' } },
  };
  const content = { 'application/json': { schema } };
  const shown = { description: 'The member.', content };
  const contract = contractOf({
    paths: {
      '/members': {
        post: { operationId: 'add', requestBody: { content }, responses: { '201': shown } },
      },
      '/members/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: {
          operationId: 'read',
          description: of.says ?? '',
          responses: { '200': shown, '404': { description: 'There is none.' } },
        },
      },
    },
  });
  const context = createCheckContext(contract);
  return Object.values(statefulChecks).flatMap((check) =>
    check
      .judgeTrace(lifeCycleTrace(contract, lines), context)
      .map(({ level, operation, cause }) => `${level} ${check.id} ${operation}: ${cause}`),
  );
}

const memberOf = (id: string): string => JSON.stringify({ id, name: 'Ada Lovelace' });
const add = (id: string): string =>
  `POST /members ${memberOf(id)} > 201 [Location: /members/${encodeURIComponent(id)}] ${memberOf(id)}`;

test.each([
  ['in another case', 'Ada', 'Ada', 'ada'],
  ['with a space for a plus', 'a+b', 'a%2Bb', 'a b'],
  ['decoded twice', 'a%41', 'a%2541', 'aA'],
  ['in another form of Unicode', 'e\u0301', 'e%CC%81', '\u00e9'],
  ['with other digits', '9007199254740993', '9007199254740993', '9007199254740992'],
])('finds an id of the client that a read shows %s', (_how, id, path, shown) => {
  const lines = [add(id), `GET /members/${path} > 200 ${memberOf(shown)}`];
  const found = 'read: another spelling of the id';
  expect(findInMembers(lines)).toEqual([`violation lost-identity ${found}`]);
  expect(findInMembers(lines, { says: 'Ids are normalized.' })).toEqual([`warning lost-identity ${found}`]);
  expect(findInMembers([add(id), `GET /members/${path} > 200 ${memberOf(id)}`])).toEqual([]);
});

test('finds nothing in an id of the client that is a number of the service in reads', () => {
  expect(findInMembers([add('Ada'), `GET /members/Ada > 200 ${memberOf('17')}`])).toEqual([]);
});

test('warns of an item at an id in another case, unless the document says how ids are compared', () => {
  const made = `POST /members {"name":"Ada Lovelace"} > 201 [Location: /members/a7] ${memberOf('a7')}`;
  const lines = [made, `GET /members/A7 > 200 ${memberOf('a7')}`];
  expect(findInMembers(lines, { isServers: true })).toEqual([
    'warning lost-identity read: an id in another case',
  ]);
  const says = 'Ids are compared without regard to case.';
  expect(findInMembers(lines, { isServers: true, says })).toEqual([]);
  const other = '{"id":"A7","name":"Bob"}';
  expect(findInMembers(lines.with(1, `GET /members/A7 > 200 ${other}`), { isServers: true })).toEqual([]);
});

test('warns of an id with a slash that is not found, as gateways refuse it', () => {
  expect(findInMembers([add('a/b'), 'GET /members/a%2Fb > 404'])).toEqual([
    'warning created-not-found add: not found',
  ]);
  expect(findInMembers([add('a b'), 'GET /members/a%20b > 404'])).toEqual([
    'violation created-not-found add: not found',
  ]);
});
