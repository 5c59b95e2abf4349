import { type CurlSource, toCurl } from '../../http/curl.ts';
import { addDefaultHeaders, headerValue, type HttpRequest } from '../../http/message.ts';
import { redacted } from '../../http/redact.ts';
import { redactContent } from '../../http/redact-content.ts';
import { quoteText, type SecretVariable, secretVariables } from '../../http/shell-quoting.ts';
import { pointerTokens } from '../../json/pointer.ts';
import type { FoundCause, TakenValue } from '../../events/events.ts';
import type { FindingContext, ReportedFinding } from '../report.ts';

type Sending = Pick<FindingContext, 'baseUrl' | 'secrets' | 'insecure' | 'ca' | 'headers'>;

/** How curl is to show bytes after the end of the answer, where they are what was found. */
function excessOf({ exchange }: FoundCause): 'after-length' | 'after-head' | undefined {
  const { answer, request } = exchange.exchange;
  if (answer.kind !== 'response' || (answer.trailing?.length ?? 0) === 0) return undefined;
  const hasNoContent = [204, 304].includes(answer.response.status) && request.method !== 'HEAD';
  return hasNoContent ? 'after-head' : 'after-length';
}

/**
 * The requests that show a finding, in order, as a curl line each. Those that have to be sent side by side go to the
 * background of the shell, and the last line waits for all of them.
 */
export function listRequests(found: FoundCause, sending: Sending): readonly string[] {
  const { requests, sideBySide = false, taken = [] } = found;
  const variables = taken.map(({ placeholder }) => [placeholder, variableOf(placeholder)] as const);
  return requests.map((request, index) => {
    const isLast = index === requests.length - 1;
    // Whatever comes before the request that shows it is usual.
    const framing = isLast ? found.exchange.request.framing : 'content-length';
    const line = renderCurl(request, sending, { excess: excessOf(found), framing, taken: variables });
    const value = taken.find(({ from }) => from === index);
    if (value !== undefined) return takeValue(line, value);
    return sideBySide ? `${line} &${isLast ? ' wait' : ''}` : line;
  });
}

/** The shell variable for what stands in the place of an id: `PET_ID` for `{petId}`. */
function variableOf(placeholder: string): string {
  const words = placeholder.replaceAll(/([a-z\d])(?=[A-Z])/gu, '$1_').replaceAll(/\W+/gu, '_');
  return words
    .replaceAll(/^_|_$/gu, '')
    .toUpperCase()
    .replace(/^(?=\d)/u, 'ID_');
}

