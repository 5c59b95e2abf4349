import { resolve } from 'node:path';
import { listSchemes } from '../arbitrary/given-credentials.ts';
import { anyBearer } from '../arbitrary/request.ts';
import type { Contract } from '../contract/contract.ts';
import { readFileBytes } from '../document/read-file.ts';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import type { HeaderList } from '../http/message.ts';
import { isSecretName } from '../http/redact.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { CredentialsProvider } from '../session/credentials.ts';
import { parseBaseUrl } from '../session/url-target.ts';
import { createCommandCredential, createCredential } from './create-credential.ts';
import { listDeclaredSchemes } from './fit-schemes.ts';
import { type GivenSettings, readSettings } from './given-settings.ts';
import type { Connection } from './http-endpoint.ts';
import { RenewableCredential } from './renewable-credential.ts';
import { runCredentialCommand } from './run-command.ts';
import type { CredentialSetting, SecretListener } from './settings.ts';

/** Options of {@link openCredentialSettings}. */
export interface CredentialOptions extends GivenSettings {
  readonly contract: Contract;
  /** The base URL of the service. */
  readonly baseUrl: string;
  readonly connection: Connection;
  /** Header fields of every request, for login operations. @defaultValue none */
  readonly headers?: HeaderList;
}

/** The opened credentials of a service. */
export interface OpenedCredentials {
  /** Undefined if there are no credentials for requests, or only the token. */
  readonly provider: CredentialsProvider | undefined;
  /** The client certificate and its key, PEM, for mutual TLS. */
  readonly certificate: { readonly clientCert: string; readonly clientKey: string } | undefined;
  /** Calls a function with all secrets: with known ones now, and with fetched ones before the first request. */
  readonly watchSecrets: (listener: SecretListener) => void;
}

/** Lists the members of a value that carry secrets by their names. */
function listSecretMembers(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listSecretMembers);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && isSecretName(name) ? [member] : listSecretMembers(member),
  );
}

function listSettingSecrets(setting: CredentialSetting): readonly string[] {
  switch (setting.kind) {
    case 'value':
      return [setting.value];
    case 'password':
      return [setting.value, setting.password];
    case 'oauth':
      return [setting.clientSecret, setting.refreshToken].filter((secret) => secret !== undefined);
    case 'login':
      return listSecretMembers(setting.body);
    default:
      return [];
  }
}

async function readPem(scheme: string, file: string, folder: string): Promise<string> {
  const bytes = await readFileBytes(resolve(folder, file)).catch((cause: unknown) => {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the client certificate of',
      subject: scheme,
      reason: `${file}: ${describeReadFailure(cause)}`,
      remedy: 'Name PEM files with cert and key',
      cause,
    });
  });
  return new TextDecoder().decode(bytes);
}

async function readCertificate(
  settings: ReadonlyMap<string, CredentialSetting>,
  folder: string,
): Promise<OpenedCredentials['certificate']> {
  for (const [scheme, setting] of settings) {
    if (setting.kind !== 'certificate') continue;
    const clientCert = await readPem(scheme, setting.cert, folder);
    return { clientCert, clientKey: await readPem(scheme, setting.key, folder) };
  }
  return undefined;
}

/**
 * Creates the provider of some credentials by scheme.
 *
 * @param other.fallback - for the schemes without a credential of their own
 * @param other.bearer - for requests that match no operation
 */
function createProvider(
  credentials: ReadonlyMap<string, RenewableCredential>,
  other: {
    readonly fallback: RenewableCredential | undefined;
    readonly bearer: RenewableCredential | undefined;
  },
): CredentialsProvider {
  const [anonymous] = anyBearer;
  const { fallback, bearer } = other;
  const all = [...credentials.values(), ...(fallback === undefined ? [] : [fallback])];
  const find = (name: string): RenewableCredential | undefined =>
    credentials.get(name) ?? fallback ?? (name === anonymous?.name ? bearer : undefined);
  return {
    get: async ({ name }) => find(name)?.get(),
    isExpired: () => all.some((credential) => credential.isExpired()),
    reject(schemes) {
      const rejected = schemes === undefined ? all : schemes.flatMap((name) => find(name) ?? []);
      return [...new Set(rejected)].map((credential) => credential.discard()).includes(true);
    },
  };
}

