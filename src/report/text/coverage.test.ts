import { expect, test } from 'vitest';
import { createTextStyle } from '../../errors/console-text.ts';
import type { OperationCoverage } from '../../events/events.ts';
import { renderCoverageLine, renderCoverageTable } from './coverage.ts';

const plain = { paint: createTextStyle(false), width: undefined };
const create: OperationCoverage = {
  operation: 'create',
  pointer: '/paths/~1things/post',
  requests: 1_200,
  accepted: 600,
  bodies: [
    { mediaType: 'application/json', kind: 'plain', sent: 1_000 },
    { mediaType: 'text/plain', kind: 'other-media', sent: 1 },
    { mediaType: 'none', kind: 'other-media', sent: 2 },
  ],
  responses: [
    { status: '200', pointer: '/a/200', seen: 600 },
    {
      status: '500',
      pointer: '/a/500',
      seen: 0,
      reason: 'no request made the service fail, as it should be',
    },
  ],
  undeclared: [{ status: 401, seen: 9 }],
  keywords: [
    { pointer: '/s/type', keyword: 'type', of: 'body', met: 600, broken: 20 },
    {
      pointer: '/s/not',
      keyword: 'not',
      of: 'body',
      met: 600,
      broken: 0,
      reason: 'no request that was sent breaks it',
    },
    { pointer: '/r/type', keyword: 'type', of: 'response', met: 600, broken: 0 },
  ],
};
const unsent: OperationCoverage = {
  ...create,
  operation: 'list',
  requests: 0,
  accepted: 0,
  responses: [{ status: '200', pointer: '/b/200', seen: 0 }],
  keywords: [],
  reason: 'not sent: no value was found',
};

test('tells in a line what was exercised, and what never was', () => {
  expect(renderCoverageLine([create, unsent], plain)).toEqual([
    'Coverage: 1 of 2 operations answered with a success, 1 of 3 responses, 1 of 2 request rules and 1 of 1 response rule tried. Not tried: create 500, #/s/not, list.',
  ]);
});

test('tells of few that never were, and how many more there are', () => {
  const many = Array.from({ length: 5 }, (_, index) => ({ ...unsent, operation: `list${index}` }));
  expect(renderCoverageLine(many, plain).join('')).toContain(
    'Not tried: list0, list1, list2; --coverage lists 2 more.',
  );
  expect(renderCoverageLine([create, unsent], { ...plain, isShort: true })).toEqual([
    'Coverage: 1 of 2 operations answered with a success, 1 of 3 responses, 1 of 2 request rules and 1 of 1 response rule tried; --coverage lists the other 3.',
  ]);
});

test('tells everything in a table, with the reasons', () => {
  expect(renderCoverageTable([create], plain)).toEqual([
    '',
    'What of the contract was exercised:',
    '  create 1,200 requests, 600 of those without a fault accepted',
    '    bodies: application/json plain 1000×, in other media types 3×',
    '    ✓ response 200 seen 600×',
    '    – response 500 never: no request made the service fail, as it should be',
    '    not declared, and seen: 401 9×',
    '    ✓ body      #/s/type met 600×, broken 20×',
    '    – body      #/s/not met 600×, broken 0×: no request that was sent breaks it',
    '    ✓ response  #/r/type met 600×, broken 0×',
  ]);
});
