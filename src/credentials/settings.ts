import type { DocumentProblem } from '../document/document.ts';
import { closestWord, joinWords } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The settings of OAuth 2 for a scheme (RFC 6749). With a refresh token its grant is used, else client credentials. */
export interface OAuthSettings {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly refreshToken?: string;
  /** The token endpoint. @defaultValue that of the document, if it has the origin of the service */
  readonly tokenUrl?: string;
  /** The issuer, or its metadata (OpenID Connect Discovery 1.0 §4). @defaultValue as for tokenUrl */
  readonly discovery?: string;
  readonly scopes: readonly string[];
  readonly audience?: string;
  /** How the client authenticates (RFC 6749 §2.3.1). */
  readonly clientAuthentication: 'basic' | 'post';
}

/** An operation of the document that returns a credential. */
export interface LoginSettings {
  /** The id of the operation. */
  readonly operation: string;
  /** The JSON of its request body. @defaultValue none */
  readonly body?: JsonValue;
  /** The place of the credential: `$response.body#/token`, `$response.header.X-Token` or `$response.cookie.session`. */
  readonly token: string;
}

/** Called with a secret, and a description of it for users. */
export type SecretListener = (value: string, meaning: string) => void;

/** How to get the credential of a security scheme. */
export type CredentialSetting =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'password'; readonly value: string; readonly password: string }
  | { readonly kind: 'command'; readonly command: string }
  | ({ readonly kind: 'oauth' } & OAuthSettings)
  | ({ readonly kind: 'login' } & LoginSettings)
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string };

/** The settings of a scheme, and their place in the configuration; undefined for settings of the command line. */
export type LocatedSetting = CredentialSetting & { readonly pointer: JsonPointer | undefined };

type ObjectKind = Exclude<CredentialSetting['kind'], 'value'>;

/** The members of each kind of settings. Its own kind is that with the most members of an object. */
const members: Readonly<
  Record<ObjectKind, { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  command: { required: ['command'], optional: [] },
  password: { required: ['username', 'password'], optional: [] },
  oauth: {
    required: ['clientId'],
    optional: [
      'clientSecret',
      'refreshToken',
      'tokenUrl',
      'discovery',
      'scopes',
      'audience',
      'clientAuthentication',
    ],
  },
  login: { required: ['operation', 'token'], optional: ['body'] },
  certificate: { required: ['cert', 'key'], optional: [] },
};

// `as`: these are the keys of the object above.
const kinds = Object.keys(members) as readonly ObjectKind[];

const namesOf = (kind: ObjectKind): readonly string[] => [
  ...members[kind].required,
  ...members[kind].optional,
];

/** Matches the end of a line and other characters that no header field can carry (RFC 9110 §5.5). */
const controls = /[^\P{Cc}\t]/u;

/** Returns why a text is no credential; undefined if it may be one. */
export function findCredentialFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  return controls.test(text) ? 'it has a control character or several lines' : undefined;
}

/** Problems of settings, collected with their places. */
type Complain = (pointer: JsonPointer, reason: string, remedy: string) => void;

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';

function isUsableUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.username === '' && url.password === '';
}

function listScopes(scopes: JsonValue | undefined): readonly string[] | undefined {
  const list = typeof scopes === 'string' ? scopes.split(/\s+/u) : (scopes ?? []);
  return Array.isArray(list) && list.every(isText) ? list : undefined;
}

