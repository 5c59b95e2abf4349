import { loadContract } from '../contract/load-contract.ts';
import type { Contract } from '../contract/contract.ts';
import { createPaint } from '../report/paint.ts';
import { createConsoleReport } from '../report/console-report.ts';
import { runSuites } from '../runner/run-suites.ts';
import { checkNumber } from './check-number.ts';
import { exitCodeOf } from './exit-code.ts';
import { openTarget } from './open-target.ts';
import { parseKeyRange } from './parse-key-range.ts';
import { pickSuites } from './pick-suites.ts';
import { renderCommand } from './render-command.ts';
import type { TestArguments } from './test-command.ts';

/** The largest seed that fast-check takes as it is. */
const largestSeed = 2 ** 31 - 1;

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

function checkNumbers(input: TestArguments): void {
  const whole = true;
  checkNumber('runs', input.runs, { from: 1, to: 1_000_000, whole });
  checkNumber('connections', input.connections, { from: 1, to: 1_000, whole });
  checkNumber('timeout', input.timeout, { from: 1, to: 3_600_000, whole });
  checkNumber('rate-wait', input['rate-wait'], { from: 0, to: 86_400, whole: false });
  checkNumber('rate', input.rate ?? 1, { from: 0.01, to: 1_000_000, whole: false });
  checkNumber('seed', input.seed ?? 1, { from: -largestSeed, to: largestSeed, whole });
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

/**
 * Runs `cloche test`: prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runTest(input: TestArguments): Promise<void> {
  checkNumbers(input);
  const contract: Contract = await loadContract(input.document, {
    followReferences: input['allow-references'],
  });
  const suites = await pickSuites(input.suite);
  const target = await openTarget(contract, input);
  const paint = createPaint(process.stdout.isTTY && process.env['NO_COLOR'] === undefined);
  const emit = createConsoleReport({
    baseUrl: target.baseUrl,
    command: renderCommand(input),
    source: contract.source,
    secrets: target.secrets,
    insecure: input.insecure,
    headers: target.headers,
    paint,
    writeLine: (line) => process.stdout.write(`${line}\n`),
    showProgress: createProgress(),
  });
  try {
    const result = await runSuites({
      contract,
      suites,
      send: target.send,
      target: target.name,
      policy: target.policy,
      told: target.told,
      echo: target.echo,
      token: target.token,
      seed: input.seed ?? Math.floor(Math.random() * largestSeed),
      path: input.path,
      runs: input.runs,
      connections: input.connections,
      keys: parseKeyRange(input.ids, input['base-url'] !== undefined),
      rate: input.rate,
      rateWaitMs: input['rate-wait'] * 1_000,
      bail: input.bail,
      unsafeMethods: input['unsafe-methods'] || input['base-url'] === undefined,
      signal: interruptSignal(),
      emit,
    });
    process.exitCode = exitCodeOf(result, input.strict);
  } finally {
    await target.close();
  }
}
