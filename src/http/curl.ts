import { latin1Text, printableText, textBytes } from './bytes.ts';
import { expectsContent, type Framing, type HttpRequest } from './message.ts';
import { pathPrefix } from './path.ts';
import { serializeRequest } from './serialize-request.ts';
import {
  bash,
  createWordSplitter,
  quoteText,
  quoteWord,
  type SecretVariable,
  secretVariables,
  type Shell,
  type WordPart,
} from './shell-quoting.ts';

/**
 * Writes a request for curl in Telnet mode, which interprets no bytes and prints all it receives. Not for TLS.
 *
 * @example
 * printf 'OPTIONS /things HTTP/1.1\r\nHost: 127.0.0.1:4010\r\nConnection: close\r\n\r\n' |
 *   curl -sS --max-time 5 telnet://127.0.0.1:4010
 */
function toRawCurl(source: CurlSource, baseUrl: URL, split: (text: string) => WordPart[]): string {
  const { request, framing = 'content-length', shell = bash } = source;
  const authority = baseUrl.host;
  const pieces = serializeRequest({ request, authority, prefix: pathPrefix(baseUrl), framing });
  const parts = split(pieces.map((piece) => latin1Text(piece)).join(''));
  const place = baseUrl.port === '' ? `${authority}:80` : authority;
  const url = quoteWord(`telnet://${place}`, shell);
  const { before, after } = shell.feed(parts);
  return `${before}${['curl -sS --max-time 5', ...toProxyOptions(source, split), url].join(' ')}${after}`;
}

/** How curl connects to the service. */
export interface CurlConnection {
  /** Whether any certificate of the service is accepted. @defaultValue false */
  readonly insecure?: boolean;
  /** The file with the certificate authority to trust, PEM. */
  readonly ca?: string | undefined;
  /** The file with the certificate that curl presents, PEM. */
  readonly clientCert?: string | undefined;
  /** The file with the private key of `clientCert`, PEM. */
  readonly clientKey?: string | undefined;
  /** The URL of the outgoing proxy, with its credentials. */
  readonly proxy?: string | undefined;
}

/** Input of {@link toCurl}. */
export interface CurlSource extends CurlConnection {
  readonly request: HttpRequest;
  readonly baseUrl: string | URL;
  /** Secrets to replace with shell variables, the token first. @defaultValue [] */
  readonly secrets?: readonly string[];
  /** The descriptions of the secrets; equal ones share a variable. @defaultValue [] */
  readonly secretMeanings?: readonly string[] | undefined;
  /** curl does not support `several-packets`; the default is used. @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** The shell that the command is for. @defaultValue bash */
  readonly shell?: Shell | undefined;
  /** The variables for values that an earlier line saves. @defaultValue [] */
  readonly taken?: readonly SecretVariable[];
  /**
   * How to show bytes after the end of the response: by ignoring Content-Length, or by printing everything received,
   * which is needed if the status allows no content (204, 304). Over TLS curl cannot do that, and only reports bytes
   * that arrive immediately.
   *
   * @defaultValue undefined, not shown
   */
  readonly excess?: 'after-length' | 'after-head' | undefined;
}

/**
 * Finds the UTF-16 encoding of content that contains a value from an earlier line. Returns it with the content in
 * UTF-8, in which a shell can insert that value.
 */
function findUtf16(
  body: Uint8Array,
  taken: readonly SecretVariable[],
): { readonly encoding: 'UTF-16LE' | 'UTF-16BE'; readonly text: Uint8Array } | undefined {
  const bytes = latin1Text(body);
  if (body.length % 2 === 1) return undefined;
  const holds = (spell: (letter: string) => string): boolean =>
    taken.some(([value]) => bytes.indexOf([...value].map(spell).join('')) % 2 === 0);
  const encoding = holds((letter) => `${letter}\0`) ? 'UTF-16LE' : 'UTF-16BE';
  if (encoding === 'UTF-16BE' && !holds((letter) => `\0${letter}`)) return undefined;
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { encoding, text: new TextEncoder().encode(decoder.decode(body)) };
}

/** Longer content is piped: the length of an argument is limited, and a line should be short. */
const longestArgument = 2048;
/** Above this size, curl sends `Expect: 100-continue` before the content. */
const longestUnasked = 1024;

/** Returns the method option. curl uses GET by default, and POST if it has data. */
function toMethodOption(method: string, hasContent: boolean, { excess, shell = bash }: CurlSource): string[] {
  if (method === (hasContent || expectsContent(method) ? 'POST' : 'GET')) return [];
  if (method === 'HEAD') {
    // With -I curl sends no content; with -X it waits for content that a HEAD response never has.
    return hasContent || excess === 'after-length' ? ['-X HEAD', '--max-time 5'] : ['-I'];
  }
  return [`-X ${quoteWord(method, shell)}`];
}

/** Returns options that show excess bytes. If the service keeps the connection open, curl waits for more content. */
function toExcessOptions(method: string, { excess }: CurlSource): string[] {
  if (excess === undefined) return [];
  if (excess === 'after-head') return ['-v'];
  return ['--ignore-content-length', ...(method === 'HEAD' ? [] : ['--max-time 5'])];
}

/** Returns the options for a proxy. Only a tunnel shows bytes after the end of the response. */
function toProxyOptions(
  { proxy, excess, shell = bash }: CurlSource,
  split: (text: string) => WordPart[],
): string[] {
  if (proxy === undefined) return [];
  return [`--proxy ${shell.quote(split(proxy))}`, ...(excess === undefined ? [] : ['--proxytunnel'])];
}

