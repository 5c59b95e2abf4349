import type { FoundCause } from '../runner/run-event.ts';
import type { Paint } from '../errors/console-text.ts';
import { plural } from './plural.ts';

/**
 * What a run came to, in one sentence: `2 violations, no advice.`
 *
 * @param options.isWhole - false where the run ended before its end, as the service can no longer be judged
 */
export function renderVerdict(
  { findings, interrupted }: { readonly findings: readonly FoundCause[]; readonly interrupted: boolean },
  { paint, isWhole }: { readonly paint: Paint; readonly isWhole: boolean },
): string {
  const fresh = findings.filter(({ known }) => known === undefined);
  const count = (level: string): number => fresh.filter(({ finding }) => finding.level === level).length;
  const known = findings.length - fresh.length;
  const violations = count('violation');
  const advice = count('advice');
  const beginning = interrupted ? 'Interrupted: ' : isWhole ? '' : 'Broken off: ';
  const none = `${beginning === '' ? 'No' : 'no'}${known > 0 ? ' new' : ''} violation`;
  const besides = known > 0 ? `; ${known} known` : '';
  const verdict = violations > 0 ? paint('violation', plural(violations, 'violation')) : paint('good', none);
  const soFar = beginning === '' ? '' : ' so far';
  return `${beginning}${verdict}${soFar}, ${advice === 0 ? 'no advice' : plural(advice, 'piece of advice', 'pieces of advice')}${besides}.`;
}
