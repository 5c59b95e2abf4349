import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ClocheError } from '../../../errors/cloche-error.ts';
import { createOutage } from '../create-outage.ts';
import { loadDriver } from '../load-driver.ts';
import { createSqliteStore } from '../sqlite-store.ts';
import type { Store } from '../store.ts';
import { describeSqliteFailure, isBusy } from './describe-sqlite-failure.ts';
import { findPathProblem } from './find-path-problem.ts';
import { createSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';

/** Long enough for any number of mocks that write in turn, in milliseconds. */
const usualPatience = 3000;

/** Several processes that make one file at once find it locked for a moment, without waiting. */
async function retry(
  connect: () => SqliteConnection,
  deadline = Date.now() + usualPatience,
): Promise<SqliteConnection> {
  try {
    return connect();
  } catch (error) {
    if (!isBusy(error) || Date.now() > deadline) {
      throw error;
    }
    await wait(10 + 20 * Math.random());
    return retry(connect, deadline);
  }
}

/**
 * Opens a SQLite file that keeps the state of mocks, or makes it. A file that is something else is left as it is.
 *
 * @param input.place - as it is shown: `file:orders.db`
 * @param input.tell - is given a sentence when the file is away, and when it is back
 * @param input.patience - how long a request waits for other processes that write, in milliseconds
 * @throws ClocheError STORE_UNUSABLE where the driver is not installed or the file cannot be used
 */
export async function openSqliteStore(input: {
  readonly path: string;
  readonly place: string;
  readonly tell: (sentence: string) => void;
  readonly patience?: number;
}): Promise<Store> {
  const { place, tell, patience = usualPatience } = input;
  // The working directory may change.
  const path = resolve(input.path);
  function refuse(reason: string, cause?: unknown): ClocheError {
    return new ClocheError('STORE_UNUSABLE', {
      attempt: 'open the store',
      subject: place,
      reason,
      remedy: 'Name a file of an earlier mock, or one that is not there yet in a folder that is',
      ...(cause === undefined ? {} : { cause }),
    });
  }
  const { default: Database } = await loadDriver({ name: 'libsql', place, load: () => import('libsql') });
  const problem = findPathProblem(path);
  if (problem !== undefined) {
    throw refuse(problem);
  }
  const outage = createOutage({ place, tell });
  const openDatabase = () => new Database(path);
  try {
    return createSqliteStore(
      await retry(() => createSqliteConnection({ openDatabase, path, patience }, outage)),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(describeSqliteFailure(error) ?? reason, error);
  }
}
