import { latin1Text, printableText } from './bytes.ts';
import { expectsContent, type Framing, type HttpRequest } from './message.ts';
import { pathPrefix } from './path.ts';
import { serializeRequest } from './serialize-request.ts';
import {
  type BashPart,
  createBashSplitter,
  printForBash,
  quoteForBash,
  quoteText,
  quoteWord,
  type SecretVariable,
  secretVariables,
} from './shell-quoting.ts';

/**
 * Made to speak Telnet, curl reads nothing into the bytes, and prints all that comes. There is none over TLS.
 *
 * @example
 * printf 'OPTIONS /things HTTP/1.1\r\nHost: 127.0.0.1:4010\r\nConnection: close\r\n\r\n' |
 *   curl -sS --max-time 5 telnet://127.0.0.1:4010
 */
function toRawCurl(
  { request, framing = 'content-length' }: CurlSource,
  baseUrl: URL,
  split: (text: string) => BashPart[],
): string {
  const authority = baseUrl.host;
  const pieces = serializeRequest({ request, authority, prefix: pathPrefix(baseUrl), framing });
  const parts = split(pieces.map((piece) => latin1Text(piece)).join(''));
  const place = baseUrl.port === '' ? `${authority}:80` : authority;
  return `${printForBash(parts)} | curl -sS --max-time 5 ${quoteWord(`telnet://${place}`)}`;
}

/** What {@link toCurl} writes down. */
export interface CurlSource {
  readonly request: HttpRequest;
  readonly baseUrl: string | URL;
  /** What must not appear, the token first: a shell variable stands in its place. @defaultValue [] */
  readonly secrets?: readonly string[];
  /** curl has no word for `several-packets`, and writes it as the default. @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** What stands for values that a line before this one keeps in variables. @defaultValue [] */
  readonly taken?: readonly SecretVariable[];
  /** Whether any certificate of the service is accepted. @defaultValue false */
  readonly insecure?: boolean;
  /** The file with the certificate authority to trust, PEM. */
  readonly ca?: string;
  /**
   * How bytes after the end of the answer are made visible: by taking no notice of Content-Length, or by
   * printing all that comes, which is needed where the status allows no content (204, 304). Over TLS curl does
   * not do that, and only tells of such bytes if they come at once.
   *
   * @defaultValue undefined, where none are to be seen
   */
  readonly excess?: 'after-length' | 'after-head' | undefined;
}

/**
 * The encoding of content that holds a value of a line before in UTF-16, and the content in UTF-8, in which a shell can put that
 * value.
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

/** Longer content comes from a pipe: an argument may not be of any length, nor should a line be. */
const longestArgument = 2048;
/** Above it, curl asks with `Expect: 100-continue` before it sends content. */
const longestUnasked = 1024;

/** curl says GET by itself, and POST where it is given data. */
function toMethodOption(method: string, hasContent: boolean, { excess }: CurlSource): string[] {
  if (method === (hasContent || expectsContent(method) ? 'POST' : 'GET')) return [];
  if (method === 'HEAD') {
    // With -I curl takes no content; with -X it waits for content that a HEAD answer never has.
    return hasContent || excess === 'after-length' ? ['-X HEAD', '--max-time 5'] : ['-I'];
  }
  return [`-X ${quoteWord(method)}`];
}

/** Where the service keeps the connection, curl waits for the end of what it takes for content. */
function toExcessOptions(method: string, { excess }: CurlSource): string[] {
  if (excess === undefined) return [];
  if (excess === 'after-head') return ['-v'];
  return ['--ignore-content-length', ...(method === 'HEAD' ? [] : ['--max-time 5'])];
}

function toUrlOptions(url: string, { insecure = false, ca }: CurlSource): string[] {
  return [
    // HTTP/2 would be agreed on otherwise, and it has other bytes.
    ...(url.startsWith('https:') ? ['--http1.1'] : []),
    ...(insecure ? ['-k'] : []),
    ...(ca === undefined ? [] : [`--cacert ${quoteText(ca)}`]),
    ...(/[[\]{}]/u.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/u.test(url) ? ['--path-as-is'] : []),
  ];
}

/**
 * The fields that curl would add by itself are taken away by naming them without a value. Its own User-Agent
 * stays: no answer should hang on it, and some services turn away what has none.
 */
function withoutDefaults(request: HttpRequest, hasData: boolean): string[] {
  const present = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const isAsked = (request.body?.length ?? 0) > longestUnasked;
  const added = ['Accept', ...(hasData ? ['Content-Type'] : []), ...(isAsked ? ['Expect'] : [])];
  return added.filter((name) => !present.has(name.toLowerCase())).map((name) => `-H '${name}:'`);
}

/**
 * Writes a request as one line of bash that sends the same bytes with curl, Host and Connection aside.
 *
 * @example
 * curl -sSi 'http://127.0.0.1:4010/things' -H "Authorization: Bearer $CLOCHE_TOKEN" \
 *   -H 'Content-Type: application/json' -H 'User-Agent:' -H 'Accept:' --data-binary '{"id":1}'
 */
export function toCurl(source: CurlSource): string {
  const { request, secrets = [], taken = [], framing } = source;
  const split = createBashSplitter([...secretVariables(secrets), ...taken]);
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
    // This one curl sends by itself.
    ...request.headers.filter(([name, value]) => name.toLowerCase() !== 'accept' || value !== '*/*'),
    ...(framing === 'chunked' && body.length > 0 ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ].map(([name, value]) => {
    // `Name:` takes a field away; with a semicolon curl sends it empty.
    const text = value.trim() === '' ? `${name};` : `${name}: ${value}`;
    return `-H ${quoteForBash(split(text))}`;
  });
  const argument = isArgument ? quoteForBash(bodyParts) : '@-';
  // After --data-binary an @ would name a file.
  const dataOption = isArgument && body[0] === 0x40 ? '--data-raw' : '--data-binary';
  const curl = [
    'curl -sSi',
    ...toMethodOption(request.method, body.length > 0, source),
    ...toExcessOptions(request.method, source),
    ...toUrlOptions(
      taken.reduce((text, [value]) => text.replaceAll(value, ''), url),
      source,
    ),
    quoteForBash(split(url)),
    ...fields,
    ...withoutDefaults(request, hasData),
    ...(hasData ? [`${dataOption} ${argument}`] : []),
  ].join(' ');
  if (isArgument) return curl;
  const recode = utf16 === undefined ? '' : `iconv -f UTF-8 -t ${utf16.encoding} | `;
  return `${printForBash(bodyParts)} | ${recode}${curl}`;
}
