import { afterEach, expect, test, vi } from 'vitest';
import { terminalWidth } from './terminal.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['the terminal itself', { columns: 100 }, '70', 100],
  ['COLUMNS, for a pipe', {}, '70', 70],
  ['COLUMNS, for a terminal without a size', { columns: 0 }, '70', 70],
  ['nothing, for a terminal without a size', { columns: 0 }, '', undefined],
  ['nothing, for a COLUMNS that is no width', {}, '-1', undefined],
])('the width is told by %s', (_, stream, enforced, width) => {
  vi.stubEnv('COLUMNS', enforced);
  expect(terminalWidth(stream)).toBe(width);
});
