import type { Condition } from '../../policy/condition.ts';

const conditions: Readonly<Record<number, Condition>> = {
  400: 'invalid-body',
  401: 'missing-credentials',
  403: 'invalid-credentials',
  404: 'unknown-path',
  405: 'unknown-method',
  406: 'not-acceptable',
  409: 'duplicate-key',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  422: 'invalid-body',
  429: 'too-many-requests',
};

/** What an error of a status most often means, so that a forced one names what a client knows. */
export function conditionOf(status: number): Condition | 'forced' {
  return conditions[status] ?? 'forced';
}
