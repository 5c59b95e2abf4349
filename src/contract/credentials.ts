import { mountedDocuments, plainPointer } from '../document/references.ts';
import { decodeBasic } from '../http/bytes.ts';
import { type HeaderList, headerValue } from '../http/message.ts';
import { isSecretName, mostNames } from '../http/redact.ts';
import {
  type IsSecret,
  redactContent,
  redactForm,
  redactUrls,
  type Replace,
} from '../http/redact-content.ts';
import { resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Contract } from './contract.ts';

/** The names of fields and members that carry credentials in the messages of a document. */
export interface CredentialNames {
  /** Returns whether a header field of a request or a response carries credentials. */
  readonly isField: (name: string) => boolean;
  /** Whether a query parameter, or a member of a form or of JSON, carries credentials. */
  readonly isMember: IsSecret;
}

/** Header fields that carry credentials by convention, though their names do not suggest it. */
const usualFields: ReadonlySet<string> = new Set(['cookie', 'set-cookie']);

/** Schemes before credentials: the IANA registry and others in common use. Another first word may be a secret. */
const schemes =
  /^(?:apikey|aws4-hmac-sha256|basic|bearer|digest|dpop|gnap|hoba|key|mac|mutual|negotiate|ntlm|oauth|privatetoken|scram-sha-1|scram-sha-256|token|vapid)[ \t]+/iu;

/** Names in lower case that a document declares as secrets. */
interface DeclaredNames {
  readonly fields: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
}

/** A chain of references may be as long as the document. */
const deepestSchema = 64;

/** Creates a test for `format: password` in a schema, its references and its parts (OpenAPI 3.1 §4.4). */
function createPasswordTest(root: JsonObject): (schema: JsonValue | undefined) => boolean {
  const known = new Map<JsonObject, boolean>();
  function isPassword(schema: JsonValue | undefined, depth: number): boolean {
    if (!isJsonObject(schema) || depth > deepestSchema) return false;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Schemas can be recursive.
    known.set(schema, false);
    const { format, $ref } = schema;
    const pointer = typeof $ref === 'string' ? plainPointer($ref) : undefined;
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []);
    const target = pointer === undefined ? undefined : resolvePointer(root, pointer);
    const found = format === 'password' || [...parts, target].some((part) => isPassword(part, depth + 1));
    known.set(schema, found);
    return found;
  }
  return (schema) => isPassword(schema, 0);
}

/** Returns whether a document contains `format: password`. Most do not, and need no search through schemas. */
function holdsPassword(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsPassword);
  if (!isJsonObject(value)) return false;
  if (value['format'] === 'password') return true;
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && holdsPassword(member)) return true;
  }
  return false;
}

/** Finds the names of API keys, used or not, and of members with the format `password`. */
function findDeclaredNames(root: JsonObject): DeclaredNames {
  const fields = new Set<string>();
  const members = new Set<string>();
  const add = (name: JsonValue | undefined, place: JsonValue | undefined): void => {
    if (typeof name === 'string') (place === 'header' ? fields : members).add(name.toLowerCase());
  };
  const { components, paths, webhooks, [mountedDocuments]: mounted } = root;
  const { securitySchemes } = isJsonObject(components) ? components : {};
  for (const scheme of isJsonObject(securitySchemes) ? Object.values(securitySchemes) : []) {
    if (isJsonObject(scheme) && scheme['type'] === 'apiKey') add(scheme['name'], scheme['in']);
  }
  const parts = [components, paths, webhooks, mounted].map((part) => part ?? null);
  if (!parts.some(holdsPassword)) return { fields, members };
  const isPassword = createPasswordTest(root);
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const { in: place, name, schema, properties } = value;
    if (isPassword(schema)) add(name, place);
    for (const [property, part] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (isPassword(part)) add(property, 'body');
    }
    Object.values(value).forEach(visit);
  };
  parts.forEach(visit);
  return { fields, members };
}

const declaredNames = new WeakMap<JsonObject, DeclaredNames>();

/**
 * Finds the fields and members with credentials: by security scheme (OpenAPI 3.1 §4.8.27), `format: password` or
 * convention.
 */
