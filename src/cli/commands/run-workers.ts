import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../document/package-manifest.ts';
import { plural } from '../../report/format.ts';
import { mergeReports } from './run-merge.ts';
import type { TestArguments } from './test.ts';
import { interruptSignal } from '../process.ts';
import { printText, showProgress } from '../terminal.ts';
import type { PartCommand, PartData, PartMessage } from './worker-part.ts';
import { Phases } from './worker-phases.ts';

/** How a part ended. */
interface Ended {
  readonly code: number;
  /** What it would have printed on standard error. */
  readonly errors: string;
}

/**
 * Shares a run out to threads, each with a part of the properties as a shard has it, and merges their reports. The parts
 * are in the same phase of the run at any time, because they test one service.
 *
 * @param of.seed - the seed of all threads
 * @param of.service - the name of the service in the configuration, if it has several
 * @param of.timeFrom - the time from which `--max-time` counts, in milliseconds of `performance.now`
 * @throws ClocheError as {@link mergeReports}
 */
export async function runInWorkers(
  input: TestArguments,
  {
    seed,
    service,
    timeFrom,
  }: { readonly seed: number; readonly service: string | undefined; readonly timeFrom: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-workers-'));
  try {
    const { workers: total } = input;
    const reports = Array.from({ length: total }, (_, at) => join(folder, `${at + 1}.json`));
    const signal = interruptSignal();
    const ended = await runParts(
      reports.map((report, at) => ({
        index: at + 1,
        total,
        seed,
        report,
        elapsedMs: performance.now() - timeFrom,
      })),
      { service, signal },
    );
    const failed = ended.find((_, at) => !existsSync(reports[at] ?? ''));
    if (failed !== undefined) {
      printText(process.stderr, failed.errors);
      process.exitCode = failed.code;
      return;
    }
    // Every part notices the same about the document; what made one fail is in its report.
    const [first] = ended;
    if (first !== undefined && [0, 1, 130].includes(first.code)) printText(process.stderr, first.errors);
    await mergeReports({ ...input, files: reports }, { workers: total });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs all parts to their ends. */
async function runParts(
  parts: readonly PartData[],
  { service, signal }: { readonly service: string | undefined; readonly signal: AbortSignal },
): Promise<readonly Ended[]> {
  const command = packageFile('dist', 'src', 'cli', 'main.js');
  const env = service === undefined ? process.env : { ...process.env, CLOCHE_SERVICE: service };
  const workers = parts.map(
    (part) =>
      new Worker(command, { argv: process.argv.slice(2), env, workerData: part, stdout: true, stderr: true }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (worker: Worker, message: PartCommand): void => worker.postMessage(message);
  const phases = new Phases(workers, (worker) => send(worker, 'begin'));
  signal.addEventListener('abort', () => workers.forEach((worker) => send(worker, 'interrupt')));
  const isWatched = process.stderr.isTTY && process.env['CI'] === undefined;
  const progress = new Map<Worker, Extract<PartMessage, { kind: 'progress' }>>();
  const sumOf = (name: 'requests' | 'done' | 'properties' | 'findings'): number =>
    [...progress.values()].reduce((sum, each) => sum + each[name], 0);

  function read(worker: Worker, message: PartMessage): void {
    if (message.kind === 'enter') phases.enter(worker, message.phase, message.isAlone);
    if (message.kind === 'bailed')
      workers.filter((other) => other !== worker).forEach((other) => send(other, 'stop'));
    if (message.kind !== 'progress' || !isWatched) return;
    progress.set(worker, message);
    const properties = `${sumOf('done')}/${plural(sumOf('properties'), 'property', 'properties')}`;
    const found = `${plural(sumOf('requests'), 'request')}, ${plural(sumOf('findings'), 'finding')}`;
    showProgress(process.stderr, `${properties}, ${found}, ${plural(workers.length, 'worker')}`);
  }

  const ended = await Promise.all(
    workers.map(async (worker) => {
      worker.stdout.resume();
      worker.on('message', (message: PartMessage) => read(worker, message));
      const errors = text(worker.stderr);
      const code = await new Promise<number>((resolve, reject) => {
        worker.on('error', reject).on('exit', resolve);
      });
      phases.leave(worker);
      return { code, errors: await errors };
    }),
  );
  if (isWatched) showProgress(process.stderr, '');
  return ended;
}
