import { ClocheError } from '../../errors/cloche-error.ts';

/** Packages of stores, with the line that installs each. */
const drivers = {
  libsql: 'npm install libsql@0.5',
  ioredis: 'npm install ioredis@6',
} as const;

/**
 * Loads the package that reaches a store; it is not installed with the mock.
 *
 * @param input.place - where the store is, without a secret
 * @param input.load - imports the package
 * @throws ClocheError STORE_UNUSABLE which says how to install it
 */
export async function loadDriver<T>(input: {
  readonly name: keyof typeof drivers;
  readonly place: string;
  readonly load: () => Promise<T>;
}): Promise<T> {
  const { name, place, load } = input;
  try {
    return await load();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new ClocheError('STORE_UNUSABLE', {
      attempt: 'open the store',
      subject: place,
      reason: isMissing
        ? `the package ${name}, or the part of it that is made for this system, is not installed`
        : `the package ${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: `Run "${drivers[name]}"`,
      cause,
    });
  }
}
