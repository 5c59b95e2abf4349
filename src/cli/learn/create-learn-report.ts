import type { LearnEvent } from '../../learn/learn-event.ts';
import type { Learnt } from '../../learn/learnt.ts';
import type { Paint } from '../../errors/console-text.ts';
import { plural } from '../../report/plural.ts';
import { wrapText } from '../../report/wrap-text.ts';
import { renderLearntQuestion } from './render-learnt-question.ts';

/** Tells a person what is learnt: as it goes on, and at its end. */
export interface LearnReport {
  readonly read: (event: LearnEvent) => void;
  readonly end: (learnt: Learnt) => void;
}

/** What it came to, in a sentence. */
function summarize({ questions, requests, creates, waits, interrupted }: Learnt): string {
  const count = (...kinds: readonly string[]): number =>
    questions.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const settled = count('settled');
  const asked = settled + count('masked', 'contradictory', 'unsettled');
  const waited = waits === 0 ? '' : `, waiting ${plural(waits, 'time')} where it asked for that`;
  const beginning = interrupted ? 'Interrupted: ' : '';
  return `${beginning}${settled} of ${plural(asked, 'question')} settled${interrupted ? ' so far' : ''} with ${plural(requests, 'request')}, of which ${creates.toLocaleString('en-US')} may have created something${waited}.`;
}

/**
 * Creates what tells a person what is learnt, each question as it is settled: it may take minutes.
 *
 * @param options.width - how many columns the reader has; undefined does not break lines
 */
export function createLearnReport(options: {
  readonly paint: Paint;
  readonly width: number | undefined;
  readonly writeLine: (line: string) => void;
}): LearnReport {
  const { paint, width, writeLine } = options;
  let last: string | undefined;
  return {
    read(event) {
      if (event.kind === 'waiting') {
        writeLine(`  waiting ${Math.ceil(event.ms)} ms, as the service answered ${event.status}`);
      }
      if (event.kind === 'question') {
        const { operationId } = event.learnt;
        if (operationId !== last) {
          ['', paint('strong', operationId)].forEach(writeLine);
          last = operationId;
        }
        renderLearntQuestion(event.learnt, { paint, width }).forEach(writeLine);
      }
    },
    end(learnt) {
      ['', ...wrapText(summarize(learnt), { width, indent: 0 })].forEach(writeLine);
    },
  };
}
