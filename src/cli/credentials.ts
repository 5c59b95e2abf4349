import { listSchemes } from '../arbitrary/given-credentials.ts';
import type { Contract } from '../contract/contract.ts';
import type { Given, Picked } from '../config/command-options.ts';
import type { ConfiguredCredentials } from '../credentials/given-settings.ts';
import {
  listKnownCredentials,
  type OpenedCredentials,
  openCredentialSettings,
} from '../credentials/open-credentials.ts';
import { parseHeader, readToken, readTokens } from './arguments.ts';
import { appendPointer, memberAt } from '../json/pointer.ts';
import type { OtherUsers } from '../session/credentials.ts';
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

type Settings = Given<unknown>['settings'];

/**
 * Opens the credentials of the second user, if the configuration has some.
 *
 * @throws Error at a place of the configuration, for settings that cannot be used
 */
async function openOtherUser(
  settings: Settings,
  options: Parameters<typeof openCredentialSettings>[0],
): Promise<OpenedCredentials | undefined> {
  const users = settings?.get('users');
  const value = memberAt(users?.value, ['other']) ?? null;
  if (users === undefined || value === null) return undefined;
  const pointer = appendPointer(users.pointer, 'other');
  const opened = await openCredentialSettings({ ...options, configured: { ...users, value, pointer } });
  if (opened.certificate === undefined) return opened;
  const reason = 'has a client certificate, but the requests of all users share their connections';
  throw users.toError([{ pointer, reason, remedy: 'Give credentials of other schemes' }]);
}

/**
 * Opens the credentials of a service and its users, and reads how to connect to it. The result has the names of the
 * options of openUrlTarget.
 *
 * @param settings - the settings of the configuration
 * @throws ClocheError OPTION_INVALID for options that cannot be used, or an error at a place of the configuration
 */
export async function openServiceCredentials(
  baseUrl: string,
  {
    contract,
    input,
    settings,
  }: {
    readonly contract: Contract;
    readonly input: ServiceInput;
    readonly settings?: Settings;
  },
): Promise<
  Awaited<ReturnType<typeof readConnection>> &
    Pick<OpenedCredentials, 'watchSecrets'> & {
      readonly token: string | undefined;
      readonly credentials: OpenedCredentials['provider'];
      readonly users: OtherUsers;
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
  const place = {
    contract,
    baseUrl,
    connection: { ...connection, timeoutMs, responseLimit },
    headers: input.header.map(parseHeader),
  };
  const configured = settings?.get('credentials');
  const first = await openCredentialSettings({ ...place, configured, credential, token, tokenCommand });
  const other = await openOtherUser(settings, place);
  const { provider, certificate } = first;
  const own = connection.clientCert === undefined ? certificate : undefined;
  return {
    ...connection,
    ...own,
    token,
    credentials: provider,
    users: { other: other?.provider },
    watchSecrets(listener) {
      first.watchSecrets(listener);
      other?.watchSecrets((value, meaning) => listener(value, `${meaning} of users.other`));
    },
  };
}
