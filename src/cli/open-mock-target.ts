import { randomUUID } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import { everyQuestion } from '../policy/every-question.ts';
import type { Policy } from '../policy/policy.ts';
import type { Target } from '../runner/target.ts';

/** Where the in-process mock would be if it were on its usual port. */
const mockBaseUrl = 'http://127.0.0.1:4010';

/**
 * Opens an in-process mock with one random token as the target of a run.
 *
 * @param given - the answers that it gives
 */
export async function openMockTarget(contract: Contract, given: Partial<Policy>): Promise<Target> {
  const { createMock } = await import('../mock/create-mock.ts');
  const isBasic = contract.operations.some(({ security }) =>
    security.flat().some(({ kind }) => kind === 'basic'),
  );
  // Basic authentication wants a user and a password (RFC 7617 §2).
  const token = isBasic ? `cloche:${randomUUID()}` : `token-${randomUUID()}`;
  const mock = await createMock(contract, { tokens: [token], policy: given });
  return {
    name: 'the in-process mock',
    send: mock.send,
    socketSend: undefined,
    baseUrl: mockBaseUrl,
    policy: mock.policy,
    told: everyQuestion,
    echo: mock.policy.echo === 'exact' ? 'violation' : undefined,
    token,
    // What a client would send besides, so that curl lines leave curl's own be.
    headers: [['Accept', '*/*']],
    secrets: [token],
    close: () => mock.close(),
  };
}
