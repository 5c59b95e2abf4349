import { questions } from '../policy/questions.ts';
import type { Conclusions } from '../runner/run-event.ts';
import { collectAnswers } from './collect-answers.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { wrapText } from './wrap-text.ts';

const longestId = 22;

/** What the document leaves open and how the service answers it, one line for each question. */
export function renderObservations(
  result: Pick<Conclusions, 'observations'>,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  const lines = collectAnswers(result.observations).flatMap(({ question: id, answers: given }) => {
    const answers = given.map(({ answer, count }) => `${answer} ${count}×`);
    const short = `  ${id.padEnd(longestId)} ${answers.join(', ')}`;
    // The id names the question; it is asked in full where there is room for it on the line.
    const whole = `${short}  ${paint('faint', questions[id].question)}`;
    const [first = '', ...others] = wrapText(whole, { width, indent: 0 });
    return others.length === 0 ? [first] : wrapText(short, { width, indent: longestId + 3 });
  });
  return lines.length === 0 ? [] : ['', 'Left open by the document, and answered so:', ...lines];
}
