import cluster from 'node:cluster';
import type { Picked } from '../config/command-options.ts';
import { invalidOption } from './process.ts';

export { createMockOfWorkers } from '../mock/workers/primary.ts';
export { runWorker } from '../mock/workers/worker.ts';

/** Whether this process is a worker of a mock. */
export const isWorker: boolean = cluster.isWorker;

/**
 * Returns the number of workers of a mock, and the store that they share.
 *
 * @throws ClocheError OPTION_INVALID without such a store, or with an option whose state is in one process
 */
export function readWorkers({
  workers: count,
  store,
  ...others
}: Picked<'workers' | 'store' | 'fallback' | 'replay'>): { readonly count: number; readonly store: string } {
  const subject = `--workers ${count}`;
  if (store === undefined || /^memory:?$/iu.test(store)) {
    throw invalidOption(
      subject,
      'several processes need a state that they can share, and it is in the memory of one',
      'Add a store, as in --store file:state.db or --store redis://localhost',
    );
  }
  for (const name of ['fallback', 'replay'] as const) {
    if (others[name] !== undefined) {
      const reason = `--${name} works in one process only`;
      throw invalidOption(subject, reason, `Leave out one of --workers and --${name}`);
    }
  }
  return { count, store };
}
