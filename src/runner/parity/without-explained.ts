import type { FoundCause } from '../run-event.ts';

/**
 * Leaves out differences that another question explains as well, where the service is seen to answer that one
 * differently.
 */
export function withoutExplained<Found extends Pick<FoundCause, 'finding'>>(
  found: readonly Found[],
): readonly Found[] {
  const asked = new Set(
    found.flatMap(({ finding: { check, parity } }) => {
      if (check === 'echo') {
        return ['echo' as const];
      }
      return parity?.verdict.kind === 'silent' && parity.verdict.unless === undefined
        ? [parity.verdict.question]
        : [];
    }),
  );
  return found.filter(({ finding: { check, parity } }) => {
    const unless = parity?.verdict.kind === 'silent' ? parity.verdict.unless : undefined;
    return check !== 'parity' || unless === undefined || !asked.has(unless);
  });
}
