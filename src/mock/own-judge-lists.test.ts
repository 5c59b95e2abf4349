import { describe, expect, test } from 'vitest';
import {
  answer,
  body,
  inPath,
  judgeOwnMock,
  object,
  refusal,
  text,
  widget,
} from '../../fixtures/own-judge.ts';
import type { JsonObject } from '../json/value.ts';

const notice = {
  ...object({
    id: text,
    side: { type: ['string', 'null'], enum: ['credit', 'debit'] },
    day: { type: 'string', format: 'date' },
    address: object({ line1: text, line2: { type: ['string', 'null'] } }),
  }),
  example: { id: 'a', side: null, day: '2026-01-01T00:00:00Z', address: { line1: 'one', line2: null } },
};

/** Documents as others write them, each with what the mock once did in its lists that its own judge held against it. */
const documents: Readonly<Record<string, JsonObject>> = {
  'a list alone shows the ids of what is created, and they have a pattern': {
    '/rules': {
      get: {
        operationId: 'listRules',
        responses: {
          200: answer({
            type: 'array',
            items: object({ id: { type: 'string', pattern: '^[0-9]{1,19}$' }, name: text }),
          }),
        },
      },
      post: {
        operationId: 'addRule',
        requestBody: body(object({ name: text }, [])),
        responses: { 201: answer(), 400: answer(refusal) },
      },
    },
  },
  'a PUT creates under any text, and answers show a number': {
    '/offices': {
      get: { operationId: 'listOffices', responses: { 200: answer({ type: 'array', items: widget }) } },
    },
    '/offices/{id}': {
      put: {
        operationId: 'putOffice',
        parameters: [inPath('id')],
        requestBody: body(object({ name: text })),
        responses: { 204: answer(), 400: answer(refusal), 404: answer(refusal) },
      },
      get: {
        operationId: 'getOffice',
        parameters: [inPath('id')],
        responses: { 200: answer(widget), 404: answer(refusal) },
      },
    },
  },
  'an example of an item has what the schema does not take, and objects in it lack what answers must have': {
    '/notices': {
      get: {
        operationId: 'listNotices',
        responses: { 200: answer({ type: 'array', items: notice }) },
      },
      post: {
        operationId: 'addNotice',
        requestBody: body(object({ address: object({ line1: text, line2: text }, ['line1']) })),
        responses: { 200: answer(notice), 400: answer(refusal) },
      },
    },
  },
  'a PUT creates under a number, and answers show a text': {
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        responses: { 200: answer({ type: 'array', items: object({ id: text, name: text }) }) },
      },
    },
    '/accounts/{id}': {
      put: {
        operationId: 'putAccount',
        parameters: [inPath('id', { type: 'number' })],
        requestBody: body(object({ name: text })),
        responses: { 200: answer(), 400: answer(refusal), 404: answer(refusal) },
      },
    },
  },
};

describe('the mock passes its own judge where', () => {
  test.each(Object.entries(documents))('%s', async (_, paths) => {
    expect(await judgeOwnMock(paths)).toEqual([]);
  });
});
