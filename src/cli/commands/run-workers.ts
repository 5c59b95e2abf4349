import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plural } from '../../report/format.ts';
import { crashed, interruptSignal } from '../process.ts';
import { printText, showProgress } from '../terminal.ts';
import { mergeReports } from './run-merge.ts';
import { type EndedPart, type StartedPart, startPart } from './run-part.ts';
import type { TestArguments } from './test.ts';
import type { PartData, PartProgress } from './worker-part.ts';

/**
 * Shares a run out to threads, each with a part of the properties as a shard has it, and merges their reports. What may
 * crash the service is a part that runs after the others.
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
    const { workers } = input;
    const total = workers + 1;
    const reports = Array.from({ length: total }, (_, at) => join(folder, `${at + 1}.json`));
    const parts = new SharedRun({ service, workers, signal: interruptSignal() });
    const start = (index: number): Promise<EndedPart> =>
      parts.run({
        shard: { index, total, isLastAlone: true },
        seed,
        report: reports[index - 1] ?? '',
        timeFrom: performance.timeOrigin + timeFrom,
      });
    const ended = await Promise.all(Array.from({ length: workers }, (_, at) => start(at + 1)));
    const hasFailed = (): EndedPart | undefined => ended.find((_, at) => !existsSync(reports[at] ?? ''));
    if (hasFailed() === undefined) ended.push(await start(total));
    parts.close();
    const failed = hasFailed();
    if (failed !== undefined) {
      printText(process.stderr, failed.errors);
      process.exitCode = failed.code;
      return;
    }
    // Every part notices the same about the document. What made one fail is in its report, but for the stack of a crash.
    const { errors } = ended.find((part) => part.errors.includes(crashed)) ??
      ended.find(({ code }) => [0, 1, 130].includes(code)) ?? { errors: '' };
    if (errors !== '') printText(process.stderr, errors);
    await mergeReports({ ...input, files: reports }, { workers });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What all threads of a run have in common. */
interface RunOfThreads {
  readonly service: string | undefined;
  readonly workers: number;
  readonly signal: AbortSignal;
}

/** The threads of one run, and what they share. */
class SharedRun {
  readonly #of: RunOfThreads;
  readonly #running = new Set<StartedPart>();
  readonly #progress = new Map<number, PartProgress>();
  /** The part that found each cause first. */
  readonly #causes = new Map<string, number>();
  readonly #isWatched = process.stderr.isTTY && process.env['CI'] === undefined;
  #isBailed = false;

  constructor(of: RunOfThreads) {
    this.#of = of;
    of.signal.addEventListener('abort', () => this.#running.forEach((part) => part.end('interrupt')));
  }

  /** Runs one part to its end; one that begins after the run was ended reports that. */
  async run(data: PartData): Promise<EndedPart> {
    const { index } = data.shard;
    const part = startPart(data, {
      argv: process.argv.slice(2),
      service: this.#of.service,
      onProgress: (progress) => this.#show(index, progress),
      onBail: () => {
        this.#isBailed = true;
        this.#running.forEach((other) => other.end('stop'));
      },
      isFirstTo: async (cause) => {
        if (!this.#causes.has(cause)) this.#causes.set(cause, index);
        return this.#causes.get(cause) === index;
      },
    });
    if (this.#isBailed) part.end('stop');
    if (this.#of.signal.aborted) part.end('interrupt');
    this.#running.add(part);
    try {
      return await part.ended;
    } finally {
      this.#running.delete(part);
    }
  }

  /** Removes the progress line. */
  close(): void {
    if (this.#isWatched) showProgress(process.stderr, '');
  }

  #show(index: number, progress: PartProgress): void {
    if (!this.#isWatched) return;
    this.#progress.set(index, progress);
    const sumOf = (name: keyof PartProgress): number =>
      [...this.#progress.values()].reduce((sum, each) => sum + each[name], 0);
    const properties = `${sumOf('done')}/${plural(sumOf('properties'), 'property', 'properties')}`;
    const found = `${plural(sumOf('requests'), 'request')}, ${plural(sumOf('findings'), 'finding')}`;
    showProgress(process.stderr, `${properties}, ${found}, ${plural(this.#of.workers, 'worker')}`);
  }
}
