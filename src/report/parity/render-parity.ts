import type { ParityResult } from '../../runner/parity/parity-result.ts';
import type { RunResult } from '../../runner/run-event.ts';
import { plural } from '../plural.ts';
import type { FindingSurroundings } from '../render-finding.ts';
import { wrapText } from '../wrap-text.ts';
import { renderProposal } from './render-proposal.ts';

function renderFigures({ findings }: RunResult, { name, names, compared, differing }: ParityResult): string {
  const called = names.other === 'the mock' ? name : `${names.other}, ${name}`;
  const causes = findings.filter(({ finding }) => finding.parity !== undefined).length;
  if (causes === 0) {
    // What differs now and then, and not again, is no cause.
    const seldom = differing === 0 ? '' : `, but for ${differing} that did not show again`;
    return `Compared with ${called}: ${plural(compared, 'answer')}, all alike${seldom}.`;
  }
  return `Compared with ${called}: ${plural(compared, 'answer')}, ${differing.toLocaleString('en-US')} of them different, of ${plural(causes, 'cause')}.`;
}

/** What comparing two services came to, and the answers that would make a mock answer alike, ready to be pasted. */
export function renderParity(
  result: RunResult,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  const { parity } = result;
  if (parity === undefined) {
    return [];
  }
  const { names, proposal } = parity;
  const lines = renderProposal(proposal);
  const wish =
    names.other === 'the mock'
      ? 'To make the mock answer alike, add to the policy:'
      : `As a policy, what ${names.tested} does otherwise than ${names.other} is:`;
  const { notCompared } = parity;
  const silent =
    parity.unanswered === 0
      ? []
      : [`  ${plural(parity.unanswered, 'request')} it never answered: test it alone.`];
  const reasons = [...new Set(notCompared.map(({ reason }) => reason))].map((reason) => {
    const what = notCompared.filter((one) => one.reason === reason).map((one) => one.what);
    return paint('faint', `Not compared by ${what.join(', ')}: ${reason}.`);
  });
  const unsure =
    proposal.unsure.length === 0
      ? []
      : wrapText(
          `Of ${proposal.unsure.join(', ')} more than one answer was seen; this is the most frequent.`,
          { width, indent: 2 },
        );
  return [
    '',
    ...wrapText(paint('strong', renderFigures(result, parity)), { width, indent: 2 }),
    ...silent,
    // What is pasted is left whole.
    ...(lines.length === 0 ? [] : [wish, ...lines.map((line) => `  ${line}`), ...unsure]),
    ...reasons.flatMap((line) => wrapText(line, { width, indent: 2 })),
  ];
}
