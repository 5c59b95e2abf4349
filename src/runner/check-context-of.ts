import type { CheckContext } from '../check/check-context.ts';
import type { RunMemory } from './create-run-memory.ts';
import type { RunOptions } from './run-options.ts';

/** What checks may know in a run: one for the whole run, which shows what is known by now. */
export function checkContextOf(
  { contract, policy, told, echo, token }: RunOptions,
  memory: RunMemory,
): CheckContext {
  return {
    contract,
    policy,
    told,
    echo,
    goodTokens: token === undefined ? [] : [token],
    taken: memory.taken,
    takesEqual: memory.takesEqual,
    wasSent: (operationId, text) => memory.sentTexts.find(operationId, text) !== undefined,
    get longestPlainBody() {
      return memory.longestPlainBody;
    },
  };
}
