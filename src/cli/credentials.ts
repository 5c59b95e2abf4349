import { listSchemes } from '../arbitrary/given-credentials.ts';
import type { Contract } from '../contract/contract.ts';
import type { ConfiguredCredentials } from '../credentials/given-settings.ts';
import {
  listKnownCredentials,
  type OpenedCredentials,
  openCredentialSettings,
} from '../credentials/open-credentials.ts';
import type { Picked } from '../config/command-options.ts';
import { parseHeader, readToken, readTokens } from './arguments.ts';
import { readConnection } from './connection.ts';
import { invalidOption } from './process.ts';

/** The options that say how to reach a service, and with which credentials. */
export type ServiceInput = Picked<
  | 'token'
  | 'credential'
  | 'token-command'
  | 'header'
  | 'timeout'
  | 'response-limit'
  | 'insecure'
  | 'ca'
  | 'client-cert'
  | 'client-key'
  | 'proxy'
  | 'wait-for-service'
>;

/**
 * Returns all tokens and credentials that count as valid in traffic: from the options, a file and the configuration.
 *
 * @throws ClocheError OPTION_INVALID for values that cannot be used, or an error at a place of the configuration
 */
export async function readKnownCredentials(
  input: Picked<'credential' | 'token-command'> & { readonly token: readonly string[] },
  contract: Contract,
  configured: ConfiguredCredentials | undefined,
): Promise<readonly string[]> {
  const { credential, 'token-command': tokenCommand, token } = input;
  const known = await listKnownCredentials({ configured, credential, tokenCommand }, contract);
  return [...(await readTokens(token)), ...known];
}

/**
 * Opens the credentials of a service, and reads how to connect to it. The result has the names of the options of
 * openUrlTarget.
 *
 * @param configured - the credentials of the configuration
 * @throws ClocheError OPTION_INVALID for options that cannot be used, or an error at a place of the configuration
 */
export async function openServiceCredentials(
  baseUrl: string,
  {
    contract,
    input,
    configured,
  }: {
    readonly contract: Contract;
    readonly input: ServiceInput;
    readonly configured?: ConfiguredCredentials | undefined;
  },
): Promise<
  Awaited<ReturnType<typeof readConnection>> &
    Pick<OpenedCredentials, 'watchSecrets'> & {
      readonly token: string | undefined;
      readonly credentials: OpenedCredentials['provider'];
    }
> {
  const {
    'token-command': tokenCommand,
    credential,
    timeout: timeoutMs,
    'response-limit': responseLimit,
  } = input;
  if (input.token !== undefined && tokenCommand !== undefined) {
    const reason = '--token gives the token already';
    throw invalidOption('--token-command', reason, 'Leave out one of them');
  }
  const isUnused = listSchemes(contract).every(({ kind }) => kind === 'unjudged');
  if (tokenCommand !== undefined && isUnused) {
    const reason =
      'no request would carry the token, as the document requires no credentials that Cloche can send';
    throw invalidOption('--token-command', reason, 'Leave it out, or send credentials with --header');
  }
  const connection = await readConnection(input, baseUrl);
  const token = tokenCommand === undefined ? readToken(input.token) : undefined;
  const { provider, certificate, watchSecrets } = await openCredentialSettings({
    contract,
    baseUrl,
    connection: { ...connection, timeoutMs, responseLimit },
    headers: input.header.map(parseHeader),
    configured,
    credential,
    token,
    tokenCommand,
  });
  const own = connection.clientCert === undefined ? certificate : undefined;
  return { ...connection, ...own, token, credentials: provider, watchSecrets };
}
