import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { createRouter } from '../../contract/router.ts';
import type { JsonObject } from '../../json/value.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question.ts';
import { judgeExchange } from '../judge.ts';
import type { CheckedExchange } from '../reading/subject.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const refs = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const answered = (status: number, schema?: JsonObject): JsonObject => ({
  [status]: { description: 'Done.', ...(schema && json(schema)) },
  '400': { description: 'Refused.' },
  '404': { description: 'Not there.' },
});
const id = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** Shelves with books on them, which may name the reader who has them. */
const contract = contractOf({
  paths: {
    '/shelves': {
      post: { requestBody: json(refs('Shelf')), responses: answered(201, refs('Shelf')) },
    },
    '/shelves/{shelfId}': {
      parameters: [id('shelfId')],
      get: { responses: answered(200, refs('Shelf')) },
      delete: { responses: answered(204) },
    },
    '/shelves/{shelfId}/books': {
      parameters: [id('shelfId')],
      post: { requestBody: json(refs('Book')), responses: answered(201, refs('Book')) },
    },
  },
  components: {
    schemas: {
      Shelf: {
        type: 'object',
        required: ['name'],
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
      },
      Book: {
        type: 'object',
        required: ['title'],
        properties: { id: { type: 'string', readOnly: true }, title: { type: 'string' } },
      },
    },
  },
});
const route = createRouter(contract);
const utf8 = new TextEncoder();

interface Case {
  readonly request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly body?: JsonObject;
  readonly status: number;
  readonly answer?: JsonObject;
  readonly told?: Partial<Policy>;
}

/** Judges an exchange of a run that is told the answers of the case alone. */
function judge({ request, body, status, answer, told = {} }: Case): CheckedExchange {
  const [method = '', target = ''] = request.split(' ');
  const content = (value: JsonObject | undefined): Uint8Array =>
    utf8.encode(value === undefined ? '' : JSON.stringify(value));
  return judgeExchange({
    exchange: {
      request: {
        method,
        target,
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
        body: body && content(body),
      },
      answer: {
        kind: 'response',
        response: {
          status,
          headers: answer === undefined ? [] : [['Content-Type', 'application/json']],
          body: content(answer),
        },
      },
      durationMs: 1,
    },
    route: route(target),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract, {
      policy: createPolicy(told),
      // `as`: the keys of answers are questions.
      enforced: new Set(Object.keys(told) as QuestionId[]),
    }),
  });
}

/** What is found of one exchange: the check, its level, and the question that it is a matter of. */
function findingsOf(input: Case): readonly string[] {
  return judge(input).findings.map(
    ({ level, check, clause }) => `${level} ${check}${clause.kind === 'policy' ? ` ${clause.question}` : ''}`,
  );
}

test('that items with others below them are not deleted (409) is a matter of the policy, unless it says otherwise', () => {
  const request = 'DELETE /shelves/1';
  expect(findingsOf({ request, status: 409 })).toEqual(['note undeclared-status deleted-parent']);
  expect(findingsOf({ request, status: 409, told: { 'deleted-parent': 'refuse' } })).toEqual([
    'note undeclared-status deleted-parent',
  ]);
  expect(findingsOf({ request, status: 409, told: { 'deleted-parent': 'keep' } })).toContain(
    'violation undeclared-status',
  );
});
