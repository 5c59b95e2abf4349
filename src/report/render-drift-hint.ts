import type { Finding } from '../check/finding.ts';
import type { Paint } from '../errors/console-text.ts';
import { wrapText } from './wrap-text.ts';

/**
 * What is to be done where a service answers otherwise than its policy says, and is meant to.
 *
 * @returns no line where nothing drifted
 */
export function renderDriftHint(
  findings: readonly { readonly finding: Finding }[],
  { paint, width }: { readonly paint: Paint; readonly width?: number | undefined },
): readonly string[] {
  const drifted = findings.flatMap(({ finding: { check, clause } }) =>
    check === 'drift' && clause.kind === 'policy' ? [clause.question] : [],
  );
  const questions = [...new Set(drifted)];
  if (questions.length === 0) {
    return [];
  }
  const again = questions.map((question) => `--question ${question}`).join(' ');
  const words = `If the service is meant to answer so, let the policy say so: by hand, or with cloche learn ${again}.`;
  return ['', ...wrapText(words, { width, indent: 0 }).map((line) => paint('faint', line))];
}
