import { type CurlConnection, type CurlSource, toCurl } from '../../http/curl.ts';
import { addDefaultHeaders, headerValue, type HttpRequest } from '../../http/message.ts';
import { redacted } from '../../http/redact.ts';
import { redactContent } from '../../http/redact-content.ts';
import { quoteText, type SecretVariable, secretVariables, type Shell } from '../../http/shell-quoting.ts';
import { type ShellName, shells } from '../../http/windows-shells.ts';
import { pointerTokens } from '../../json/pointer.ts';
import type { FoundCause, LeftItem, TakenValue } from '../../events/events.ts';
import type { FindingContext, ReportedFinding } from '../report.ts';

type Sending = Pick<FindingContext, 'baseUrl' | 'secrets' | 'secretMeanings' | 'headers' | 'shell'> &
  CurlConnection;

/** Returns how curl shows bytes after the end of the response, if the finding is about them. */
function excessOf({ exchange }: FoundCause): 'after-length' | 'after-head' | undefined {
  const { answer, request } = exchange.exchange;
  if (answer.kind !== 'response' || (answer.trailing?.length ?? 0) === 0) return undefined;
  const hasNoContent = [204, 304].includes(answer.response.status) && request.method !== 'HEAD';
  return hasNoContent ? 'after-head' : 'after-length';
}

/**
 * Lists the requests of a finding in order, each as a curl line. Requests that must be sent side by side run in the
 * background of the shell, and the last line waits for all of them.
 */
export function listRequests(found: FoundCause, sending: Sending): readonly string[] {
  const { requests, sideBySide = false, taken = [] } = found;
  if (found.curl !== undefined) return found.curl.requests;
  const shell = shells[sending.shell ?? 'bash'];
  const variables = taken.map(({ placeholder }) => [placeholder, variableOf(placeholder)] as const);
  return requests.map((request, index) => {
    const isLast = index === requests.length - 1;
    // Requests before the one that shows the finding have the usual framing.
    const framing = isLast ? found.exchange.request.framing : 'content-length';
    const command = toCommand(request, sending, { excess: excessOf(found), framing, taken: variables });
    const value = taken.find(({ from }) => from === index);
    if (value !== undefined) return takeValue(command, value, shell);
    return shell.toLine(sideBySide ? shell.runBeside(command, isLast) : command);
  });
}

/** Returns the shell variable for the placeholder of an id: `PET_ID` for `{petId}`. */
function variableOf(placeholder: string): string {
  const words = placeholder.replaceAll(/([a-z\d])(?=[A-Z])/gu, '$1_').replaceAll(/\W+/gu, '_');
  return words
    .replaceAll(/^_|_$/gu, '')
    .toUpperCase()
    .replace(/^(?=\d)/u, 'ID_');
}

