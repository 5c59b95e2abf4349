import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';
import type { Conclusions } from '../runner/run-event.ts';

type Observation = Conclusions['observations'][number];

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

/** How a service answers a question that the document leaves open, the most frequent answer first. */
export interface CollectedAnswers {
  readonly question: QuestionId;
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}

/** The answers to each question that was met, on all operations together, in the order of the questions. */
export function collectAnswers(observations: readonly Observation[]): readonly CollectedAnswers[] {
  const byQuestion = new Map<QuestionId, Map<string, number>>();
  for (const { finding, count } of leaveOutAsides(observations)) {
    if (finding.clause.kind === 'policy') {
      const answers = byQuestion.get(finding.clause.question) ?? new Map<string, number>();
      answers.set(finding.received, count + (answers.get(finding.received) ?? 0));
      byQuestion.set(finding.clause.question, answers);
    }
  }
  return Object.values(questions).flatMap(({ id }) => {
    const answers = [...(byQuestion.get(id) ?? [])].map(([answer, count]) => ({ answer, count }));
    return answers.length === 0
      ? []
      : [{ question: id, answers: answers.toSorted((left, right) => right.count - left.count) }];
  });
}
