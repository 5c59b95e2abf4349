import type { Operation } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/value.ts';
import type { MockClock } from '../clock.ts';
import {
  type ControlOperation,
  earliestTime,
  jsonContent,
  latestTime,
  ref,
  toPlainNumbers,
} from './operation.ts';

/** The time of a mock as the control interface says it; one that no text can name is the nearest that it can. */
function describeClock(clock: MockClock): { readonly now: string; readonly frozen: boolean } {
  const now = Math.min(Math.max(clock.now(), earliestTime), latestTime);
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen };
}

/** A hundred years. */
const farthestMs = 3_155_760_000_000;

/** `POST /clock/advance`: goes on from a later time. */
export const advanceClock: ControlOperation = {
  path: '/clock/advance',
  method: 'post',
  declares: {
    operationId: 'advanceClock',
    summary: 'Go on from a later time, or an earlier one',
    requestBody: {
      required: true,
      ...jsonContent('How much later.', {
        type: 'object',
        required: ['ms'],
        additionalProperties: false,
        properties: { ms: { type: 'number', minimum: -farthestMs, maximum: farthestMs } },
      }),
    },
    responses: { '200': jsonContent('The time, as it is now.', ref('Clock')) },
  },
  refuses: [422],
  act: (request, { mock: { clock } }) => {
    // `as`: the document lets nothing else pass.
    const { ms } = toPlainNumbers(request.body ?? {}) as { readonly ms: number };
    const time = clock.now() + ms;
    if (time < earliestTime || time > latestTime) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'set the clock to',
        subject: String(time),
        reason: 'it is no time of the years 0 to 9999, which a date-time can name',
        remedy: 'Advance it by less',
      });
    }
    clock.advance(ms);
    return { status: 200, body: describeClock(clock) };
  },
};

/** `GET /clock`: the time that the mock goes by. */
export const getClock: ControlOperation = {
  path: '/clock',
  method: 'get',
  declares: {
    operationId: 'getClock',
    summary: 'The time that the mock goes by',
    responses: { '200': jsonContent('The time.', ref('Clock')) },
  },
  act: (_request, { mock }) => ({ status: 200, body: describeClock(mock.clock) }),
};

/** `GET /openapi.json`: the document of the control interface. */
export const getDocument: ControlOperation = {
  path: '/openapi.json',
  method: 'get',
  declares: {
    operationId: 'getDocument',
    summary: 'This document',
    responses: {
      '200': jsonContent('The document.', { type: 'object', required: ['openapi', 'info', 'paths'] }),
    },
  },
  act: (_request, { mock, facts: { hasTokens }, describe }) => ({
    status: 200,
    body: describe({ operations: mock.contract.operations.map(({ id }) => id), hasTokens }),
  }),
};

function describe({ id, method, path, kind }: Operation): object {
  const shared = { id, method, path: path.template, kind: kind.kind };
  return kind.kind === 'create'
    ? {
        ...shared,
        collection: kind.collection,
        key: kind.key.kind === 'none' ? undefined : kind.key.property,
      }
    : shared;
}

/** `GET /service`: what is mocked, and how. */
export const getService: ControlOperation = {
  path: '/service',
  method: 'get',
  declares: {
    operationId: 'getService',
    summary: 'What is mocked, and how',
    responses: { '200': jsonContent('The service.', ref('Service')) },
  },
  act: (_request, { mock: { contract, notices }, facts }) => ({
    status: 200,
    body: {
      title: contract.title,
      version: contract.version,
      source: contract.source,
      cloche: facts.version,
      startedAt: new Date(facts.startedAt).toISOString(),
      store: facts.store,
      operations: contract.operations.map(describe),
      notices: notices,
    },
  }),
};

/** The time that a text names; a leap second, which a Date has none of, is the one after it. */
function readTime(text: string): number {
  const time = Date.parse(text.replace(/:60(\.\d+)?/u, ':59$1'));
  if (Number.isNaN(time)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'set the clock to',
      subject: text,
      reason: 'it is no date and time that a calendar has',
      remedy: 'Give one such as 2026-03-01T08:00:00Z',
    });
  }
  return time;
}

/** `PUT /clock`: sets the time, stops it, lets it go on. */
export const putClock: ControlOperation = {
  path: '/clock',
  method: 'put',
  declares: {
    operationId: 'putClock',
    summary: 'Set the time, stop it, let it go on',
    requestBody: {
      required: true,
      ...jsonContent('What is to change.', {
        type: 'object',
        additionalProperties: false,
        properties: {
          now: { type: 'string', format: 'date-time' },
          frozen: { type: 'boolean', description: 'Whether it is to stand still.' },
        },
      }),
    },
    responses: { '200': jsonContent('The time, as it is now.', ref('Clock')) },
  },
  refuses: [422],
  act: (request, { mock: { clock } }) => {
    // `as`: the document lets nothing else pass.
    const { now, frozen } = request.body as { readonly now?: string; readonly frozen?: boolean };
    const time = now === undefined ? undefined : readTime(now);
    if (frozen !== undefined) {
      clock.freeze(frozen);
    }
    if (time !== undefined) {
      clock.set(time);
    }
    return { status: 200, body: describeClock(clock) };
  },
};

/** The schemas of the time of the mock. */
export const clockSchemas: Readonly<Record<string, JsonObject>> = {
  Clock: {
    type: 'object',
    required: ['now', 'frozen'],
    properties: {
      now: { type: 'string', format: 'date-time' },
      frozen: { type: 'boolean', description: 'Whether it stands still.' },
    },
  },
};

/** The schemas of what the mock says of itself, and of errors. */
export const serviceSchemas: Readonly<Record<string, JsonObject>> = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: 'The HTTP status.' },
      message: { type: 'string', description: 'What was wrong, and what can be done about it.' },
      rows: {
        type: 'array',
        description: 'Each row of data that cannot be taken; nothing was taken then.',
        items: { $ref: '#/components/schemas/BadRow' },
      },
    },
  },
  BadRow: {
    type: 'object',
    required: ['collection', 'index', 'reason'],
    properties: {
      collection: { type: 'string' },
      index: { type: 'integer', minimum: 0, description: 'Its place in its collection, from 0.' },
      place: { type: 'string', description: 'Where it stands in the file that it came from.' },
      reason: { type: 'string' },
    },
  },
  Service: {
    type: 'object',
    required: ['title', 'version', 'source', 'cloche', 'startedAt', 'store', 'operations', 'notices'],
    properties: {
      title: { type: 'string' },
      version: { type: 'string', description: 'The version of the interface that is mocked.' },
      source: { type: 'string', description: 'Where the document was read from.' },
      cloche: { type: 'string', description: 'The version of Cloche.' },
      startedAt: { type: 'string', format: 'date-time' },
      store: {
        enum: ['memory', 'file', 'redis', 'own'],
        description: 'Where resources are kept; `own` is a store that the mock was given.',
      },
      operations: { type: 'array', items: { $ref: '#/components/schemas/ServiceOperation' } },
      notices: {
        type: 'array',
        description: 'What watching the files had to say last, such as why a document cannot be used.',
        items: { type: 'string' },
      },
    },
  },
  ServiceOperation: {
    type: 'object',
    required: ['id', 'method', 'path', 'kind'],
    properties: {
      id: { type: 'string' },
      method: { type: 'string' },
      path: { type: 'string', description: 'As the document has it, with its parameters.' },
      kind: { type: 'string', description: '`create` keeps resources, `sample` answers with an example.' },
      collection: { type: 'string', description: 'The path that resources are kept under.' },
      key: { type: 'string', description: 'The property that tells resources apart.' },
    },
  },
};
