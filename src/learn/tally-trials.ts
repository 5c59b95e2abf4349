import { jsonEqual } from '../json/json-equal.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ProbeReading } from '../policy/probe.ts';
import type { LearntExchange, LearntOutcome } from './learnt.ts';

/** What one trial came to, and how. */
export interface Trial {
  readonly reading: ProbeReading<JsonValue>;
  readonly exchanges: readonly LearntExchange[];
}

/** What all trials of a question came to: an answer only where no two of them say different things. */
export function tallyTrials(trials: readonly Trial[]): LearntOutcome {
  const answers: { readonly answer: JsonValue; seen: number; readonly first: Trial }[] = [];
  for (const trial of trials) {
    const { reading } = trial;
    if (reading.kind === 'answer') {
      const same = answers.find(({ answer }) => jsonEqual(answer, reading.answer));
      if (same === undefined) {
        answers.push({ answer: reading.answer, seen: 1, first: trial });
      } else {
        same.seen += 1;
      }
    }
  }
  const [only, ...others] = answers;
  if (only === undefined) {
    const [first] = trials;
    return first === undefined || first.reading.kind === 'answer'
      ? { kind: 'unsettled', why: 'it was not asked' }
      : first.reading;
  }
  if (others.length > 0) {
    const counts = answers.map(({ answer, seen }) => ({ answer, seen }));
    return { kind: 'contradictory', answers: counts, trials: trials.length };
  }
  const { reading, exchanges } = only.first;
  return {
    kind: 'settled',
    answer: only.answer,
    alike: reading.kind === 'answer' ? (reading.alike ?? []) : [],
    seen: only.seen,
    trials: trials.length,
    exchanges,
  };
}