/** Returns a line that stores and prints the value of a response that later lines need. */
function takeValue(command: string, { pointer, placeholder }: TakenValue, shell: Shell): string {
  const name = variableOf(placeholder);
  if (pointer === undefined) return shell.store(command, { name, path: undefined });
  const path = pointerTokens(pointer).map((member) =>
    /^[A-Za-z_$][\w$]*$/u.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`,
  );
  return shell.store(command.replace('curl -sSi ', 'curl -sS '), { name, path: path.join('') });
}

/** Lists the requests of a finding to the other service, each as a curl line; empty if no services are compared. */
export function listElsewhere(
  found: FoundCause,
  { elsewhere, ...sending }: Sending & Pick<FindingContext, 'elsewhere'>,
): readonly string[] {
  const { elsewhere: requests } = found;
  if (found.curl !== undefined) return found.curl.elsewhere;
  return elsewhere === undefined || requests === undefined
    ? []
    : listRequests({ ...found, requests }, { ...sending, ...elsewhere });
}

/**
 * Renders the command that replays a finding of a run. Returns undefined for a finding of traffic or one that did not
 * come back, and if an operationId contains NUL or another character that the shell cannot pass on.
 */
export function renderReplay(
  found: ReportedFinding,
  { command, shell: name = 'bash' }: Pick<FindingContext, 'command' | 'shell'>,
): string | undefined {
  if (!('replay' in found) || found.replay.path.includes('\0')) return undefined;
  const { seed, path } = found.replay;
  if (found.confirmed.tried > 0 && found.confirmed.seen === 0) return undefined;
  const shell = shells[name];
  if (!shell.canQuote(new TextEncoder().encode(path))) return undefined;
  const replayed = found.replay.command ?? command;
  return shell.toLine(`${replayed} --seed ${seed} --path ${quoteText(path, shell.quoteForScript)}`);
}

/** The places of hidden values in traffic besides the token, as names of variables and in words. */
const hiddenPlaces = {
  BODY: 'the member',
  COOKIE: 'the cookie',
  HEADER: 'the field',
  QUERY: 'the parameter',
} as const;

/** The maximum number of names, because each scans the whole text. No shell accepts a line with more cookies. */
const mostNamed = 100;

/**
 * Names the hidden values in a request of traffic by their place. The token, an API key and a cookie are different
 * secrets, which one variable cannot contain.
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
  /** Names the hidden values of `name=value` pairs. */
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

type How = Pick<CurlSource, 'excess' | 'framing' | 'taken'>;

/** Renders a request as a curl line with the headers of every request, but with curl's own User-Agent. */
export function renderCurl(request: HttpRequest, sending: Sending, how: How = {}): string {
  return shells[sending.shell ?? 'bash'].toLine(toCommand(request, sending, how));
}

function toCommand(
  request: HttpRequest,
  { baseUrl, secrets, headers, shell = 'bash', ...connection }: Sending,
  how: How,
): string {
  const added = headers.filter(([name]) => name.toLowerCase() !== 'user-agent');
  const whole = { ...request, headers: addDefaultHeaders(request.headers, added) };
  const named = secrets.includes(redacted) ? nameHidden(whole) : { request: whole, hidden: [] };
  return toCurl({
    ...connection,
    request: named.request,
    baseUrl,
    secrets,
    shell: shells[shell],
    ...how,
    taken: [...(how.taken ?? []), ...named.hidden],
  });
}

/** Lists items that a run left behind with the curl lines that delete them; undefined if none does. */
export function viewLeftItems(
  items: readonly LeftItem[],
  { elsewhere, ...sending }: Sending & Pick<FindingContext, 'elsewhere'>,
): readonly (Omit<LeftItem, 'request' | 'isElsewhere' | 'curl'> & { readonly curl: string | undefined })[] {
  return items.map(({ request, isElsewhere, curl, ...item }) => {
    const place = isElsewhere === true ? { ...sending, ...elsewhere } : sending;
    return { ...item, curl: curl ?? (request && renderCurl(request, place)) };
  });
}

/**
 * Renders the shell line that sets the variables in some lines: `export CLOCHE_TOKEN='the token'`. Each variable
 * replaces a secret, in the order of `meanings`, or a hidden value of traffic, by its place. Returns undefined if no
 * line contains a variable.
 */
export function renderExport(
  lines: readonly string[],
  meanings: readonly string[],
  shell: ShellName = 'bash',
): string | undefined {
  const { beforeName, assign } = shells[shell];
  const wanted = new Map<string, string>();
  for (const [meaning, name] of secretVariables(meanings, meanings)) {
    const variable = new RegExp(`${beforeName}${name}(?!\\w)`, 'u');
    if (lines.some((line) => variable.test(line))) wanted.set(name, meaning);
  }
  const hidden = new RegExp(
    `${beforeName}(?<variable>CLOCHE_(?<place>BODY|COOKIE|HEADER|QUERY)_(?<name>\\w+))`,
    'gu',
  );
  const places = lines.flatMap((line) => [...line.matchAll(hidden)]);
  for (const { groups = {} } of places) {
    const { variable = '', place, name = '' } = groups;
    // `as`: the expression matches no other places.
    wanted.set(variable, `${hiddenPlaces[place as keyof typeof hiddenPlaces]} ${name.toLowerCase()}`);
  }
  return wanted.size === 0 ? undefined : assign([...wanted]);
}
