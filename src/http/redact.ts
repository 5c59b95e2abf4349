import { latin1Text, textBytes } from './bytes.ts';
import type { HeaderList } from './message.ts';

/** The replacement for a secret. */
export const redacted = '[secret]';

/** Endings of names that carry credentials in any place, in lower case and without separators. */
const secretEnds =
  /(?:accesskey|apikey|authorization|clientassertion|codeverifier|devicecode|encryptionkey|passphrase|password(?:again|confirm(?:ation)?|hash|repeat)?|passwd|privatekey|samlresponse|secret|secretkey|sessionid|signature\d*|signingkey|subscriptionkey|token|tokenhint)$/u;

/** Last words of other names that carry credentials: `X-Auth`, `sig`. */
const secretWords = /(?:auth|jwt|pwd|session|sig)$/u;
const lastSecretWord = /(?<![a-z\d])(?:auth|jwt|pwd|session|sig)[^a-z\d]*$/iu;

/** Tokens that identify a position in a list, or a request. They grant no access. */
const harmlessTokens =
  /(?:cancellation|continuation|cursor|delta|idempotency|nexts?|pag(?:e|ing|ination)|prev(?:ious)?|request|resume|start|sync)token$/u;

/** Credentials of an OAuth flow (RFC 6749 §4.1.2, §4.1.3; RFC 7521 §4.1); outside of it these names are harmless. */
const flowNames: ReadonlySet<string> = new Set(['code', 'assertion']);

/** Members beside which these names are secret (RFC 6749 §4.1, RFC 9207 §2). */
const flowMembers = ['state', 'grant_type', 'iss'];

/** The maximum number of remembered names: clients may send arbitrary ones. */
export const mostNames = 1_000;
const longestName = 100;
/** Whether names are secret. The same ones occur in most messages. */
const knownNames = new Map<string, boolean | 'in-flow'>();

/**
 * Returns whether the value of a header field, a parameter, or a member of a form or of JSON is secret by its name:
 * `X-Api-Key`, `access_token`, `newPassword`, and `code` beside `state` or `grant_type`.
 *
 * @param beside - the names in the same query, form or object, in lower case
 */
export function isSecretName(name: string, beside: ReadonlySet<string> = new Set()): boolean {
  const isSecret = knownNames.get(name) ?? readName(name);
  if (knownNames.size < mostNames && name.length <= longestName) knownNames.set(name, isSecret);
  return isSecret === 'in-flow' ? flowMembers.some((each) => beside.has(each)) : isSecret;
}

function readName(name: string): boolean | 'in-flow' {
  const joined = name.toLowerCase().replaceAll(/[^a-z\d]+/gu, '');
  if (flowNames.has(joined)) return 'in-flow';
  if (secretEnds.test(joined)) return !harmlessTokens.test(joined);
  // Finding word boundaries is slow, and few names need it.
  return secretWords.test(joined) && lastSecretWord.test(name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' '));
}

type SecretPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `index` is the position of the secret in the list. */
  | { readonly kind: 'secret'; readonly index: number };

