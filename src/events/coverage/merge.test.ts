import { expect, test } from 'vitest';
import type { OperationCoverage } from '../events.ts';
import { mergeCoverage } from './merge.ts';

const untried: OperationCoverage = {
  operation: 'getPlant',
  pointer: '/paths/~1plants/get',
  requests: 0,
  accepted: 0,
  bodies: [],
  responses: [{ status: '200', pointer: '/r', seen: 0, reason: 'nothing that was sent was answered so' }],
  undeclared: [],
  keywords: [{ pointer: '/k', keyword: 'type', of: 'body', met: 0, broken: 0, reason: 'never met' }],
  statuses: [],
  isUntested: true,
  reason: 'not sent: no property of this run sends requests to it',
};

const tried = (changes: Partial<OperationCoverage>): OperationCoverage => {
  const { isUntested: _, reason: __, ...rest } = untried;
  return { ...rest, requests: 5, ...changes };
};

const merge = (...parts: readonly OperationCoverage[]): OperationCoverage | undefined =>
  mergeCoverage(parts.map((part) => [part]))[0];

test('adds the counts of the parts, and keeps no reason that another part disproves', () => {
  const whole = merge(
    untried,
    tried({
      accepted: 3,
      statuses: [200],
      isFound: true,
      bodies: [{ mediaType: 'application/json', kind: 'plain', sent: 3 }],
      responses: [{ status: '200', pointer: '/r', seen: 3 }],
      undeclared: [{ status: 418, seen: 1 }],
      keywords: [{ pointer: '/k', keyword: 'type', of: 'body', met: 3, broken: 0, reason: 'not broken' }],
    }),
    tried({
      requests: 2,
      statuses: [404],
      undeclared: [{ status: 404, seen: 1 }],
      bodies: [{ mediaType: 'application/json', kind: 'plain', sent: 2 }],
      reason: 'it accepted no request that it should accept (404)',
    }),
  );
  expect(whole).toEqual({
    operation: 'getPlant',
    pointer: '/paths/~1plants/get',
    requests: 7,
    accepted: 3,
    statuses: [200, 404],
    isFound: true,
    bodies: [{ mediaType: 'application/json', kind: 'plain', sent: 5 }],
    responses: [{ status: '200', pointer: '/r', seen: 3 }],
    undeclared: [
      { status: 404, seen: 1 },
      { status: 418, seen: 1 },
    ],
    // It was met, so the reason of the part that met it is the one that matters.
    keywords: [{ pointer: '/k', keyword: 'type', of: 'body', met: 3, broken: 0, reason: 'not broken' }],
  });
});

test('explains from the statuses of all parts why an operation never succeeded', () => {
  const rejected = tried({ statuses: [401], reason: 'it only ever answered 401' });
  const failed = tried({ statuses: [500], reason: 'it failed at every request' });
  expect(merge(rejected, failed)?.reason).toContain('accepted no request that it should accept (401, 500)');
  expect(merge(rejected, rejected)?.reason).toContain('it only ever answered 401: give --token');
  expect(merge(untried, failed)?.reason).toBe('it failed at every request');
  expect(merge(untried, untried)).toEqual(untried);
  const inShard = { ...untried, reason: 'not sent: no property of this shard sends requests to it' };
  expect(merge(inShard, inShard)).toEqual(untried);
  expect(merge(inShard, { ...untried, reason: 'not sent, because of --max-creates' })?.reason).toBe(
    'not sent, because of --max-creates',
  );
});

test('explains an operation that gave no response by the part that sent it valid requests', () => {
  const part = { isUntested: true } as const;
  const invalid = tried({ ...part, reason: 'no property of this run sends a request that it should accept' });
  const silent = tried({ ...part, reason: 'no request that it should accept was answered' });
  expect(merge(invalid, silent)?.reason).toBe(silent.reason);
  expect(merge(invalid, untried)?.reason).toBe(invalid.reason);
});

test('takes an operation for lost only if no part found it', () => {
  const lost = tried({ statuses: [404], isFound: false });
  expect(merge(lost, untried)).toMatchObject({
    isFound: false,
    reason: expect.stringContaining('only ever answered 404'),
  });
  expect(merge(lost, tried({ statuses: [400], isFound: true }))).toMatchObject({
    isFound: true,
    reason: expect.stringContaining('(400, 404)'),
  });
});
