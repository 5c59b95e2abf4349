import type { Hold } from './hold.ts';
import { holdContested } from './hold-contested.ts';

/** Holds what becomes of integers outside the range of their format. */
export const holdInt64Range: Hold = (input) =>
  holdContested('int64-range', input, input.context.policy['int64-range'] === 'refuse');
