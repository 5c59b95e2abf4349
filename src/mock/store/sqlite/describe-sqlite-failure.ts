const reasons: readonly (readonly [code: string, reason: string])[] = [
  ['SQLITE_BUSY', 'another program keeps it locked'],
  ['SQLITE_LOCKED', 'another program keeps it locked'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'it may not be written'],
  ['SQLITE_PERM', 'it may not be written'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['SQLITE_IOERR', 'the disk fails to read or write it'],
  ['SQLITE_NOTADB', 'it is no SQLite database'],
  ['SQLITE_CORRUPT', 'it is damaged'],
  ['SQLITE_ERROR', 'its tables are not those that were there before'],
  ['SQLITE_SCHEMA', 'its tables are not those that were there before'],
];

/** Whether another process is about to write, or to read what is being written. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/**
 * Says what SQLite complains of, without a full stop; undefined for what is no complaint of SQLite.
 *
 * @see https://www.sqlite.org/rescode.html
 */
export function describeSqliteFailure(error: unknown): string | undefined {
  if (error instanceof Error && error.message.startsWith('ConnectionFailed(')) {
    return 'it cannot be opened';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('SQLITE_')) {
    return undefined;
  }
  const [, reason] = reasons.find(([beginning]) => code.startsWith(beginning)) ?? [];
  return reason === undefined ? `${error.message} (${code})` : `${reason} (${code})`;
}
