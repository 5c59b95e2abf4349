import type { Contract } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import type { Connection } from './http-endpoint.ts';
import { type Fetched, RenewableCredential } from './renewable-credential.ts';
import { runCredentialCommand } from './run-command.ts';
import type { CredentialSetting, SecretListener } from './settings.ts';

/** What the settings of schemes need to get credentials. */
export interface CredentialContext {
  readonly contract: Contract;
  /** The security schemes of the document by name. */
  readonly declared: ReadonlyMap<string, JsonObject>;
  /** The settings of all schemes: a login operation may require the credentials of others. */
  readonly settings: ReadonlyMap<string, CredentialSetting>;
  readonly baseUrl: URL;
  readonly connection: Connection;
  /** Header fields of every request. */
  readonly headers: HeaderList;
  /** The working directory of commands. */
  readonly folder: string;
  readonly onSecret: SecretListener;
}

/** Creates a credential that a command prints. `subject` is for error messages, like that of {@link runCredentialCommand}. */
export function createCommandCredential(
  command: string,
  {
    subject,
    folder,
    onSecret,
  }: Pick<CredentialContext, 'folder' | 'onSecret'> & { readonly subject: string },
): RenewableCredential {
  return new RenewableCredential(async () => {
    const value = await runCredentialCommand(command, { subject, folder });
    onSecret(value, `the credential of ${subject}`);
    return { value };
  });
}

function createLogin(
  scheme: string,
  setting: CredentialSetting & { readonly kind: 'login' },
  context: CredentialContext,
): RenewableCredential {
  const { contract, settings, onSecret } = context;
  const tokens = new Map(
    [...settings].flatMap(([name, each]) => ('value' in each ? [[name, each.value] as const] : [])),
  );
  return new RenewableCredential(async () => {
    const { logIn } = await import('./login.ts');
    const operation = contract.operations.find(({ id }) => id === setting.operation);
    if (operation === undefined) throw new TypeError(`Unchecked operation ${setting.operation}`);
    const value = await logIn(operation, { ...context, scheme, settings: setting, tokens });
    onSecret(value, `the credential of ${scheme}`);
    return { value };
  });
}

/** Creates the credential of a scheme from its settings; undefined for a client certificate, which no request carries. */
export function createCredential(
  scheme: string,
  setting: CredentialSetting,
  context: CredentialContext,
): RenewableCredential | undefined {
  switch (setting.kind) {
    case 'certificate':
      return undefined;
    case 'value':
    case 'password':
      return new RenewableCredential(() => Promise.resolve({ value: setting.value }), { isFixed: true });
    case 'command':
      return createCommandCredential(setting.command, { ...context, subject: scheme });
    case 'login':
      return createLogin(scheme, setting, context);
    case 'oauth': {
      let fetchToken: (() => Promise<Fetched>) | undefined;
      return new RenewableCredential(async () => {
        const { createTokenFetcher } = await import('./oauth.ts');
        const declared = context.declared.get(scheme) ?? {};
        fetchToken ??= createTokenFetcher({ ...context, scheme, settings: setting, declared });
        return fetchToken();
      });
    }
  }
}
