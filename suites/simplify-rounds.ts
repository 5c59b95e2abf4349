import { keepFewer } from '../src/arbitrary/keep-fewer.ts';
import type { Sequence } from './sequence.ts';

/**
 * Lists smaller cases of requests side by side: fewer rounds, then fewer requests in each. The requests themselves
 * stay, as their texts tell them apart.
 *
 * @param fixed - how many rounds at the start have to stay as they are
 */
export function* simplifyRounds(rounds: Sequence, fixed: number): Generator<Sequence> {
  const [start, others] = [rounds.slice(0, fixed), rounds.slice(fixed)];
  for (const kept of keepFewer(others)) {
    if (kept.length > 0) {
      yield [...start, ...kept];
    }
  }
  const widest = Math.max(0, ...others.map((round) => round.length));
  for (const width of [2, 3, 4, 6].filter((one) => one < widest)) {
    yield [...start, ...others.map((round) => round.slice(0, width))];
  }
}
