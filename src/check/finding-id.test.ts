import { expect, test } from 'vitest';
import { findingId } from './finding-id.ts';
import type { Finding } from './finding.ts';

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
