import { expect, test } from 'vitest';
import { type Finding, findingId } from './finding.ts';

const finding: Finding = {
  check: 'server-error',
  level: 'violation',
  operation: 'create',
  clause: { kind: 'rfc', name: 'RFC 9110', section: '15.6', quote: 'The 5xx class …' },
  expected: 'an answer other than a server error',
  received: '500 text/html',
  cause: '500 to a valid body',
  trigger: 'a valid body with NUL at /name',
};

test('names a finding by its check and a hash', () => {
  expect(findingId(finding)).toMatch(/^server-error-[0-9a-f]{12}$/u);
});

test('does not look at what came, which holds generated values', () => {
  expect(findingId({ ...finding, received: '500 application/json' })).toBe(findingId(finding));
});

test.each([
  { ...finding, check: 'timed-out' as const },
  { ...finding, operation: 'replace' },
  { ...finding, cause: '502 to a valid body' },
  { ...finding, trigger: 'a valid body with zero at /id' },
])('tells another cause apart', (other) => {
  expect(findingId(other)).not.toBe(findingId(finding));
});

test('does not look at where the clause stands, so that a document may be put in another order', () => {
  const clause = {
    kind: 'document',
    pointer: '/components/schemas/Item/required',
    quote: 'required',
  } as const;
  const moved = { ...clause, pointer: '/components/schemas/Thing/required' };
  expect(findingId({ ...finding, clause })).toBe(findingId({ ...finding, clause: moved }));
});

test('does not look at where a long text stands, as the whole body is long by it', () => {
  const long = (place: string): Finding => ({
    ...finding,
    trigger: `a valid body with a long text at ${place}`,
  });
  expect(findingId(long('/name'))).toBe(findingId(long('/tag')));
});

test('stays what it was in an earlier release', () => {
  expect(findingId(finding)).toBe('server-error-569e423286c5');
});