/** Creates the credential of the schemes without settings, if the user gave a token or a command that prints one. */
function createFallback(
  { token, tokenCommand }: GivenSettings,
  onSecret: SecretListener,
): RenewableCredential | undefined {
  if (tokenCommand !== undefined) {
    return createCommandCredential(tokenCommand, { subject: '--token-command', folder: '.', onSecret });
  }
  if (token === undefined) return undefined;
  return new RenewableCredential(() => Promise.resolve({ value: token }), { isFixed: true });
}

/**
 * Opens the credentials of a service from the configuration and the command line. Nothing is fetched before it is
 * needed. The provider throws ClocheError OPTION_INVALID if a command fails or settings are wrong, CANNOT_JUDGE if a
 * login or an authorization server returns no credential.
 *
 * @throws Error that `configured.toError` creates for wrong settings, ClocheError OPTION_INVALID for wrong options and
 * for a certificate that cannot be read
 *
 * @example
 * const { provider } = await openCredentialSettings({ contract, baseUrl, connection, credential: ['apiKey=s3cret'] });
 */
export async function openCredentialSettings(options: CredentialOptions): Promise<OpenedCredentials> {
  const { contract, configured, tokenCommand, headers = [] } = options;
  const folder = configured?.folder ?? '.';
  const settings = readSettings(options, contract);
  const certificate = await readCertificate(settings, folder);
  const secrets: Parameters<SecretListener>[] = [];
  const listeners: SecretListener[] = [];
  const onSecret: SecretListener = (...secret) => {
    secrets.push(secret);
    for (const listen of listeners) listen(...secret);
  };
  for (const [scheme, setting] of settings) {
    for (const [index, value] of listSettingSecrets(setting).entries()) {
      const isCredential = 'value' in setting && index === 0;
      const meaning = isCredential ? 'the credential' : `secret ${index + 1} in the settings`;
      onSecret(value, `${meaning} of ${scheme}`);
    }
  }
  const connection = { ...options.connection, ...certificate };
  const declared = listDeclaredSchemes(contract);
  const baseUrl = parseBaseUrl(options.baseUrl);
  const context = { contract, declared, settings, baseUrl, connection, headers, folder, onSecret };
  const credentials = new Map(
    [...settings].flatMap(([scheme, setting]) => {
      const credential = createCredential(scheme, setting, context);
      return credential === undefined ? [] : [[scheme, credential] as const];
    }),
  );
  const bearer = listSchemes(contract).find(({ kind, name }) => kind === 'bearer' && credentials.has(name));
  const other = {
    fallback: createFallback(options, onSecret),
    bearer: bearer && credentials.get(bearer.name),
  };
  return {
    // A token alone needs no provider.
    provider:
      credentials.size === 0 && tokenCommand === undefined ? undefined : createProvider(credentials, other),
    certificate,
    watchSecrets(listener) {
      listeners.push(listener);
      for (const secret of secrets) listener(...secret);
    },
  };
}

/**
 * Lists the values that are known to be valid credentials, for traffic of other clients: configured values, and what
 * commands print. Logins and authorization servers would return other values than those of the clients.
 *
 * @throws Error like {@link openCredentialSettings}
 */
export async function listKnownCredentials(
  given: GivenSettings,
  contract: Contract,
): Promise<readonly string[]> {
  const settings = readSettings(given, contract);
  const folder = given.configured?.folder ?? '.';
  const commands = [...settings].flatMap(([subject, setting]) =>
    setting.kind === 'command' ? [{ subject, folder, command: setting.command }] : [],
  );
  if (given.tokenCommand !== undefined) {
    commands.push({ subject: '--token-command', folder: '.', command: given.tokenCommand });
  }
  const printed: string[] = [];
  for (const { command, ...how } of commands) printed.push(await runCredentialCommand(command, how));
  return [
    ...[...settings.values()].flatMap((setting) => ('value' in setting ? [setting.value] : [])),
    ...printed,
  ];
}