function toUrlOptions(
  url: string,
  { insecure = false, ca, clientCert, clientKey, shell = bash }: CurlSource,
): string[] {
  return [
    // Without it HTTP/2 would be negotiated, which has other bytes.
    ...(url.startsWith('https:') ? ['--http1.1'] : []),
    ...(insecure ? ['-k'] : []),
    ...(ca === undefined ? [] : [`--cacert ${quoteText(ca, shell.quote)}`]),
    ...(clientCert === undefined ? [] : [`--cert ${quoteText(clientCert, shell.quote)}`]),
    ...(clientKey === undefined ? [] : [`--key ${quoteText(clientKey, shell.quote)}`]),
    ...(/[[\]{}]/u.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/u.test(url) ? ['--path-as-is'] : []),
  ];
}

/**
 * Removes fields that curl adds by default, by naming them without a value. Its User-Agent stays: no response should
 * depend on it, and some services reject requests without one.
 */
function withoutDefaults(request: HttpRequest, hasData: boolean, shell: Shell): string[] {
  const present = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const isAsked = (request.body?.length ?? 0) > longestUnasked;
  const added = ['Accept', ...(hasData ? ['Content-Type'] : []), ...(isAsked ? ['Expect'] : [])];
  return added
    .filter((name) => !present.has(name.toLowerCase()))
    .map((name) => `-H ${quoteText(`${name}:`, shell.quote)}`);
}

/**
 * Returns the options for the URL and the header fields. If a word of the shell cannot contain one of them, they are in a
 * file of options, which the text before curl writes.
 */
function toHeadOptions(
  url: readonly WordPart[],
  fields: readonly (readonly WordPart[])[],
  shell: Shell,
): { readonly before: string; readonly words: readonly string[] } {
  const isWord = (part: WordPart): boolean => part.kind === 'variable' || shell.canQuote(part.bytes);
  if ([url, ...fields].every((parts) => parts.every(isWord))) {
    return { before: '', words: [shell.quote(url), ...fields.map((parts) => `-H ${shell.quote(parts)}`)] };
  }
  const toPart = (text: string): WordPart => ({ kind: 'bytes', bytes: textBytes(text) });
  const escape = (part: WordPart): WordPart =>
    part.kind === 'variable' ? part : toPart(latin1Text(part.bytes).replaceAll(/["\\]/gu, String.raw`\$&`));
  const lines = [url, ...fields].flatMap((parts, index) => [
    toPart(index === 0 ? '--url "' : '-H "'),
    ...parts.map(escape),
    toPart('"\n'),
  ]);
  const { before, file } = shell.feed(lines, { file: 'cloche-options.txt' });
  return { before, words: [`-K ${file}`] };
}

/**
 * Writes a request as a command of a shell that sends the same bytes with curl, Host and Connection aside. In bash, a
 * command is a line.
 *
 * @example
 * curl -sSi 'http://127.0.0.1:4010/things' -H "Authorization: Bearer $CLOCHE_TOKEN" \
 *   -H 'Content-Type: application/json' -H 'User-Agent:' -H 'Accept:' --data-binary '{"id":1}'
 */
export function toCurl(source: CurlSource): string {
  const { request, secrets = [], secretMeanings, taken = [], framing, shell = bash } = source;
  const split = createWordSplitter([...secretVariables(secrets, secretMeanings), ...taken]);
  const baseUrl = new URL(source.baseUrl);
  if (source.excess === 'after-head' && baseUrl.protocol === 'http:') {
    return toRawCurl(source, baseUrl, split);
  }
  const url = `${baseUrl.origin}${pathPrefix(baseUrl)}${request.target}`;
  const body = request.body ?? new Uint8Array();
  const hasData = body.length > 0 || expectsContent(request.method);
  const utf16 = findUtf16(body, taken);
  const bodyParts = split(latin1Text(utf16?.text ?? body));
  const isArgument =
    utf16 === undefined &&
    body.length <= longestArgument &&
    bodyParts.every((part) => part.kind === 'variable' || printableText(part.bytes) !== undefined);
  const fields = [
    // curl sends this field by default.
    ...request.headers.filter(([name, value]) => name.toLowerCase() !== 'accept' || value !== '*/*'),
    ...(framing === 'chunked' && body.length > 0 ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ].map(([name, value]) =>
    // `Name:` removes a field; with a semicolon curl sends it empty.
    split(value.trim() === '' ? `${name};` : `${name}: ${value}`),
  );
  const head = toHeadOptions(split(url), fields, shell);
  const { before, file } = isArgument
    ? { before: '', file: '' }
    : shell.feed(bodyParts, { encoding: utf16?.encoding });
  const argument = isArgument ? shell.quote(bodyParts) : `@${file}`;
  // With --data-binary an @ would name a file.
  const dataOption = isArgument && body[0] === 0x40 ? '--data-raw' : '--data-binary';
  const curl = [
    'curl -sSi',
    ...toMethodOption(request.method, body.length > 0, source),
    ...toExcessOptions(request.method, source),
    ...toProxyOptions(source, split),
    ...toUrlOptions(
      taken.reduce((text, [value]) => text.replaceAll(value, ''), url),
      source,
    ),
    ...head.words,
    ...withoutDefaults(request, hasData, shell),
    ...(hasData ? [`${dataOption} ${argument}`] : []),
  ];
  return `${head.before}${before}${curl.join(' ')}`;
}
