import { fileURLToPath } from 'node:url';
import { createCallbackSuite } from '../../../suites/callbacks.ts';
import { smoke } from '../../../suites/smoke.ts';
import type { Contract } from '../../contract/contract.ts';
import { toSourceUrl } from '../../document/source.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { RunEvent, RunResult } from '../../events/events.ts';
import { openRequestReceiver, type RequestReceiver } from '../../http/request-receiver.ts';
import { runSuites } from '../../runner/run.ts';
import type { Suite } from '../../runner/suite.ts';
import type { RunOptions, Target } from '../../session/target.ts';
import {
  parseHeader,
  parseKeyRange,
  parseServiceUrl,
  parseShard,
  readArguments,
  readToken,
  refuseUnusedToken,
  refuseUserinfo,
} from '../arguments.ts';
import { type BaselineFile, openBaseline, saveBaseline, toBaseline } from '../baseline.ts';
import { addKnownValues, openContract, parseAnswers } from '../contract.ts';
import { readConnection, toCurlConnection } from '../connection.ts';
import type { Given } from '../../config/command-options.ts';
import { type OpenExtensions, openExtensionFiles } from '../extensions.ts';
import { interruptSignal, invalidOption, tellWatcher } from '../process.ts';
import { exitCodeOf, parseReports, placeReports, startReports } from '../reports.ts';
import { openAgainst, openTarget, loadSuites, renderCommand } from '../service.ts';
import { readExcluded } from '../selection.ts';
import { createSecretList, listSecretsOfBoth } from '../../session/secrets.ts';
import { printLines } from '../terminal.ts';
import { countParts, openPart, type RunPart } from './worker-part.ts';
import type { TestArguments } from './test.ts';

/** The largest seed that fast-check uses unchanged. */
const largestSeed = 2 ** 31 - 1;

/**
 * Checks the values of options before anything is read or sent.
 *
 * @throws ClocheError OPTION_INVALID for a value that cannot be used
 */
export async function checkTestOptions(input: TestArguments): Promise<void> {
  refuseUserinfo('the base URL', input['base-url']);
  parseAnswers(input.answer);
  parseReports(input.report);
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
  if (input.shard !== undefined && input['update-baseline']) {
    const reason = 'one shard does not find everything';
    throw invalidOption(
      '--update-baseline',
      reason,
      'Give it to cloche merge, which reads the reports of all shards',
    );
  }
  const besideWorkers = (['callbacks-port', 'max-creates', 'shard'] as const).find(
    (name) => (input.workers > 1 || input.queue !== undefined) && input[name] !== undefined,
  );
  if (besideWorkers !== undefined) {
    const [by, what] =
      input.queue === undefined ? ['workers', `to ${input.workers} workers`] : ['queue', 'through a queue'];
    const reason = `it cannot be shared out ${what}`;
    throw invalidOption(
      `--${besideWorkers}`,
      reason,
      `Leave out --${by}, or switch --${besideWorkers} off: --no-NAME does that for any option`,
    );
  }
  if (input['callback-url'] !== undefined) {
    parseServiceUrl(input['callback-url']);
    if (input['callbacks-port'] === undefined) {
      throw invalidOption('--callback-url', 'no port receives callbacks', 'Give --callbacks-port too');
    }
  }
  await readConnection(input, input['base-url'] ?? '');
}

/** Rejects options that only a service needs if the base URL is forgotten: otherwise the mock would be tested. */
function refuseWithoutService(input: TestArguments, { values, origins }: Given<TestArguments>): void {
  const isForOther = input.against !== undefined && input.against !== 'mock';
  if (input['base-url'] !== undefined || isForOther) return;
  // A configuration is for runs on the mock too.
  const option = [
    'token',
    'credential',
    'token-command',
    'header',
    'insecure',
    'ca',
    'client-cert',
    'proxy',
    'wait-for-service',
    'callbacks-port',
  ].find((name) => values[name] !== undefined && origins?.has(name) !== true);
  if (option === undefined) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use',
    subject: `--${option}`,
    reason: 'it is for a service, and no base URL is given',
    remedy:
      'Give the base URL, as in cloche test http://127.0.0.1:8080; without it and the option the mock is tested',
  });
}

/** Leaves out the configured reports of a replay or smoke run, which would replace those of the whole run. */
function withoutReportsOfWhole(input: TestArguments, { origins }: Given<TestArguments>): TestArguments {
  const isWhole = input.path === undefined && !input.smoke;
  return isWhole || origins?.has('report') !== true ? input : { ...input, report: [] };
}