/** Shorter secrets are only matched as whole words: `t` is not matched within `Content-Type`. */
const shortestUnmistakable = 6;

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** Returns a pattern of hexadecimal digits, in either case. */
function hexPattern(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Returns a pattern of one character of a secret in all its spellings: literal; its bytes, as characters of a field
 * value or percent-encoded in a URL (RFC 3986 §2.1), with a plus for a space; or escaped in JSON (RFC 8259 §7).
 */
function characterPattern(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  // JSON also allows an escape for a slash, which JSON.stringify does not use.
  const escaped = character === '/' ? String.raw`\/` : JSON.stringify(character).slice(1, -1);
  const spellings = [
    bytes.map((byte) => `%${hexPattern(byte, 2)}`).join(''),
    units.map((unit) => String.raw`\\u${hexPattern(unit, 4)}`).join(''),
    ...(/^\\.$/u.test(escaped) ? [escapePattern(escaped)] : []),
    ...(bytes.length > 1 ? [String.fromCharCode(...bytes)] : []),
    ...(character === ' ' ? [String.raw`\+`] : []),
    // Last, because the other spellings of % and backslash start with it.
    escapePattern(character),
  ];
  return `(?:${spellings.join('|')})`;
}

/** Excludes parts of escapes, which are not words: `t` in the `\\t` of a JSON text, `20` in a `%20` of a URL. */
const notEscaped = String.raw`(?<!(?<!\\)(?:\\\\)*\\)(?<!%(?=[0-9A-Fa-f]{2}))`;

/** Compiling a pattern of some thousand characters overflows the stack. */
const longestPattern = 500;

/** Splits a secret into pieces that fit into a pattern. */
function cutSecret(secret: string): readonly string[] {
  const characters = Array.from(secret);
  return characters.flatMap((_, index) =>
    index % longestPattern === 0 ? [characters.slice(index, index + longestPattern).join('')] : [],
  );
}

/** Returns the pattern of a secret, or of its first piece. */
function secretPattern(secret: string): string {
  const [first = ''] = cutSecret(secret);
  const pattern = Array.from(first, characterPattern).join('');
  return secret.length < shortestUnmistakable
    ? `(?<![0-9A-Za-z_-])${/^\w/u.test(secret) ? notEscaped : ''}${pattern}(?![0-9A-Za-z_-])`
    : pattern;
}

/** Matches percent-encoded and JSON escapes of visible ASCII, but not `\\`, which may start another escape. */
const escapes = /%[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|\\["/]/gu;

/**
 * Finds the longest part of a secret that appears literally in each text with the secret, after the escapes of the text
 * are decoded. A percent sign, a backslash, and characters that may be decoded as part of an escape are excluded. A
 * backslash may also precede the secret.
 */
function findPlainPart(secret: string): string {
  const parts = `\\${secret.replaceAll('+', ' ')}`.split(/(?:[%\\][^%\\]{0,5})+|[^ -~]/u);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Decodes escapes, for a fast search of plain parts: a pattern of many secrets tries all at every character. */
function decodeEscapes(text: string): string {
  const decoded = /[%\\]/u.test(text)
    ? text.replaceAll(escapes, (escape) =>
        escape.length === 2 ? escape.slice(1) : String.fromCharCode(Number.parseInt(escape.slice(-2), 16)),
      )
    : text;
  return decoded.replaceAll('+', ' ');
}

/** The maximum size of the cache of patterns, one for each set of secrets in a text. */
const mostPatterns = 100;

/**
 * Creates a function that splits texts at every secret in them, even if some characters are percent-encoded or escaped
 * as in JSON. The pieces are in order, and none is empty. Creating the function costs more than using it.
 */
export function createSecretSplitter(secrets: readonly string[]): (text: string) => SecretPiece[] {
  const indexes = new Map(secrets.map((secret, index) => [secret, index] as const).toReversed());
  indexes.delete('');
  // The longest first, because one secret may be a prefix of another.
  const longestFirst = [...indexes.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => ({ secret, part: findPlainPart(secret) }));
  const patterns = new Map<string, RegExp>();
  const rests = new Map<string, readonly RegExp[]>();
  const whole = (text: string): SecretPiece[] => (text === '' ? [] : [{ kind: 'text', text }]);

  function toPattern(found: readonly string[]): RegExp {
    const key = found.map((secret) => indexes.get(secret)).join(' ');
    const pattern =
      patterns.get(key) ?? new RegExp(found.map((secret) => `(${secretPattern(secret)})`).join('|'), 'gu');
    if (patterns.size === mostPatterns) patterns.clear();
    patterns.set(key, pattern);
    return pattern;
  }

  /** Finds the end of a secret whose first piece is `match`; -1 if its other pieces do not follow. */
  function findEnd(text: string, secret: string, { index, 0: spelling }: RegExpExecArray): number {
    if (secret.startsWith(spelling) && text.startsWith(secret, index)) return index + secret.length;
    const rest =
      rests.get(secret) ??
      cutSecret(secret)
        .slice(1)
        .map((piece) => new RegExp(Array.from(piece, characterPattern).join(''), 'uy'));
    rests.set(secret, rest);
    return rest.reduce((end, pattern) => {
      pattern.lastIndex = end;
      return end !== -1 && pattern.test(text) ? pattern.lastIndex : -1;
    }, index + spelling.length);
  }

  return (text) => {
    const decoded = decodeEscapes(text);
    const candidates = longestFirst.filter(({ part }) => decoded.includes(part));
    if (candidates.length === 0) return whole(text);
    const found = candidates.map(({ secret }) => secret);
    const pieces: SecretPiece[] = [];
    let end = 0;
    for (const match of text.matchAll(toPattern(found))) {
      const [, ...groups] = match;
      const secret = found[groups.findIndex((group) => group !== undefined)] ?? '';
      const stop = findEnd(text, secret, match);
      if (match.index < end || stop === -1) continue;
      pieces.push(...whole(text.slice(end, match.index)), {
        kind: 'secret',
        index: indexes.get(secret) ?? 0,
      });
      end = stop;
    }
    return [...pieces, ...whole(text.slice(end))];
  };
}

/** Shorter base64 texts occur too often by chance. */
const shortestEncoded = 8;

/**
 * Returns the parts of base64 that are the same at any position of a secret in the encoded bytes (RFC 4648 §4, §5): its
 * first byte may be the first, second or third of a group.
 */
export function base64Spellings(secret: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  return [0, 1, 2].flatMap((before) => {
    const encoded = btoa(`${'\0'.repeat(before)}${bytes}`);
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return inner.length < shortestEncoded ? [] : [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Creates a function that replaces every secret in a text with a mark, also in base64. Existing marks are unchanged,
 * even if a secret is part of the mark. The function also hides the secrets that are added to the list later.
 */
export function createTextRedactor(
  secrets: readonly string[],
  mark: string = redacted,
): (text: string) => string {
  let size = -1;
  let split = createSecretSplitter([]);

  function learn(): void {
    const spelled = secrets
      .filter((secret) => secret !== '')
      .flatMap((secret) => [secret, ...base64Spellings(secret)]);
    split = createSecretSplitter(spelled.length === 0 ? [] : [mark, ...spelled]);
    size = secrets.length;
  }

  return (text) => {
    if (secrets.length !== size) learn();
    const pieces = split(text);
    return pieces.every(({ kind }) => kind === 'text')
      ? text
      : pieces.map((piece) => (piece.kind === 'secret' ? mark : piece.text)).join('');
  };
}

/**
 * Replaces every secret with `[secret]`, like {@link createTextRedactor}. A secret of fewer than six characters is only
 * replaced if it is a whole word.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  return createTextRedactor(secrets)(text);
}

/** Replaces every secret with `[secret]` in the contents of a report. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Names are unchanged. */
  readonly headers: (headers: HeaderList) => HeaderList;
}

/** Creates a redactor that works like {@link createTextRedactor}, for any number of texts. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const redact = createTextRedactor(secrets);
  return {
    text: redact,
    bytes(bytes) {
      const text = latin1Text(bytes);
      const shown = redact(text);
      return shown === text ? bytes : textBytes(shown);
    },
    headers(headers) {
      // Searching many short texts costs more than searching one.
      const values = headers.map(([, value]) => value).join('\n');
      return redact(values) === values
        ? headers
        : headers.map(([name, value]) => [name, redact(value)] as const);
    },
  };
}
