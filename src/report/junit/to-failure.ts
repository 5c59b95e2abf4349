import type { Redactor } from '../../http/create-redactor.ts';
import { findingTitles } from '../finding-words.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import type { ReportOptions } from '../report-options.ts';
import { findingText } from './finding-text.ts';
import type { JunitCase } from './junit-case.ts';

/** A finding that fails the run, as the outcome of a test. */
export function toFailure(
  found: ReportedFinding,
  { options, redactor }: { readonly options: ReportOptions; readonly redactor: Redactor },
): JunitCase['outcome'] {
  const { check, expected, received } = found.finding;
  return {
    kind: 'failure',
    type: check,
    message: redactor.text(`${findingTitles[check]}: expected ${expected}, received ${received}`),
    text: findingText(found, options),
  };
}