/**
 * Runs `cloche test`: prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runTest(
  words: Given<TestArguments>,
  all: readonly Given<TestArguments>[] = [words],
): Promise<void> {
  const startedAt = performance.now();
  const part = openPart();
  const read = readArguments(words);
  // A configuration that names a service may be overridden with the in-process mock.
  const url = read['base-url'] === 'mock' ? undefined : read['base-url'];
  const whole = withoutReportsOfWhole({ ...read, 'base-url': url }, words);
  const input = part === undefined ? { ...whole, workers: countParts(whole) } : part.toInput(whole);
  if (part?.settings !== undefined) {
    await (await import('./shared-settings.ts')).refuseOtherSettings(words, part.settings);
  }
  await checkTestOptions(input);
  refuseWithoutService(input, words);
  // The time limit includes reading the document. The first service is read at the start of the process.
  const timeFrom = words.service === undefined ? 0 : startedAt;
  const mentionExample = async (error: unknown): Promise<never> => {
    throw (await import('../example-document.ts')).mentionExample(error, input);
  };
  if (part === undefined && isSharedOut(input)) {
    await shareOut(input, { words, all, timeFrom }).catch(mentionExample);
    return;
  }
  if (input.watch) {
    const { watchRuns } = await import('../watch/watch-runs.ts');
    await watchRuns(listInputs(input, words));
    return;
  }
  const opened = await openExtensionFiles(input.extension);
  await opened
    .during(() => testOnce({ words, input, opened, timeFrom: part?.timeFrom ?? timeFrom, part }))
    .catch(mentionExample);
}

/** Returns whether the run is shared out to threads or workers. A replay, a smoke run and lists are small. */
function isSharedOut(input: TestArguments): boolean {
  const { workers, queue, path, smoke, list, watch, 'dry-run': isDry } = input;
  return (workers > 1 || queue !== undefined) && path === undefined && !smoke && !list && !isDry && !watch;
}

/** Shares a run out: to workers elsewhere with `--queue`, otherwise to threads. */
async function shareOut(
  { queue, ...input }: TestArguments,
  of: {
    readonly words: Given<TestArguments>;
    readonly all: readonly Given<TestArguments>[];
    readonly timeFrom: number;
  },
): Promise<void> {
  const { words, all, timeFrom } = of;
  const seed = input.seed ?? Math.floor(Math.random() * largestSeed);
  if (queue === undefined) {
    const { runInWorkers } = await import('./run-workers.ts');
    await runInWorkers({ ...input, queue }, { seed, service: words.service, timeFrom });
  } else {
    const { runQueued } = await import('./run-queue.ts');
    await runQueued({ ...input, queue }, { words, all, seed });
  }
}

/** Lists the files that a run reads, except those that the document or an extension refers to. */
function listInputs(input: TestArguments, { configuration }: Given<TestArguments>): readonly string[] {
  const { document, policy, extension, baseline } = input;
  // The run itself writes a baseline that it updates.
  const read = [
    document,
    policy,
    ...extension,
    input['update-baseline'] ? undefined : baseline,
    configuration,
  ];
  return read.flatMap((file) => {
    const url = file === undefined ? undefined : toSourceUrl(file);
    return url?.protocol === 'file:' ? [fileURLToPath(url)] : [];
  });
}

/** One run of the command. */
interface TestRun {
  readonly words: Given<TestArguments>;
  readonly input: TestArguments;
  readonly opened: OpenExtensions;
  /** The time from which `--max-time` counts, in milliseconds of `performance.now`. */
  readonly timeFrom: number;
  /** The part of the run that this thread is, if the run is shared out. */
  readonly part: RunPart | undefined;
}

/** Everything that a run sends requests with and to. */
interface OpenedRun {
  readonly contract: Contract;
  readonly suites: readonly Suite[];
  readonly target: Target;
  /** Returns the reference of a comparison, if there is one. */
  readonly openReference: () => ReturnType<typeof openAgainst>;
  readonly scope: Pick<
    RunOptions,
    'excluded' | 'isolated' | 'unsafeMethods' | 'readOnly' | 'runs' | 'path' | 'shard' | 'maxCreates'
  >;
  readonly isLive: boolean;
  readonly receiver: RequestReceiver | undefined;
  readonly notices: readonly string[];
}

/** Opens the receiver of callbacks; none if they are not received, or if the mock is tested. */
async function openReceiver({ input, timeFrom }: TestRun): Promise<RequestReceiver | undefined> {
  const { 'callbacks-port': port, 'callback-url': url, 'max-time': maxTime = Infinity } = input;
  return port === undefined || input['base-url'] === undefined
    ? undefined
    : openRequestReceiver({
        port,
        url: url && parseServiceUrl(url),
        endsAt: timeFrom + maxTime * 1_000,
      });
}

