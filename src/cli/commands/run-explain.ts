import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import type { JsonValue } from '../../json/value.ts';
import { createOverlay } from '../../policy/overlay/overlay.ts';
import type { Policy } from '../../policy/policy.ts';
import { type ExplainedMismatch, explainContract } from '../../report/explain.ts';
import { renderExplanation } from '../../report/text/explain.ts';
import { readArguments, refuseUserinfo } from '../arguments.ts';
import { openContract } from '../contract.ts';
import type { ArgumentsOf, Given, Picked } from '../../config/command-options.ts';
import { loadSuites } from '../service.ts';
import { hasColour, printJson, printLines, printText, showSource, terminalWidth } from '../terminal.ts';
import type { explainCommand } from './explain.ts';

/** The default number of cases of `cloche test`. */
const usualRuns = 100;

/** Maximum number of operations to generate samples for: those of more would take the time of all other work. */
const mostMade = 50;

/** The width of a page that is printed into a file: it fits the columns of any reader. */
const usualWidth = 80;

async function printOverlay(
  contract: Contract,
  given: Partial<Policy>,
  { json }: Picked<'json'>,
): Promise<void> {
  const source = showSource(contract.source);
  const { overlay, unexpressed } = createOverlay({ contract, policy: given, source });
  // `as`: an overlay is read-only JSON.
  const value = overlay as unknown as JsonValue;
  if (json) {
    printJson(value);
  } else {
    const { renderYaml } = await import('../../document/yaml.ts');
    printText(process.stdout, renderYaml(value));
  }
  for (const { id, operation } of unexpressed) {
    printLines(process.stderr, [
      `${id} is left out for ${operation?.id ?? 'the service'}: it stands in another file, which no overlay of ${source} reaches.`,
    ]);
  }
  if (overlay.actions.length === 0) {
    printLines(process.stderr, ['There is nothing to declare: the document answers what is given itself.']);
  }
}

async function explainMismatches(contract: Contract): Promise<readonly ExplainedMismatch[]> {
  // The mock is large, and other commands do not need it.
  const { listMismatches } = await import('../../mock/handlers/samples.ts');
  const misfits = await listMismatches(contract);
  return misfits.map(({ operation, contentType, status, message }) => ({
    operation: operation.id,
    ...(contentType === undefined ? {} : { mediaType: contentType }),
    status,
    message,
  }));
}

/**
 * Runs `cloche explain`: prints what a document specifies, what it does not specify and what a run will check, or
 * the overlay that declares the given policy values.
 *
 * @throws ClocheError for a document, a policy or options that cannot be used
 */
export async function runExplain(words: Given<ArgumentsOf<typeof explainCommand>>): Promise<void> {
  const input = readArguments(words);
  refuseUserinfo('the document', input.document);
  if (input.overlay && input.policy === undefined && input.answer.length === 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the option',
      subject: '--overlay',
      reason: 'there are no answers to declare',
      remedy: 'Give them with --policy or --answer, or have cloche learn write them',
    });
  }
  const { contract, given: answers, notices } = await openContract(input);
  printLines(process.stderr, notices);
  if (input.overlay) {
    await printOverlay(contract, answers, input);
    return;
  }
  const source = showSource(contract.source);
  const suites = await loadSuites([]);
  const isMade = input.samples || contract.operations.length <= mostMade;
  const misfits = isMade ? await explainMismatches(contract) : undefined;
  const explanation = explainContract({ contract, source, given: answers, suites, runs: usualRuns, misfits });
  if (input.json) {
    // `as`: an explanation is read-only JSON.
    printJson(explanation as unknown as JsonValue);
    return;
  }
  const { stdout } = process;
  const paint = createTextStyle(hasColour(stdout));
  const width = terminalWidth(stdout) ?? usualWidth;
  printLines(stdout, renderExplanation(explanation, { paint, width }));
}