/** Checks the values of the members of an object of settings, which has all required members and no others. */
function checkMembers(object: JsonObject, pointer: JsonPointer, complain: Complain): void {
  for (const [name, value] of Object.entries(object)) {
    const place = appendPointer(pointer, name);
    if (name === 'body') continue;
    if (name === 'scopes') {
      if (listScopes(value) === undefined)
        complain(place, 'is no list of texts', 'Write it as [orders, stock]');
    } else if (!isText(value)) {
      complain(place, 'is no text, or an empty one', 'Put a text in quotes');
    } else if (name === 'username' && value.includes(':')) {
      complain(place, 'has a colon, which ends a user name (RFC 7617 §2)', 'Leave it out');
    } else if (['tokenUrl', 'discovery'].includes(name) && !isUsableUrl(value)) {
      complain(place, 'is no http or https URL', 'Write it as https://login.example.com/token');
    } else if (name === 'clientAuthentication' && value !== 'basic' && value !== 'post') {
      complain(place, 'is no way to authenticate a client', 'Write basic or post');
    } else if (name === 'token' && !/^\$response\.(?:body#|header\.|cookie\.)./u.test(value)) {
      const remedy = 'Write $response.body#/token, $response.header.NAME or $response.cookie.NAME';
      complain(place, 'is no place in a response', remedy);
    }
  }
}

function findKind(object: JsonObject): ObjectKind | undefined {
  const scores = kinds.map((kind) => ({
    kind,
    score: namesOf(kind).filter((name) => Object.hasOwn(object, name)).length,
  }));
  const [best] = scores.toSorted((left, right) => right.score - left.score);
  return best === undefined || best.score === 0 ? undefined : best.kind;
}

const kindsInWords =
  'Write a text, or one of { command }, { username, password }, { clientId, clientSecret }, { operation, body, token }, { cert, key }';

/** Converts an object whose members were checked. */
function toSetting(kind: ObjectKind, object: JsonObject): CredentialSetting {
  const text = (name: string): string => {
    const value = object[name];
    return typeof value === 'string' ? value : '';
  };
  const optional = <Name extends string>(name: Name): { readonly [Each in Name]?: string } =>
    // `as`: TypeScript widens a computed name.
    (object[name] === undefined ? {} : { [name]: text(name) }) as { readonly [Each in Name]?: string };
  switch (kind) {
    case 'command':
      return { kind, command: text('command') };
    case 'password':
      return { kind, value: `${text('username')}:${text('password')}`, password: text('password') };
    case 'certificate':
      return { kind, cert: text('cert'), key: text('key') };
    case 'login': {
      const { body } = object;
      return {
        kind,
        operation: text('operation'),
        token: text('token'),
        ...(body === undefined ? {} : { body }),
      };
    }
    case 'oauth':
      return {
        kind,
        clientId: text('clientId'),
        ...optional('clientSecret'),
        ...optional('refreshToken'),
        ...optional('tokenUrl'),
        ...optional('discovery'),
        ...optional('audience'),
        scopes: listScopes(object['scopes']) ?? [],
        clientAuthentication: object['clientAuthentication'] === 'post' ? 'post' : 'basic',
      };
  }
}

function readSetting(
  value: JsonValue,
  pointer: JsonPointer,
  complain: Complain,
): CredentialSetting | undefined {
  if (typeof value === 'string') {
    const fault = findCredentialFault(value);
    if (fault === undefined) return { kind: 'value', value };
    complain(pointer, `cannot be sent, as ${fault}`, 'Write the credential alone, on one line');
    return undefined;
  }
  const kind = isJsonObject(value) ? findKind(value) : undefined;
  if (kind === undefined || !isJsonObject(value)) {
    const known = Object.values(members).flatMap(({ required, optional }) => [...required, ...optional]);
    const [near] = isJsonObject(value)
      ? Object.keys(value).flatMap((name) => closestWord(name, known) ?? [])
      : [];
    const remedy = near === undefined ? kindsInWords : `Perhaps "${near}" was meant`;
    complain(pointer, 'is no credential, and does not say how to get one', remedy);
    return undefined;
  }
  const names = namesOf(kind);
  let faults = 0;
  const report: Complain = (...problem) => {
    faults += 1;
    complain(...problem);
  };
  for (const name of Object.keys(value).filter((each) => !names.includes(each))) {
    const near = closestWord(name, names);
    const remedy = near === undefined ? `It takes ${joinWords(names, 'and')}` : `Perhaps "${near}" was meant`;
    report(appendPointer(pointer, name), 'is no setting of a credential of this kind', remedy);
  }
  for (const name of members[kind].required.filter((each) => !Object.hasOwn(value, each))) {
    report(pointer, `must have "${name}"`, 'Add it');
  }
  checkMembers(value, pointer, report);
  if (kind === 'oauth' && value['refreshToken'] === undefined && value['clientSecret'] === undefined) {
    report(pointer, 'must have "clientSecret" or "refreshToken"', 'Add one of them');
  }
  return faults === 0 ? toSetting(kind, value) : undefined;
}

/** Settings by the name of their scheme, and what is wrong with the others. */
export interface ReadSettings {
  readonly settings: ReadonlyMap<string, LocatedSetting>;
  readonly problems: readonly DocumentProblem[];
}

/**
 * Reads the `credentials` of a configuration: for each security scheme a text, or an object that says how to get the
 * credential.
 *
 * @param pointer - the place of the value in the configuration
 *
 * @example
 * readCredentialSettings({ bearerAuth: 's3cret', session: { command: './login.sh' } }, '/credentials');
 */
export function readCredentialSettings(value: JsonValue, pointer: JsonPointer = ''): ReadSettings {
  const problems: DocumentProblem[] = [];
  const complain: Complain = (place, reason, remedy) => {
    problems.push({ pointer: place, reason, remedy });
  };
  const settings = new Map<string, LocatedSetting>();
  if (!isJsonObject(value)) {
    complain(pointer, 'is no object of credentials by security scheme', 'Write it as { bearerAuth: … }');
    return { settings, problems };
  }
  for (const [scheme, each] of Object.entries(value)) {
    const place = appendPointer(pointer, scheme);
    const setting = readSetting(each, place, complain);
    if (setting !== undefined) settings.set(scheme, { ...setting, pointer: place });
  }
  return { settings, problems };
}