export function credentialNames({ root }: Pick<Contract, 'root'>): CredentialNames {
  // Found on first use, which keeps the start of a mock fast.
  const declared = (): DeclaredNames => {
    let known = declaredNames.get(root);
    if (known === undefined) declaredNames.set(root, (known = findDeclaredNames(root)));
    return known;
  };
  const fields = new Map<string, boolean>();
  return {
    // The same names occur in most requests.
    isField(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const isSecret =
        usualFields.has(name.toLowerCase()) ||
        isSecretName(name) ||
        declared().fields.has(name.toLowerCase());
      if (fields.size < mostNames) fields.set(name, isSecret);
      return isSecret;
    },
    isMember: (name, beside) => isSecretName(name, beside) || declared().members.has(name.toLowerCase()),
  };
}

/** Keeps the scheme and hides the rest. A single word may be a misplaced token. */
function hideAuthorization(value: string, replace: (secret: string) => string): string {
  const [scheme = ''] = schemes.exec(value) ?? [];
  const rest = value.slice(scheme.length);
  if (rest === '' || (scheme === '' && schemes.test(`${rest} `))) return value;
  const shown = `${scheme}${replace(rest)}`;
  const pair = /^basic/iu.test(scheme) ? decodeBasic(rest) : undefined;
  if (pair !== undefined) {
    // Also registers the decoded pair and the password, which may appear in other places.
    [pair, pair.slice(pair.indexOf(':') + 1)].filter((secret) => secret !== '').forEach(replace);
  }
  return shown;
}

/** Hides the value of each cookie, because the document does not mark session cookies. A nameless one is all value. */
function hideCookies(value: string, replace: Replace): string {
  return value
    .split(';')
    .map((pair) => {
      const end = pair.indexOf('=');
      const secret = end === -1 ? pair.trim() : pair.slice(end + 1);
      const name = end === -1 ? '' : pair.slice(0, end).trim();
      return secret === '' ? pair : `${end === -1 ? '' : pair.slice(0, end + 1)}${replace(secret, name)}`;
    })
    .join(';');
}

/** A user and a password before the host of a target in absolute form. */
const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/iu;

/** Fields whose values are URLs (RFC 9110 §10.2.2, §8.7, §10.1.3; RFC 8288 §3). Their queries may hold credentials. */
const urlFields: ReadonlySet<string> = new Set([
  'location',
  'content-location',
  'referer',
  'link',
  'refresh',
]);

/** Replaces credentials in the parts of a message. */
export interface CredentialReplacement {
  readonly headers: (headers: HeaderList, replace: Replace) => HeaderList;
  readonly target: (target: string, replace: Replace) => string;
  /** Replaces credentials in content with these header fields. */
  readonly content: (content: Uint8Array, headers: HeaderList, replace: Replace) => Uint8Array;
}

/**
 * Creates the replacement of credentials: in HTTP header fields, in declared API keys and passwords, and in members
 * with conventional names.
 */
export function createCredentialReplacement(contract: Pick<Contract, 'root'>): CredentialReplacement {
  const { isField, isMember: isSecret } = credentialNames(contract);

  function hideField(name: string, value: string, replace: Replace): string {
    const field = name.toLowerCase();
    if (urlFields.has(field)) return redactUrls(value, { isSecret, replace });
    if (!isField(name)) return value;
    switch (field) {
      case 'authorization':
      case 'proxy-authorization':
        return hideAuthorization(value, (secret) => replace(secret, name));
      case 'cookie':
        return hideCookies(value, replace);
      case 'set-cookie': {
        // The attributes of the cookie stay (RFC 6265 §4.1).
        const [pair = '', ...attributes] = value.split(';');
        return [hideCookies(pair, replace), ...attributes].join(';');
      }
      default:
        return value === '' ? value : replace(value, name);
    }
  }

  return {
    headers: (headers, replace) =>
      headers.map(([name, value]) => [name, hideField(name, value, replace)] as const),
    target(whole, replace) {
      const target = whole.replace(
        userinfo,
        (_, scheme: string, secret: string) =>
          `${scheme}${secret === '' ? '' : replace(secret, 'userinfo')}@`,
      );
      const start = target.indexOf('?') + 1;
      return start === 0
        ? target
        : `${target.slice(0, start)}${redactForm(target.slice(start), { isSecret, replace })}`;
    },
    content: (content, headers, replace) =>
      redactContent(content, headerValue(headers, 'content-type'), { isSecret, replace }),
  };
}
