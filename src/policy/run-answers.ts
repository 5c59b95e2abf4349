import type { Policy } from './policy.ts';

/**
 * The answers that a run takes from the policy beside its document even where it is told none: what a create answers
 * with, and which tokens are good.
 */
export type RunAnswers = Partial<Pick<Policy, 'echo' | 'accepted-tokens' | 'operations'>>;