async function openRun(run: TestRun): Promise<OpenedRun> {
  const { words, input, opened, part } = run;
  const {
    contract: read,
    given,
    notices,
  } = await openContract(input, {
    onRead: ({ protocol, href }) => (protocol === 'file:' ? tellWatcher(fileURLToPath(href)) : undefined),
  });
  const contract = await addKnownValues(read, { input, given: words });
  if (words.origins?.has('token') !== true) refuseUnusedToken(input.token, contract);
  const excluded = readExcluded(contract, input);
  const { settings } = words;
  // A service at a base URL may contain resources of others.
  const isOther = input.against !== undefined && input.against !== 'mock';
  const isLive = input['base-url'] !== undefined || isOther;
  const target = await openTarget({ contract, input, given, settings });
  const receiver = await openReceiver(run);
  const ofCallbacks = receiver === undefined ? [] : [{ suites: [createCallbackSuite(receiver)] }];
  return {
    contract,
    suites: input.smoke ? [smoke] : await loadSuites(input.suite, [...opened.extensions, ...ofCallbacks]),
    target: {
      ...target,
      async close() {
        await target.close();
        await receiver?.close();
      },
    },
    receiver,
    openReference: () => openAgainst({ contract, input, given, settings }),
    scope: {
      excluded,
      isolated: input.isolated,
      unsafeMethods: input['unsafe-methods'] || !isLive,
      readOnly: input['read-only'],
      runs: input.runs,
      path: input.path,
      shard: part?.shard ?? parseShard(input.shard),
      maxCreates: input['max-creates'],
    },
    isLive,
    notices,
  };
}

/** Starts the reports of a run. Secrets that it fetches later are hidden too. */
async function openReports(
  { input, words }: TestRun,
  { contract, target, notices }: OpenedRun,
  against: Awaited<ReturnType<typeof openAgainst>>,
) {
  const placed = placeReports(input.report);
  const secrets = createSecretList(listSecretsOfBoth(target, against));
  target.watchSecrets?.(secrets.addCredential);
  against?.watchSecrets?.((value, meaning) =>
    secrets.addCredential(value, `${meaning} for ${against.names.other}`),
  );
  printLines(process.stderr, notices);
  const detail = input.verbose ? 'whole' : 'usual';
  const reports = await startReports(placed, {
    contract,
    secrets,
    baseUrl: target.baseUrl,
    command: renderCommand(input, secrets.values, words),
    shell: input.shell,
    ...toCurlConnection(input, target.proxy),
    headers: target.headers,
    elsewhere: against,
    replayed: input.path?.replace(/:[\d:]*$/u, ''),
    strict: input.strict,
    ...judgeCoverage(input),
    coverage: input.coverage,
    detail: input.quiet ? 'verdict' : detail,
    exchanges: input.smoke,
  });
  return { reports, secrets };
}

async function testOnce(run: TestRun): Promise<void> {
  const { input, opened, timeFrom, part } = run;
  const baseline = await openBaseline(input);
  const all = await openRun(run);
  const { contract, suites, target, scope, isLive } = all;
  if (input.list || input['dry-run']) {
    await target.close();
    const { renderPreview } = await import('../preview.ts');
    const lines = renderPreview({ suites, target, options: scope, properties: input['dry-run'] });
    printLines(process.stdout, lines);
    return;
  }
  const against = await all.openReference();
  const { reports, secrets } = await openReports(run, all, against);
  const update = createBaselineUpdate(input['update-baseline'] ? baseline : undefined, input, reports.read);
  const { shard } = scope;
  const options = {
    ...scope,
    // Their suites are among the picked ones.
    extensions: opened.extensions.map((extension) => ({ ...extension, suites: [] })),
    against,
    // All shards must have the same seed.
    seed: part?.seed ?? input.seed ?? (shard === undefined ? Math.floor(Math.random() * largestSeed) : 1),
    connections: input.connections,
    keys: parseKeyRange(input.ids, isLive, { operations: contract.operations.length, shard }),
    rate: input.rate,
    rateWaitMs: input['rate-wait'] * 1_000,
    maxTimeMs: input['max-time'] === undefined ? undefined : input['max-time'] * 1_000,
    timeFrom,
    baseline:
      baseline === undefined ? undefined : toBaseline(baseline, input.smoke || input.suite.length > 0),
    bail: input.bail,
    maxResponseMs: input['max-response-time'],
    keep: input.keep,
    signal: part?.signal ?? interruptSignal(),
    together: part?.together,
    emit(event: RunEvent) {
      part?.emit(event);
      update.emit(event);
    },
  };
  options.signal.addEventListener('abort', () => all.receiver?.stop());
  let result: RunResult;
  try {
    const work = (): Promise<RunResult> => runSuites(suites, target, options);
    result = await reports.during(() => update.settle(opened.during(work, secrets.values)));
  } finally {
    await target.close();
    await against?.close();
  }
  process.exitCode =
    exitCodeOf(result, { strict: input.strict, ...judgeCoverage(input) }) || process.exitCode;
  if (update.failure() !== undefined) throw update.failure();
}

/** Returns the rules of coverage for a run. One shard exercises only a part, so its rules apply to the merged report. */
function judgeCoverage({ shard, suite, 'min-coverage': minCoverage }: TestArguments) {
  if (shard === undefined) return { minCoverage };
  return { shard: { ...(suite.length === 0 ? {} : { suites: suite }), minCoverage } };
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
