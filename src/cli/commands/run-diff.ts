import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { compareContracts } from '../../diff/compare-contracts.ts';
import { type Diff, isFailure, renderDiff, toDiffJson, toDiffSarif } from '../../diff/render-diff.ts';
import { readVersion } from '../../document/package-manifest.ts';
import { nameInRepository } from '../../document/source.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import { indentJson } from '../../json/print.ts';
import { readPolicyFile } from '../../policy/read-policy.ts';
import { readArguments, refuseUserinfo } from '../arguments.ts';
import { openDocument } from '../contract.ts';
import { invalidOption } from '../process.ts';
import { parseReports, placeReports, repositoryRoot } from '../reports.ts';
import { hasColour, printLines, printText, showSource, terminalWidth } from '../terminal.ts';
import type { diffCommand } from './diff.ts';

/**
 * Runs `cloche diff`: prints the changes between two documents, writes reports, and sets the exit code.
 *
 * @throws ClocheError for documents, a policy and options that cannot be used
 */
export async function runDiff(words: Given<ArgumentsOf<typeof diffCommand>>): Promise<void> {
  const input = readArguments(words);
  const other = parseReports(input.report).find(({ kind }) => kind !== 'json' && kind !== 'sarif');
  if (other !== undefined) {
    const reason = 'it is the report of a run';
    throw invalidOption(`--report ${other.kind}`, reason, 'Choose among json, sarif');
  }
  refuseUserinfo('the document', input.old);
  refuseUserinfo('the document', input.new);
  const contracts = { old: await openDocument(input.old, input), new: await openDocument(input.new, input) };
  const learned = input.policy === undefined ? undefined : await readPolicyFile(input.policy);
  learned?.checkOperations(contracts.old);
  const changes = compareContracts(contracts, learned?.policy);
  const diff: Diff = { contracts, changes, fails: input.breaks, showFile: showSource };
  const { places, stream } = placeReports(input.report);
  const sarif = {
    toolVersion: readVersion(),
    nameInRepository: (file: string) => nameInRepository(file, repositoryRoot()),
  };
  for (const { kind, sink } of places)
    sink.write(kind === 'json' ? `${indentJson(toDiffJson(diff))}\n` : toDiffSarif(diff, sarif));
  printLines(
    stream,
    renderDiff(diff, { paint: createTextStyle(hasColour(stream)), width: terminalWidth(stream) }),
  );
  process.exitCode = changes.some((change) => isFailure(change, input.breaks)) ? 1 : 0;
  for (const { message, exitCode } of places.flatMap(({ sink }) => sink.close() ?? [])) {
    printText(process.stderr, message);
    process.exitCode ||= exitCode;
  }
}
