import type { Contract } from '../contract/contract.ts';
import { renderYaml } from '../document/render-yaml.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { JsonValue } from '../json/json-value.ts';
import { createOverlay } from '../policy/overlay/create-overlay.ts';
import type { Policy } from '../policy/policy.ts';
import { explainContract } from '../report/explain/explain-contract.ts';
import { renderExplanation } from '../report/explain/render-explanation.ts';
import { createPaint } from '../errors/console-text.ts';
import { openContract } from './policy/open-contract.ts';
import type { PolicyArguments } from './policy/policy-arguments.ts';
import { pickSuites } from './pick-suites.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { showSource } from './show-source.ts';
import { hasColour, printJson, printLines, printText, terminalWidth } from './terminal.ts';

/** What `cloche explain` takes. */
export interface ExplainArguments extends PolicyArguments {
  readonly 'allow-references': boolean;
  readonly json: boolean;
  readonly overlay: boolean;
}

/** As many cases as `cloche test` tries where nobody says otherwise. */
const usualRuns = 100;
/** A page that is printed into a file fits any reader's columns. */
const usualWidth = 80;

function printOverlay(contract: Contract, given: Partial<Policy>, { json }: ExplainArguments): void {
  const source = showSource(contract.source);
  const { overlay, unsaid } = createOverlay({ contract, policy: given, source });
  // `as`: an overlay is JSON; it is only not written to.
  const value = overlay as unknown as JsonValue;
  if (json) {
    printJson(value);
  } else {
    printText(process.stdout, renderYaml(value));
  }
  for (const { id, operation } of unsaid) {
    printLines(process.stderr, [
      `${id} is left out for ${operation?.id ?? 'the service'}: it stands in another file, which no overlay of ${source} reaches.`,
    ]);
  }
  if (overlay.actions.length === 0) {
    printLines(process.stderr, ['There is nothing to declare: the document answers what is given itself.']);
  }
}

/**
 * Runs `cloche explain`: prints what a document says, what it leaves open and what a run will check, or the overlay that
 * closes the gap.
 *
 * @throws ClocheError for a document, a policy or options that cannot be used
 */
export async function runExplain(input: ExplainArguments): Promise<void> {
  refuseUserinfo(input.document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  if (input.overlay && input.policy === undefined && input.answer.length === 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the option',
      subject: '--overlay',
      reason: 'there are no answers to declare',
      remedy: 'Give them with --policy or --answer, or have cloche learn write them',
    });
  }
  const { contract, given, notices } = await openContract(input);
  printLines(process.stderr, notices);
  if (input.overlay) {
    printOverlay(contract, given, input);
    return;
  }
  const source = showSource(contract.source);
  const suites = await pickSuites([]);
  const explanation = explainContract({ contract, source, given, suites, runs: usualRuns });
  if (input.json) {
    // `as`: an explanation is JSON; it is only not written to.
    printJson(explanation as unknown as JsonValue);
    return;
  }
  const { stdout } = process;
  const paint = createPaint(hasColour(stdout));
  const width = terminalWidth(stdout) ?? usualWidth;
  printLines(stdout, renderExplanation(explanation, { paint, width }));
}
