import { randomUUID } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import { readPolicyBeside } from '../document/read-policy-beside.ts';
import { pickRunAnswers } from '../policy/pick-run-answers.ts';
import { openUrlTarget } from '../runner/open-url-target.ts';
import type { Target } from '../runner/target.ts';
import { parseHeader } from './parse-header.ts';
import { readAuthority } from './read-authority.ts';
import { readTokens } from './read-tokens.ts';
import type { TestArguments } from './test-arguments.ts';

/** Where the in-process mock would be if it were on its usual port. */
const mockBaseUrl = 'http://127.0.0.1:4010';

async function openMock(contract: Contract): Promise<Target> {
  const { createMock } = await import('../mock/create-mock.ts');
  const isBasic = contract.operations.some(({ security }) =>
    security.flat().some(({ kind }) => kind === 'basic'),
  );
  // Basic authentication wants a user and a password (RFC 7617 §2).
  const token = isBasic ? `cloche:${randomUUID()}` : `token-${randomUUID()}`;
  const mock = await createMock(contract, { tokens: [token] });
  return {
    name: 'the in-process mock',
    send: mock.send,
    socketSend: undefined,
    baseUrl: mockBaseUrl,
    policy: mock.policy,
    told: true,
    echo: mock.policy.echo === 'exact' ? 'violation' : undefined,
    token,
    // What a client would send besides, so that curl lines leave curl's own be.
    headers: [['Accept', '*/*']],
    secrets: [token],
    close: () => mock.close(),
  };
}

/**
 * Opens what a run is to test: the base URL, or the in-process mock where there is none.
 *
 * @throws ClocheError OPTION_INVALID for a base URL, a header or a certificate that cannot be used
 */
export async function openTarget(contract: Contract, input: TestArguments): Promise<Target> {
  const { 'base-url': baseUrl, connections, timeout: timeoutMs, insecure } = input;
  if (baseUrl === undefined) {
    return openMock(contract);
  }
  const [token] = await readTokens({
    token: input.token === undefined ? [] : [input.token],
    tokenFile: undefined,
  });
  return openUrlTarget({
    baseUrl,
    token,
    headers: input.header.map(parseHeader),
    connections,
    timeoutMs,
    insecure,
    ca: input.ca === undefined ? undefined : await readAuthority(input.ca),
    answers: pickRunAnswers(await readPolicyBeside(contract.source)),
  });
}
