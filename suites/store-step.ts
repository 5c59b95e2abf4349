import type { RequestCase } from '../src/arbitrary/request-case.ts';

/** One request of many that follow each other. */
export interface StoreStep {
  readonly request: RequestCase;
  /** Steps of one number have their keys in common. */
  readonly key: number;
  /** Whether the request is sent once more, byte for byte, where it is turned away. */
  readonly insists?: true;
}

/** Requests that follow each other; any of them can be left out. */
export type StoreSteps = readonly StoreStep[];
