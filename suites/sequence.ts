import type { RequestCase } from '../src/arbitrary/request-case.ts';

/** Requests that are sent one after the other, in groups; a group has its keys in common. */
export type Sequence = readonly (readonly RequestCase[])[];
