import type { Suite } from '../src/runner/suite.ts';
import { accept } from './accept.ts';
import { concurrency } from './concurrency.ts';
import { credentials } from './credentials.ts';
import { framing } from './framing.ts';
import { invalidBodies } from './invalid-bodies.ts';
import { lifeCycles } from './life-cycles.ts';
import { malformedBodies } from './malformed-bodies.ts';
import { mediaTypes } from './media-types.ts';
import { otherOperations } from './other-operations.ts';
import { parameters } from './parameters.ts';
import { policyAnswers } from './policy-answers.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { samples } from './samples.ts';
import { sequences } from './sequences.ts';
import { traces } from './traces.ts';
import { collidingIds } from './colliding-ids.ts';
import { validBodies } from './valid-bodies.ts';

/** All suites, in the order of running. Suites that find most with the fewest requests come first. */
export const allSuites: readonly Suite[] = [
  validBodies,
  credentials,
  samples,
  framing,
  invalidBodies,
  malformedBodies,
  traces,
  collidingIds,
  repeatedKeys,
  concurrency,
  sequences,
  lifeCycles,
  mediaTypes,
  parameters,
  accept,
  otherOperations,
  policyAnswers,
];