/** A line of shell that keeps what later ones need of an answer; it is printed, so that a reader sees it. */
function takeValue(line: string, { pointer, placeholder }: TakenValue): string {
  const name = variableOf(placeholder);
  const members = pointer === undefined ? [] : pointerTokens(pointer);
  const path = members.map((member) =>
    /^[A-Za-z_$][\w$]*$/u.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`,
  );
  const taken =
    pointer === undefined
      ? `${line} | sed -n 's/^[Ll]ocation:.*\\/\\([^/?#]*\\).*$/\\1/p' | tr -d '\\r'`
      : `${line.replace('curl -sSi ', 'curl -sS ')} | node -p ${quoteText(`JSON.parse(fs.readFileSync(0))${path.join('')}`)}`;
  return `${name}=$(${taken}); echo "${name}=$${name}"`;
}

/** The requests that show a finding as the other service is sent them, a curl line each; none if nothing is compared. */
export function listElsewhere(
  found: FoundCause,
  { elsewhere, ...sending }: Sending & Pick<FindingContext, 'elsewhere'>,
): readonly string[] {
  const { elsewhere: requests } = found;
  return elsewhere === undefined || requests === undefined
    ? []
    : listRequests({ ...found, requests }, { ...sending, ...elsewhere });
}

/**
 * Renders the command that replays a finding of a run. Returns undefined for a finding of traffic, for one that did not
 * come back, and if an operationId holds NUL, which no command line can.
 */
export function renderReplay(found: ReportedFinding, command: string): string | undefined {
  if (!('replay' in found) || found.replay.path.includes('\0')) return undefined;
  const { seed, path } = found.replay;
  if (found.confirmed.tried > 0 && found.confirmed.seen === 0) return undefined;
  return `${command} --seed ${seed} --path ${quoteText(path)}`;
}

/** Where traffic carries what is hidden in it besides the token, as the names of variables and words have it. */
const hiddenPlaces = {
  BODY: 'the member',
  COOKIE: 'the cookie',
  HEADER: 'the field',
  QUERY: 'the parameter',
} as const;

/** Each name takes a look at every character. No shell accepts a line with so many cookies that this is too few. */
const mostNamed = 100;

/**
 * Names what is hidden in a request of traffic by where it stands: the token, a key and a cookie are secrets of their own, which
 * one variable could not hold.
 */
function nameHidden(request: HttpRequest): {
  readonly request: HttpRequest;
  readonly hidden: readonly SecretVariable[];
} {
  const hidden = new Map<string, string>();
  function nameIn(text: string, place: keyof typeof hiddenPlaces, name: string): string {
    if (!text.includes(redacted)) return text;
    const mask = `[secret ${place} ${name}]`;
    if (hidden.size === mostNamed && !hidden.has(mask)) return text;
    const words = name.trim().toUpperCase();
    hidden.set(mask, `CLOCHE_${place}_${words.replaceAll(/[^A-Z\d]+/gu, '_')}`);
    return text.replaceAll(redacted, mask);
  }
  /** Each part by its own name: `name=value`. */
  const nameEach = (text: string, between: string, place: keyof typeof hiddenPlaces): string =>
    text
      .split(between)
      .map((part) => nameIn(part, place, part.split('=', 1)[0] ?? ''))
      .join(between);
  const headers = request.headers.map(([name, value]): readonly [string, string] => {
    const field = name.toLowerCase();
    if (field === 'authorization') return [name, value];
    return [name, field === 'cookie' ? nameEach(value, ';', 'COOKIE') : nameIn(value, 'HEADER', name)];
  });
  const [path = '', ...query] = request.target.split('?');
  const target = [path, ...query.map((part) => nameEach(part, '&', 'QUERY'))].join('?');
  const body =
    request.body &&
    redactContent(request.body, headerValue(request.headers, 'content-type'), {
      isSecret: () => true,
      replace: (text, name) => nameIn(text, 'BODY', name),
    });
  return { request: { ...request, headers, target, body }, hidden: [...hidden] };
}

/** A request as a curl line, with what was sent along with every request; its own User-Agent serves curl as well. */
export function renderCurl(
  request: HttpRequest,
  { baseUrl, secrets, insecure, ca, headers }: Sending,
  how: Pick<CurlSource, 'excess' | 'framing' | 'taken'> = {},
): string {
  const added = headers.filter(([name]) => name.toLowerCase() !== 'user-agent');
  const whole = { ...request, headers: addDefaultHeaders(request.headers, added) };
  const named = secrets.includes(redacted) ? nameHidden(whole) : { request: whole, hidden: [] };
  return toCurl({
    request: named.request,
    baseUrl,
    secrets,
    insecure,
    ...how,
    taken: [...(how.taken ?? []), ...named.hidden],
    ...(ca === undefined ? {} : { ca }),
  });
}

/**
 * The line of shell that has to run before any of some lines is pasted, as variables stand in them in the place of
 * secrets: `export CLOCHE_TOKEN='the token'`, by the meanings of the secrets in their order, and of what is hidden in
 * traffic by where it stood. Undefined where no line names a variable.
 */
export function renderExport(lines: readonly string[], meanings: readonly string[]): string | undefined {
  const wanted = secretVariables(meanings).flatMap(([meaning, name]) => {
    const variable = new RegExp(`\\$\\{?${name}(?!\\w)`, 'u');
    return lines.some((line) => variable.test(line)) ? [`${name}=${quoteText(meaning)}`] : [];
  });
  const places = lines.flatMap((line) => [
    ...line.matchAll(/\$\{?(?<variable>CLOCHE_(?<place>BODY|COOKIE|HEADER|QUERY)_(?<name>\w+))/gu),
  ]);
  for (const { groups = {} } of places) {
    const { variable = '', place, name = '' } = groups;
    // `as`: the expression has no other places.
    const words = `${hiddenPlaces[place as keyof typeof hiddenPlaces]} ${name.toLowerCase()}`;
    wanted.push(`${variable}=${quoteText(words)}`);
  }
  return wanted.length === 0 ? undefined : `export ${[...new Set(wanted)].join(' ')}`;
}
