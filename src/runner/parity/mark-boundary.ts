import type { Boundary } from '../../check/boundary.ts';
import type { Finding } from '../../check/finding.ts';
import type { Judged } from '../../check/judged.ts';
import { answerOfBoundary } from './answer-of-boundary.ts';

/** Says how a policy names a limit, where what it stands for was seen to set two services apart. */
export function markBoundary(
  { parity }: Pick<Finding, 'parity'>,
  boundary: Boundary,
  { answer }: Pick<Judged, 'answer'>,
): Pick<Finding, 'parity'> {
  if (parity?.verdict.kind !== 'silent') {
    return {};
  }
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const said = answerOfBoundary(boundary, status);
  return {
    parity: {
      ...parity,
      verdict: { kind: 'silent', question: said?.question ?? 'constraints', answer: said?.answer },
    },
  };
}
