import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { FaultRule } from '../../mock/faults/fault-rule.ts';
import { parseDelay } from '../../mock/faults/parse-delay.ts';
import { checkText } from '../check-text.ts';
import type { FaultArguments } from './fault-arguments.ts';

function toDelayRule(value: unknown): FaultRule {
  const text = checkText('delay', value);
  const delay = parseDelay(text);
  if (delay === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--delay ${text}`,
      reason: 'it takes milliseconds from 0 to 3600000, or two of them, the smaller one first',
      remedy: 'Give a number, as in --delay 200, or a range, as in --delay 200..400',
    });
  }
  return { id: 'delay', delay };
}

/**
 * Reads the rules that a mock starts with: those of a file, and the delay of whatever they leave alone.
 *
 * @throws ClocheError OPTION_INVALID for a delay that is none, or a file that cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every rule that cannot be used at its line
 */
export async function openFaults(
  input: FaultArguments,
  contract: Pick<Contract, 'operations'>,
): Promise<readonly FaultRule[]> {
  const late = input.delay === undefined ? [] : [toDelayRule(input.delay)];
  if (input.faults === undefined) {
    return late;
  }
  // Few mocks start with rules.
  const { readFaults } = await import('./read-faults.ts');
  return [...(await readFaults(checkText('faults', input.faults), contract)), ...late];
}
