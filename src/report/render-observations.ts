import { questions, type QuestionId } from '../policy/questions.ts';
import type { RunResult } from '../runner/run-event.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { wrapText } from './wrap-text.ts';

const longestId = 22;

type Observation = RunResult['observations'][number];

/** What was seen of a question for its own sake stands for what other checks let pass on its account. */
function leaveOutAsides(observations: readonly Observation[]): readonly Observation[] {
  const asked = new Set(
    observations.flatMap(({ finding: { check, clause } }) =>
      check !== 'undeclared-status' && clause.kind === 'policy' ? [clause.question] : [],
    ),
  );
  return observations.filter(
    ({ finding: { check, clause } }) =>
      clause.kind === 'policy' && (check !== 'undeclared-status' || !asked.has(clause.question)),
  );
}

/** The answers to each question, with how often each was seen on all operations together. */
function collect(observations: readonly Observation[]): Map<QuestionId, Map<string, number>> {
  const byQuestion = new Map<QuestionId, Map<string, number>>();
  for (const { finding, count } of leaveOutAsides(observations)) {
    if (finding.clause.kind === 'policy') {
      const answers = byQuestion.get(finding.clause.question) ?? new Map<string, number>();
      answers.set(finding.received, count + (answers.get(finding.received) ?? 0));
      byQuestion.set(finding.clause.question, answers);
    }
  }
  return byQuestion;
}

/** What the document leaves open and how the service answers it, one line for each question. */
export function renderObservations(
  result: RunResult,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  const byQuestion = collect(result.observations);
  const ids = Object.values(questions)
    .map(({ id }) => id)
    .filter((id) => byQuestion.has(id));
  const lines = ids.flatMap((id) => {
    const answers = [...(byQuestion.get(id) ?? [])]
      .toSorted(([, left], [, right]) => right - left)
      .map(([answer, count]) => `${answer} ${count}×`);
    const short = `  ${id.padEnd(longestId)} ${answers.join(', ')}`;
    // The id names the question; it is asked in full where there is room for it on the line.
    const whole = `${short}  ${paint('faint', questions[id].question)}`;
    const [first = '', ...others] = wrapText(whole, { width, indent: 0 });
    return others.length === 0 ? [first] : wrapText(short, { width, indent: longestId + 3 });
  });
  return lines.length === 0 ? [] : ['', 'Left open by the document, and answered so:', ...lines];
}
