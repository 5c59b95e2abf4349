import type { Redactor } from '../../http/create-redactor.ts';
import type { ParityResult } from '../../runner/parity/parity-result.ts';
import type { JsonPart } from '../json/json-part.ts';

/** What comparing two services came to, as the JSON report has it. */
export function parityToJson(parity: ParityResult, redactor: Redactor): JsonPart {
  const { name, compared, differing, unanswered, notCompared, proposal } = parity;
  const { answers, operations, unsure } = proposal;
  return {
    other: redactor.text(name),
    compared,
    differing,
    unanswered,
    notCompared: notCompared.map(({ what, reason }) => ({ what, reason })),
    answers,
    operations,
    unsure,
  };
}
