import type { Hold } from './hold.ts';
import { holdContested } from './hold-contested.ts';

/** Holds what becomes of integers written with a fraction or an exponent. */
export const holdIntegerNotation: Hold = (input) =>
  holdContested('integer-notation', input, input.context.policy['integer-notation'] === 'no');
