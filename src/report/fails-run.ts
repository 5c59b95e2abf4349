import type { FoundCause } from '../runner/run-event.ts';

/**
 * Whether a finding fails the run: a violation does, and advice where the run is strict, unless the baseline
 * knows it.
 */
export function failsRun({ finding, known }: FoundCause, { strict }: { readonly strict: boolean }): boolean {
  return known === undefined && (finding.level === 'violation' || (strict && finding.level === 'advice'));
}
