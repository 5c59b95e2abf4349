import type { Contract } from '../contract/contract.ts';
import { resolveObject } from '../document/references.ts';
import { closestWord, joinWords } from '../errors/suggest.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { CredentialSetting, LocatedSetting } from './settings.ts';

/** Returns the security schemes that a document declares, used or not, by name (OpenAPI 3.1 §4.8.27). */
export function listDeclaredSchemes({ root }: Pick<Contract, 'root'>): ReadonlyMap<string, JsonObject> {
  const { components } = root;
  const { securitySchemes } = isJsonObject(components) ? components : {};
  const names = isJsonObject(securitySchemes) ? Object.keys(securitySchemes) : [];
  return new Map(
    names.flatMap((name) => {
      const scheme = resolveObject(root, appendPointer('/components/securitySchemes', name))?.value;
      return scheme === undefined ? [] : [[name, scheme] as const];
    }),
  );
}

/** Names the type of a scheme: `apiKey`, `oauth2`, `mutualTLS`; of HTTP the authentication scheme, such as `bearer`. */
function typeOf({ type, scheme }: JsonObject): string {
  const word = type === 'http' && typeof scheme === 'string' ? scheme.toLowerCase() : type;
  return typeof word === 'string' ? word : 'unknown';
}

const text = 'Write the credential as a text, or { command }';

/** The kinds of settings that fit each type of scheme, and what to write instead of others. */
const fitting: Readonly<
  Record<string, { readonly kinds: readonly CredentialSetting['kind'][]; readonly remedy: string }>
> = {
  apiKey: { kinds: ['value', 'command', 'login'], remedy: `${text}, or { operation, body, token }` },
  basic: {
    kinds: ['value', 'command', 'password', 'login'],
    remedy: 'Write "user:password", or { username, password }',
  },
  bearer: {
    kinds: ['value', 'command', 'oauth', 'login'],
    remedy: `${text}, or { operation, body, token }, or { clientId, clientSecret, tokenUrl }`,
  },
  oauth2: {
    kinds: ['value', 'command', 'oauth', 'login'],
    remedy: `${text}, or { clientId, clientSecret }`,
  },
  openIdConnect: {
    kinds: ['value', 'command', 'oauth', 'login'],
    remedy: `${text}, or { clientId, clientSecret }`,
  },
  mutualTLS: { kinds: ['certificate'], remedy: 'Write { cert: client.pem, key: client.key }' },
};

/** A setting that cannot be used with the document, and the reason. */
export interface Mismatch {
  readonly scheme: string;
  readonly reason: string;
  readonly remedy: string;
}

function findMismatch(
  name: string,
  setting: LocatedSetting,
  {
    declared,
    operations,
  }: Pick<Contract, 'operations'> & { readonly declared: ReadonlyMap<string, JsonObject> },
): Mismatch | undefined {
  const scheme = declared.get(name);
  if (scheme === undefined) {
    const names = [...declared.keys()];
    const near = closestWord(name, names);
    const list = names.length === 0 ? 'Leave it out' : `It has ${joinWords(names, 'and')}`;
    const remedy = near === undefined ? list : `Perhaps "${near}" was meant`;
    return { scheme: name, reason: 'the document has no security scheme of this name', remedy };
  }
  const type = typeOf(scheme);
  const fit = fitting[type];
  if (fit === undefined) {
    const reason = `the scheme is ${type}, for which Cloche cannot send credentials`;
    return { scheme: name, reason, remedy: 'Send the credential with --header' };
  }
  if (!fit.kinds.includes(setting.kind)) {
    return { scheme: name, reason: `it does not fit the scheme, which is ${type}`, remedy: fit.remedy };
  }
  if (type === 'basic' && setting.kind === 'value' && !/:|^basic[ \t]/iu.test(setting.value)) {
    return {
      scheme: name,
      reason: 'the scheme is basic, and the credential has no colon',
      remedy: fit.remedy,
    };
  }
  if (setting.kind === 'login' && operations.every(({ id }) => id !== setting.operation)) {
    const near = closestWord(
      setting.operation,
      operations.map(({ id }) => id),
    );
    const remedy = near === undefined ? 'Name the operationId of the login' : `Perhaps "${near}" was meant`;
    return { scheme: name, reason: `the document has no operation "${setting.operation}"`, remedy };
  }
  return undefined;
}

/** Lists the settings whose scheme or login operation the document does not declare, or declares as another type. */
export function findMismatches(
  settings: ReadonlyMap<string, LocatedSetting>,
  contract: Pick<Contract, 'root' | 'operations'>,
): readonly Mismatch[] {
  const document = { declared: listDeclaredSchemes(contract), operations: contract.operations };
  return [...settings].flatMap(([name, setting]) => findMismatch(name, setting, document) ?? []);
}
