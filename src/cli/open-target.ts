import type { Contract } from '../contract/contract.ts';
import { addDocumentAnswers } from '../policy/add-document-answers.ts';
import type { Policy } from '../policy/policy.ts';
import { readRunAnswers } from '../policy/read-run-answers.ts';
import { openUrlTarget } from '../runner/open-url-target.ts';
import type { Target } from '../runner/target.ts';
import { openMockTarget } from './open-mock-target.ts';
import { parseHeader } from './parse-header.ts';
import { readAuthority } from './read-authority.ts';
import { readTokens } from './read-tokens.ts';
import type { TestArguments } from './test-arguments.ts';

/**
 * Opens what a run is to test: the base URL, or the in-process mock where there is none.
 *
 * @param run.given - the answers that the service is held to, and that the mock gives
 * @throws ClocheError OPTION_INVALID for a base URL, a header or a certificate that cannot be used
 */
export async function openTarget(run: {
  readonly contract: Contract;
  readonly input: TestArguments;
  readonly given: Partial<Policy>;
}): Promise<Target> {
  const { contract, input, given } = run;
  const { 'base-url': baseUrl, connections, timeout: timeoutMs, insecure } = input;
  if (baseUrl === undefined) {
    return openMockTarget(contract, given);
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
    answers: await readRunAnswers(contract.source),
    given: addDocumentAnswers(given, contract),
  });
}
