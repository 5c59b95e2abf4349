import { expect, test } from 'vitest';
import { RenewableCredential } from './renewable-credential.ts';

/** A credential with a lifetime, on a clock that the test sets. */
function createCredential(lifetimeMs?: number) {
  const clock = { now: 0 };
  let count = 0;
  const fetch = (): Promise<{ value: string; lifetimeMs: number | undefined }> => {
    count += 1;
    return Promise.resolve({ value: `token-${count}`, lifetimeMs });
  };
  return { credential: new RenewableCredential(fetch, { now: () => clock.now }), clock };
}

test('fetches a credential once, and again when it is discarded', async () => {
  const { credential, clock } = createCredential();
  expect([await credential.get(), await credential.get()]).toEqual(['token-1', 'token-1']);
  clock.now = 1e12;
  expect(await credential.get()).toBe('token-1');
  expect(credential.discard()).toBe(true);
  expect(await credential.get()).toBe('token-2');
});

test.each([
  [10_000, 7_999, 8_000],
  [3_600_000, 3_569_999, 3_570_000],
])('fetches a credential of %i ms again before its end', async (lifetimeMs, valid, ending) => {
  const { credential, clock } = createCredential(lifetimeMs);
  await credential.get();
  clock.now = valid;
  expect([credential.isExpired(), await credential.get()]).toEqual([false, 'token-1']);
  clock.now = ending;
  expect([credential.isExpired(), await credential.get()]).toEqual([true, 'token-2']);
});

test('uses a credential with a lifetime of zero', async () => {
  const { credential } = createCredential(0);
  await credential.get();
  expect(credential.isExpired()).toBe(false);
});

test('never discards a fixed credential', async () => {
  const credential = new RenewableCredential(() => Promise.resolve({ value: 'fixed' }), { isFixed: true });
  await credential.get();
  expect([credential.discard(), await credential.get()]).toEqual([false, 'fixed']);
});
