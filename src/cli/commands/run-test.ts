import { readKnownValues } from '../../contract/read-known-values.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { RunEvent, RunResult } from '../../events/events.ts';
import { runSuites } from '../../runner/run.ts';
import {
  parseHeader,
  parseKeyRange,
  readArguments,
  readAuthority,
  readToken,
  refuseUnusedToken,
  refuseUserinfo,
} from '../arguments.ts';
import { type BaselineFile, openBaseline, saveBaseline, toBaseline } from '../baseline.ts';
import { openContract } from '../contract.ts';
import type { Given } from '../../config/options.ts';
import { interruptSignal } from '../process.ts';
import { exitCodeOf, placeReports, startReports } from '../reports.ts';
import { listSecretsOfBoth, openAgainst, openTarget, pickSuites, renderCommand } from '../service.ts';
import { printLines } from '../terminal.ts';
import type { TestArguments } from './test.ts';

/** The largest seed that fast-check uses unchanged. */
const largestSeed = 2 ** 31 - 1;

/** Checks the options that openTarget ignores, or reads only with a base URL. */
async function checkWords(input: TestArguments): Promise<void> {
  refuseUserinfo('the base URL', input['base-url']);
  refuseUserinfo('the document', input.document);
  readToken(input.token);
  input.header.forEach((text) => parseHeader(text));
  if (input.path !== undefined && input.seed === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'replay',
      subject: input.path,
      reason: 'a path leads to a case only together with the seed of its run',
      remedy: 'Give --seed too, as the finding printed it',
    });
  }
  await readAuthority(input.ca);
  refuseWithoutService(input);
}

/** Rejects options that only a service needs if the base URL is forgotten: otherwise the mock would be tested. */
function refuseWithoutService(input: TestArguments): void {
  const isForOther = input.against !== undefined && input.against !== 'mock';
  if (input['base-url'] !== undefined || isForOther) return;
  const given = [
    ...(input.token === undefined ? [] : ['--token']),
    ...(input.header.length === 0 ? [] : ['--header']),
    ...(input.insecure ? ['--insecure'] : []),
    ...(input.ca === undefined ? [] : ['--ca']),
  ];
  const [option] = given;
  if (option === undefined) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use',
    subject: option,
    reason: 'it is for a service, and no base URL is given',
    remedy:
      'Give the base URL, as in cloche test http://127.0.0.1:8080; without it and the option the mock is tested',
  });
}

/**
 * Runs `cloche test`: prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runTest(words: Given<TestArguments>): Promise<void> {
  const input = readArguments(words);
  await checkWords(input);
  const baseline = await openBaseline(input);
  const { contract: opened, given, notices } = await openContract(input);
  const contract = await readKnownValues(opened, { flags: input.value });
  refuseUnusedToken(input.token, contract);
  const suites = await pickSuites(input.suite);
  const target = await openTarget({ contract, input, given });
  const against = await openAgainst({ contract, input, given });
  const placed = placeReports(input.report);
  const secrets = listSecretsOfBoth(target, against);
  printLines(process.stderr, notices);
  const detail = input.verbose ? 'whole' : 'usual';
  const reports = await startReports(placed, {
    contract,
    secrets,
    baseUrl: target.baseUrl,
    command: renderCommand(input, secrets),
    insecure: input.insecure,
    ca: input.ca,
    headers: target.headers,
    elsewhere: against,
    replayed: input.path?.replace(/:[\d:]*$/u, ''),
    strict: input.strict,
    minCoverage: input['min-coverage'],
    coverage: input.coverage,
    detail: input.quiet ? 'verdict' : detail,
  });
  // A service at a base URL may contain resources of others.
  const isLive = input['base-url'] !== undefined || (against !== undefined && input.against !== 'mock');
  const updated = input['update-baseline'] ? baseline : undefined;
  const update = createBaselineUpdate(updated, input, reports.read);
  let result: RunResult;
  try {
    result = await reports.during(() =>
      update.settle(
        runSuites(suites, target, {
          against,
          seed: input.seed ?? Math.floor(Math.random() * largestSeed),
          path: input.path,
          runs: input.runs,
          connections: input.connections,
          keys: parseKeyRange(input.ids, isLive, contract.operations.length),
          rate: input.rate,
          rateWaitMs: input['rate-wait'] * 1_000,
          maxTimeMs: input['max-time'] === undefined ? undefined : input['max-time'] * 1_000,
          // The start of the process: the time limit includes reading the document.
          timeFrom: 0,
          baseline: baseline === undefined ? undefined : toBaseline(baseline, input.suite),
          bail: input.bail,
          unsafeMethods: input['unsafe-methods'] || !isLive,
          readOnly: input['read-only'],
          keep: input.keep,
          signal: interruptSignal(),
          emit: update.emit,
        }),
      ),
    );
  } finally {
    await target.close();
    await against?.close();
  }
  process.exitCode =
    exitCodeOf(result, { strict: input.strict, minCoverage: input['min-coverage'] }) || process.exitCode;
  if (update.failure() !== undefined) throw update.failure();
}

/**
 * Creates the step that updates a baseline between the end of a run and the reports. Every report then shows the
 * findings that the baseline accepts now. Without a baseline it passes all events on.
 */
function createBaselineUpdate(
  baseline: BaselineFile | undefined,
  options: Pick<TestArguments, 'strict'>,
  read: (event: RunEvent) => void,
): {
  readonly emit: (event: RunEvent) => void;
  /** Waits for the run, and updates the baseline if the run completed; resolves to the result for the reports. */
  readonly settle: (run: Promise<RunResult>) => Promise<RunResult>;
  /** Returns the reason why the baseline cannot be written, if there is one. */
  readonly failure: () => unknown;
} {
  let result: RunResult | undefined;
  let failure: unknown;
  return {
    emit(event) {
      if (baseline !== undefined && event.kind === 'run-finished') {
        ({ result } = event);
      } else {
        read(event);
      }
    },
    async settle(run) {
      try {
        const ended = await run;
        if (baseline === undefined) return ended;
        result = await saveBaseline(baseline, ended, options).catch((error: unknown) => {
          failure = error;
          return ended;
        });
        return result;
      } finally {
        if (result !== undefined) {
          read({ kind: 'run-finished', result });
        }
      }
    },
    failure: () => failure,
  };
}
