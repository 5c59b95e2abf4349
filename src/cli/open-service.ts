import type { Contract } from '../contract/contract.ts';
import { addDocumentAnswers } from '../policy/add-document-answers.ts';
import type { Policy } from '../policy/policy.ts';
import { readRunAnswers } from '../policy/read-run-answers.ts';
import { openUrlTarget } from '../runner/open-url-target.ts';
import type { Target } from '../runner/target.ts';
import { parseHeader } from './parse-header.ts';
import { readAuthority } from './read-authority.ts';
import { readTokens } from './read-tokens.ts';
import type { TestArguments } from './test-arguments.ts';

/**
 * Opens a service that lives at a base URL, reached as the options say.
 *
 * @param service.token - the one that was given for it; `CLOCHE_TOKEN` stands in for it
 * @param service.given - the answers that it is held to, besides those of the document
 * @throws ClocheError OPTION_INVALID for a base URL, a token, a header or a certificate that cannot be used
 */
export async function openService(service: {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly contract: Contract;
  readonly input: Pick<
    TestArguments,
    'header' | 'connections' | 'timeout' | 'response-limit' | 'insecure' | 'ca'
  >;
  readonly given: Partial<Policy>;
}): Promise<Target> {
  const { baseUrl, contract, input, given } = service;
  const { connections, timeout: timeoutMs, 'response-limit': responseLimit, insecure } = input;
  const [token] = await readTokens({
    token: service.token === undefined ? [] : [service.token],
    tokenFile: undefined,
  });
  return openUrlTarget({
    baseUrl,
    token,
    headers: input.header.map(parseHeader),
    connections,
    timeoutMs,
    responseLimit,
    insecure,
    ca: input.ca === undefined ? undefined : await readAuthority(input.ca),
    answers: await readRunAnswers(contract.source),
    given: addDocumentAnswers(given, contract),
  });
}
