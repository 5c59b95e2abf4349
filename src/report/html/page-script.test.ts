import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageScript, pageScriptHash } from './report.ts';

test('lets through the script that stands in the page', () => {
  expect(pageScriptHash).toBe(`sha256-${createHash('sha256').update(pageScript).digest('base64')}`);
});
