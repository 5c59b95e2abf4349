import { ClocheError } from '../errors/cloche-error.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { Contract } from '../contract/contract.ts';
import { createPaint } from '../report/paint.ts';
import { createConsoleReport } from '../report/console-report.ts';
import { joinReports } from '../report/join-reports.ts';
import type { RunEnd } from '../report/report.ts';
import type { RunResult } from '../runner/run-event.ts';
import { runSuites } from '../runner/run-suites.ts';
import { openBaseline } from './baseline/open-baseline.ts';
import { saveBaseline } from './baseline/save-baseline.ts';
import { toBaseline } from './baseline/to-baseline.ts';
import { checkToken } from './check-token.ts';
import { exitCodeOf } from './exit-code.ts';
import { listSecrets } from './list-secrets.ts';
import { numberRanges } from './number-ranges.ts';
import { openTarget } from './open-target.ts';
import { parseHeader } from './parse-header.ts';
import { parseKeyRange } from './parse-key-range.ts';
import { pickSuites } from './pick-suites.ts';
import { readAuthority } from './read-authority.ts';
import { readVersion } from './read-version.ts';
import { refuseCredentialHeaders } from './refuse-credential-headers.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { renderCommand } from './render-command.ts';
import { openReportPlaces, openReports } from './reports/open-reports.ts';
import { parseReports } from './reports/parse-reports.ts';
import { showSource } from './show-source.ts';
import { terminalWidth } from './terminal-width.ts';
import type { TestArguments } from './test-arguments.ts';

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** What openTarget does not look at, or only where there is a base URL. */
async function checkWords(input: TestArguments): Promise<void> {
  refuseUserinfo(input['base-url'] ?? '', {
    what: 'the base URL',
    remedy: 'Leave them out, and pass credentials with --token or --header',
  });
  refuseUserinfo(input.document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  const { CLOCHE_TOKEN: token = '' } = process.env;
  if (input.token === undefined && token !== '') {
    checkToken('CLOCHE_TOKEN', token);
  }
  input.header.forEach((text) => parseHeader(text));
  if (input.path !== undefined && input.seed === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'replay',
      subject: input.path,
      reason: 'a path leads to a case only together with the seed of its run',
      remedy: 'Give --seed too, as the finding printed it',
    });
  }
  if (input.ca !== undefined) {
    await readAuthority(input.ca);
  }
}

function createProgress(): ((line: string) => void) | undefined {
  const { stderr } = process;
  if (!stderr.isTTY || process.env['CI'] !== undefined) {
    return undefined;
  }
  return (line) => {
    stderr.write(`\r\u001B[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
  };
}

/** A run without the report that was asked for is no success, whatever it found. */
function tellUnwritten(errors: readonly ClocheError[]): void {
  for (const { message, exitCode } of errors) {
    process.stderr.write(`${message}\n`);
    process.exitCode ||= exitCode;
  }
}

/**
 * Runs `cloche test`: prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runTest(input: TestArguments): Promise<void> {
  await checkWords(input);
  const baseline = await openBaseline(input);
  const contract: Contract = await loadContract(input.document, {
    followReferences: input['allow-references'],
  });
  refuseCredentialHeaders(input.header.map(parseHeader), contract);
  const suites = await pickSuites(input.suite);
  const places = openReportPlaces(parseReports(input.report));
  // A report on standard output is to be read by a program.
  const stream = places.some(({ file }) => file === undefined) ? process.stderr : process.stdout;
  const target = await openTarget(contract, input);
  const secrets = listSecrets(target);
  const surroundings = {
    baseUrl: target.baseUrl,
    command: renderCommand(input, secrets),
    source: showSource(contract.source),
    secrets: secrets.map(({ value }) => value),
    secretMeanings: secrets.map(({ meaning }) => meaning),
    insecure: input.insecure,
    ca: input.ca,
    headers: target.headers,
    replayed: input.path?.replace(/:[\d:]*$/u, ''),
  };
  const { reports, close } = await openReports(places, {
    ...surroundings,
    toolVersion: readVersion(),
    contract,
    strict: input.strict,
    now: Date.now,
  });
  const report = joinReports([
    createConsoleReport({
      ...surroundings,
      paint: createPaint(stream.isTTY && process.env['NO_COLOR'] === undefined),
      width: terminalWidth(stream),
      coverage: input.coverage,
      writeLine: (line) => stream.write(`${line}\n`),
      showProgress: createProgress(),
    }),
    ...reports,
  ]);
  let end: RunEnd = { isWhole: false };
  let result: RunResult;
  try {
    result = await runSuites({
      contract,
      suites,
      send: target.send,
      socketSend: target.socketSend,
      target: target.name,
      policy: target.policy,
      told: target.told,
      echo: target.echo,
      token: target.token,
      seed: input.seed ?? Math.floor(Math.random() * numberRanges.seed.to),
      path: input.path,
      runs: input.runs,
      connections: input.connections,
      keys: parseKeyRange(input.ids, input['base-url'] !== undefined),
      rate: input.rate,
      rateWaitMs: input['rate-wait'] * 1_000,
      maxTimeMs: input['max-time'] === undefined ? undefined : input['max-time'] * 1_000,
      baseline: baseline === undefined ? undefined : toBaseline(baseline, input.suite),
      bail: input.bail,
      unsafeMethods: input['unsafe-methods'] || input['base-url'] === undefined,
      signal: interruptSignal(),
      emit: report.read,
    });
    end = { isWhole: true };
  } catch (error) {
    end = { isWhole: false, why: error instanceof ClocheError ? error.message : 'Cloche itself failed.' };
    throw error;
  } finally {
    try {
      report.end(end);
    } finally {
      await target.close();
      tellUnwritten(close());
    }
  }
  const isUpdated = baseline !== undefined && input['update-baseline'];
  const known = isUpdated ? await saveBaseline(baseline, result, input) : undefined;
  if (known !== undefined) {
    stream.write(`${known.words}\n`);
  }
  process.exitCode = exitCodeOf(known?.result ?? result, input.strict) || process.exitCode;
}
