import { latin1Text, textBytes } from './bytes.ts';
import type { HeaderList } from './message.ts';

/** What stands in the place of a secret. */
export const redacted = '[secret]';

/** Ends of names that carry credentials wherever they stand, in lower case and without separators. */
const secretEnds =
  /(?:accesskey|apikey|authorization|clientassertion|encryptionkey|passphrase|password(?:again|confirm(?:ation)?|hash|repeat)?|passwd|privatekey|samlresponse|secret|secretkey|sessionid|signature\d*|signingkey|subscriptionkey|token)$/u;

/** The last words of other such names: `X-Auth`, `sig`. */
const secretWords = /(?:auth|jwt|pwd|session|sig)$/u;
const lastSecretWord = /(?<![a-z\d])(?:auth|jwt|pwd|session|sig)[^a-z\d]*$/iu;

/** Tokens that name a place in a list, or a request: they open nothing. */
const harmlessTokens =
  /(?:cancellation|continuation|cursor|delta|idempotency|nexts?|pag(?:e|ing|ination)|prev(?:ious)?|request|resume|start|sync)token$/u;

/** Credentials of an OAuth flow (RFC 6749 §4.1.2, §4.1.3; RFC 7521 §4.1); elsewhere these names mean something else. */
const flowNames: ReadonlySet<string> = new Set(['code', 'assertion']);

/**
 * Whether the value of a header field, a parameter, or a member of a form or of JSON is a secret by its name: `X-Api-Key`,
 * `access_token`, `newPassword`, and `code` beside `state` or `grant_type`.
 *
 * @param beside - the names in the same query, form or object, in lower case
 */
export function isSecretName(name: string, beside: ReadonlySet<string> = new Set()): boolean {
  const joined = name.toLowerCase().replaceAll(/[^a-z\d]+/gu, '');
  if (flowNames.has(joined)) return beside.has('state') || beside.has('grant_type');
  if (secretEnds.test(joined)) return !harmlessTokens.test(joined);
  // To find where words begin is slow, and few names need it.
  return secretWords.test(joined) && lastSecretWord.test(name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' '));
}

type SecretPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `index` is the place of the secret in the list. */
  | { readonly kind: 'secret'; readonly index: number };

/** A shorter secret counts only where it stands as a word of its own: `t` is no part of `Content-Type`. */
const shortestUnmistakable = 6;

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** Hexadecimal digits, in either case. */
function hexPattern(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * One character of a secret as it may stand in a text: as it is; its bytes, as characters of a field value or
 * percent-encoded in a URL (RFC 3986 §2.1), where a plus is a space; or escaped in a JSON text (RFC 8259 §7).
 */
function characterPattern(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  // Of a slash too there is an escape, which JSON.stringify does without.
  const escaped = character === '/' ? String.raw`\/` : JSON.stringify(character).slice(1, -1);
  const spellings = [
    bytes.map((byte) => `%${hexPattern(byte, 2)}`).join(''),
    units.map((unit) => String.raw`\\u${hexPattern(unit, 4)}`).join(''),
    ...(/^\\.$/u.test(escaped) ? [escapePattern(escaped)] : []),
    ...(bytes.length > 1 ? [String.fromCharCode(...bytes)] : []),
    ...(character === ' ' ? [String.raw`\+`] : []),
    // The last: the other spellings of % and of a backslash begin with it.
    escapePattern(character),
  ];
  return `(?:${spellings.join('|')})`;
}

/** What is part of an escape is no word: `t` in the `\\t` of a JSON text, `20` in a `%20` of a URL. */
const notEscaped = String.raw`(?<!(?<!\\)(?:\\\\)*\\)(?<!%(?=[0-9A-Fa-f]{2}))`;

/** A pattern of some thousand characters overflows the stack as it is compiled. */
const longestPattern = 500;

/** Cuts a secret into pieces that fit into a pattern. */
function cutSecret(secret: string): readonly string[] {
  const characters = Array.from(secret);
  return characters.flatMap((_, index) =>
    index % longestPattern === 0 ? [characters.slice(index, index + longestPattern).join('')] : [],
  );
}

/** The pattern of a secret, or of its first piece. */
function secretPattern(secret: string): string {
  const [first = ''] = cutSecret(secret);
  const pattern = Array.from(first, characterPattern).join('');
  return secret.length < shortestUnmistakable
    ? `(?<![0-9A-Za-z_-])${/^\w/u.test(secret) ? notEscaped : ''}${pattern}(?![0-9A-Za-z_-])`
    : pattern;
}

/** The escapes of visible ASCII: percent-encoded, and of JSON, but for that of a backslash, which may begin another. */
const escapes = /%[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|\\["/]/gu;

/**
 * Finds the longest part of a secret that stands as it is in each text with the secret, once the escapes of the text
 * are decoded: a percent sign, a backslash and what decoding may take for the rest of an escape are no part of it. A
 * backslash may also stand before the secret.
 */
function findPlainPart(secret: string): string {
  const parts = `\\${secret.replaceAll('+', ' ')}`.split(/(?:[%\\][^%\\]{0,5})+|[^ -~]/u);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Decodes what may spell a plain part, to search it at once: a pattern of many secrets tries all at every character. */
function decodeEscapes(text: string): string {
  const decoded = /[%\\]/u.test(text)
    ? text.replaceAll(escapes, (escape) =>
        escape.length === 2 ? escape.slice(1) : String.fromCharCode(Number.parseInt(escape.slice(-2), 16)),
      )
    : text;
  return decoded.replaceAll('+', ' ');
}

/** So many patterns of secrets that stand in one text are kept. */
const mostPatterns = 100;

/**
 * Creates what cuts texts at every place where a secret stands in them, whichever of its characters are
 * percent-encoded or escaped as in JSON, into pieces in order, none of them empty. To create it costs more
 * than to use it.
 */
export function createSecretSplitter(secrets: readonly string[]): (text: string) => SecretPiece[] {
  const indexes = new Map(secrets.map((secret, index) => [secret, index] as const).toReversed());
  indexes.delete('');
  // The longest first: one secret may begin with another.
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

/** Base64 of less than this stands in too many places by chance. */
const shortestEncoded = 8;

/**
 * What of base64 is the same wherever a secret stands in the bytes that are encoded (RFC 4648 §4, §5): its
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
 * Creates what puts a mark in the place of every secret in a text, in base64 too. What is marked already
 * stays as it is, even where a secret is the word of the mark.
 */
export function createTextRedactor(
  secrets: readonly string[],
  mark: string = redacted,
): (text: string) => string {
  const spelled = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, ...base64Spellings(secret)]);
  const split = createSecretSplitter(spelled.length === 0 ? [] : [mark, ...spelled]);
  return (text) => {
    const pieces = split(text);
    return pieces.every(({ kind }) => kind === 'text')
      ? text
      : pieces.map((piece) => (piece.kind === 'secret' ? mark : piece.text)).join('');
  };
}

/**
 * Puts `[secret]` in the place of every secret, as {@link createTextRedactor} does; a secret of fewer than
 * six characters is seen only where it stands as a word of its own.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  return createTextRedactor(secrets)(text);
}

/** Puts `[secret]` in the place of every secret, in whatever a report holds. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Names are kept as they are. */
  readonly headers: (headers: HeaderList) => HeaderList;
}

/** Creates what hides secrets as {@link createTextRedactor} does; made once, it serves any number of texts. */
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
      // To look into many short texts costs more than to look into one.
      const values = headers.map(([, value]) => value).join('\n');
      return redact(values) === values
        ? headers
        : headers.map(([name, value]) => [name, redact(value)] as const);
    },
  };
}
