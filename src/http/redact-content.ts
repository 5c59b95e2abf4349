import { decodeUtf8, latin1Text, textBytes } from './bytes.ts';
import { cutAtEquals, decodeQueryText } from './query.ts';

/** Returns whether a member is a secret; `beside` has the names in the same query, form or object, in lower case. */
export type IsSecret = (name: string, beside: ReadonlySet<string>) => boolean;

/** Returns the replacement of a secret with this name. */
export type Replace = (secret: string, name: string) => string;

interface Rules {
  readonly isSecret: IsSecret;
  readonly replace: Replace;
}

/** Replaces secrets in `name=value&…`: a query, a fragment, or the content of a form. Values stay encoded. */
export function redactForm(text: string, { isSecret, replace }: Rules): string {
  const members = text.split('&').map((member) => {
    const [written, value] = cutAtEquals(member);
    return { written, name: decodeQueryText(written), value, member };
  });
  const names = new Set(members.map(({ name }) => name.toLowerCase()));
  return members
    .map(({ written, name, value, member }) =>
      value !== '' && isSecret(name, names) ? `${written}=${replace(value, name)}` : member,
    )
    .join('&');
}

/** Replaces secrets in the query and the fragment of each URL in a text (RFC 3986 §3.4, §3.5; RFC 6749 §4.2.2). */
export function redactUrls(text: string, rules: Rules): string {
  return text.replaceAll(/(?<=[?#])[^?#\s<>"]+/gu, (form) => redactForm(form, rules));
}

/** Matches a string (the last may be cut off), a punctuation character, or a word such as a number. */
const jsonToken = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gsu;

/** A value of a member in a JSON text. */
interface Found {
  readonly name: string;
  readonly text: string;
  readonly start: number;
}

/** An object or a list that is being read. */
interface Frame {
  readonly isObject: boolean;
  readonly names: Set<string>;
  readonly found: Found[];
  /** The current member, if it may be a secret; for items of a list, the member with the list. */
  name: string | undefined;
  isValue: boolean;
}

/** Used for a member whose siblings are not known yet. A name that is not secret beside all names is never secret. */
const allNames: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });
/** Matches the values of a list up to the next string, list or object. */
const plainValues = /[^"[\]{}]*/y;

/** Decodes a token of a JSON text; a token that is not a string is returned unchanged. */
function decodeJsonToken(token: string): string {
  if (!token.startsWith('"')) return token;
  if (/^"[^"\\]*"$/u.test(token)) return token.slice(1, -1);
  try {
    // `as`: the JSON text is a string, or JSON.parse throws.
    return JSON.parse(token) as string;
  } catch {
    return token.replaceAll(/^"|"$/gu, '');
  }
}

/** Matches what may be a name: a string, or a word. */
const jsonWord = /"(?:[^"\\]|\\.)*"?|[^\s{}[\],:"]+/gsu;
/** Testing a longer text takes longer than reading the structure. */
const longestWord = 100;

/** Returns whether a name in a text may be that of a secret. Most texts have none. */
function mayHoldSecret(text: string, isSecret: IsSecret): boolean {
  const words = text.match(jsonWord) ?? [];
  return words.some((word) => word.length > longestWord || isSecret(decodeJsonToken(word), allNames));
}

/** Finds the values of secret members, even in a text that is cut off or is not JSON. */
function findJsonSecrets(text: string, isSecret: IsSecret): readonly Found[] {
  if (!mayHoldSecret(text, isSecret)) return [];
  const secrets: Found[] = [];
  const open: Frame[] = [];
  const close = (): void => {
    const { names, found } = open.pop() ?? { names: new Set<string>(), found: [] };
    secrets.push(...found.filter(({ name }) => isSecret(name, names)));
  };
  const tokens = new RegExp(jsonToken);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const { 0: token, index } = match;
    const frame = open.at(-1);
    if (token === '{' || token === '[') {
      const isObject = token === '{';
      // The items of a list are values of its member, beside the same names.
      const { name, names } =
        isObject || frame === undefined ? { name: undefined, names: new Set<string>() } : frame;
      open.push({ isObject, names, found: [], name, isValue: !isObject });
      // A list may contain very many numbers.
      if (!isObject && name === undefined) {
        plainValues.lastIndex = tokens.lastIndex;
        plainValues.exec(text);
        tokens.lastIndex = plainValues.lastIndex;
      }
    } else if (token === '}' || token === ']') close();
    else if (frame === undefined) continue;
    else if (token === ':') frame.isValue = true;
    else if (token === ',') frame.isValue = !frame.isObject;
    else if (!frame.isValue) {
      const name = decodeJsonToken(token);
      frame.name = isSecret(name, allNames) ? name : undefined;
      frame.names.add(name.toLowerCase());
    } else if (frame.name !== undefined && !/^(?:true|false|null)$/u.test(token)) {
      frame.found.push({ name: frame.name, text: token, start: index });
    }
  }
  while (open.length > 0) close();
  return secrets.toSorted((left, right) => left.start - right.start);
}

function redactJson(text: string, { isSecret, replace }: Rules): string {
  let shown = '';
  let end = 0;
  for (const { name, text: token, start } of findJsonSecrets(text, isSecret)) {
    const secret = decodeJsonToken(token);
    const mark = secret === '' ? '' : replace(secret, name);
    if (mark === secret) continue;
    shown += `${text.slice(end, start)}${JSON.stringify(mark)}`;
    end = start + token.length;
  }
  return shown + text.slice(end);
}

/** Matches the name of a part, and its content up to the next line that begins with two hyphens (RFC 7578 §4.2). */
const formPart =
  /(content-disposition:[^\r\n]*;[ \t]*name="?([^";\r\n]*)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)(.*?)(?=\r\n--|$)/gisu;

function redactMultipart(text: string, { isSecret, replace }: Rules): string {
  const names = new Set([...text.matchAll(formPart)].map(([, , name = '']) => name.toLowerCase()));
  return text.replaceAll(formPart, (whole, ...[head = '', name = '', secret = '']: string[]) =>
    secret !== '' && isSecret(name, names) ? `${head}${replace(secret, name)}` : whole,
  );
}

/**
 * Replaces the secrets in the members of a form (`application/x-www-form-urlencoded`, `multipart/form-data`) or of
 * JSON. Content of another type is read as JSON if it looks like JSON. All other bytes are unchanged.
 *
 * @param contentType - the value of Content-Type, if there is one
 */
export function redactContent(
  content: Uint8Array,
  contentType: string | undefined,
  rules: Rules,
): Uint8Array {
  if (content.length === 0) return content;
  const decoded = decodeUtf8(content);
  const text = decoded ?? latin1Text(content);
  const shown = redactText(text, contentType?.toLowerCase() ?? '', rules);
  if (shown === text) return content;
  return decoded === undefined ? textBytes(shown) : new TextEncoder().encode(shown);
}

function redactText(text: string, type: string, rules: Rules): string {
  if (type.includes('x-www-form-urlencoded')) return redactForm(text, rules);
  if (type.includes('multipart/')) return redactMultipart(text, rules);
  return /^[^\w<]*[[{]/u.test(text) ? redactJson(text, rules) : text;
}
