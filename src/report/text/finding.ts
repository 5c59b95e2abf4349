import { checks } from '../../check/checks/all-checks.ts';
import type { Clause, Finding, Parity } from '../../check/finding.ts';
import { isAccepted } from '../../check/reading/answer.ts';
import { type CurlSource, toCurl } from '../../http/curl.ts';
import { describeAnswer } from '../../http/failures.ts';
import { addDefaultHeaders, headerValue, type HttpRequest } from '../../http/message.ts';
import { redacted, redactText } from '../../http/redact.ts';
import { redactContent } from '../../http/redact-content.ts';
import { quoteText, type SecretVariable } from '../../http/shell-quoting.ts';
import { pointerTokens } from '../../json/pointer.ts';
import type { QuestionId } from '../../policy/question.ts';
import type { FoundCause, TakenValue, TrafficResult } from '../../runner/events.ts';
import type { FindingSurroundings, ReportedFinding } from '../report.ts';
import { renderBoundary } from './boundary.ts';
import { plural, renderYamlFlow, wrapText } from './format.ts';

/**
 * Where a finding of traffic was seen, the one that is shown first, `entry 3 of session.har, last entry 9 of session.har`;
 * undefined for a finding of a run, which is replayed.
 */
export function describePlaces(found: ReportedFinding): string | undefined {
  if (!('seenAt' in found)) return undefined;
  const { first, last, example } = found.seenAt;
  return [
    example,
    ...(first === example ? [] : [`first ${first}`]),
    ...(last === example || last === first ? [] : [`last ${last}`]),
  ].join(', ');
}

/** How much of some traffic was judged: `312 exchanges judged, 5 not`. */
export function describeTraffic({ judged, unjudged }: Pick<TrafficResult, 'judged' | 'unjudged'>): string {
  const others = unjudged.reduce((sum, { count }) => sum + count, 0);
  return `${plural(judged, 'exchange')} judged, ${others.toLocaleString('en-US')} not`;
}

/** Returns the headline of a finding: its own, or that of its check. */
export function titleOf({ check, title }: Finding): string {
  return title ?? checks[check].docs.title;
}

/** The clause of a finding as one line, with its place. */
export function renderClause(clause: Clause, source: string): string {
  switch (clause.kind) {
    case 'document':
      return `${clause.file ?? source}#${clause.pointer} — ${clause.quote}`;
    case 'rfc':
      return `${clause.name} §${clause.section} — “${clause.quote}”`;
    case 'policy':
      return `policy ${clause.question} — ${clause.quote}`;
  }
}

/**
 * How a finding fared when it was tried again, as the rest of a sentence: `, unstable: came back 2 of 3 times`;
 * empty where it came back each time, and for traffic, which is not sent again.
 */
export function renderConfirmation(found: ReportedFinding): string {
  if (!('confirmed' in found)) return '';
  const { confirmed, finding, exchange } = found;
  const { answer, operation, request } = exchange;
  if (confirmed.seen === 0 && confirmed.tried > 0) {
    if (request.key === 'chosen') return ', not shown again, as its id now exists';
    // What it made without a key of its own is in the way of a second one.
    if (request.key === 'none' && operation?.kind.kind === 'create' && isAccepted(answer)) {
      return ', not shown again, as what it made may now exist';
    }
  }
  if (confirmed.tried === 0) {
    const why = finding.check === 'timed-out' ? 'it would take a time-out more' : 'the run ended first';
    return `, not tried again, as ${why}`;
  }
  if (confirmed.seen === confirmed.tried) return '';
  return `, unstable: came back ${confirmed.seen} of ${confirmed.tried} times`;
}

/** Questions that it takes several requests to answer. */
const severalRequests = new Set<QuestionId>(['constraints', 'unique-properties']);

/** Which of two services that answered one request differently is wrong, or what the contract does not say. */
export function describeVerdict({ tested, other, answered, verdict }: Parity): string {
  switch (verdict.kind) {
    case 'tested-wrong':
      return `${tested} is wrong; ${other} answered ${answered}`;
    case 'other-wrong':
      return `${other} is wrong`;
    case 'silent': {
      const { question, answer } = verdict;
      if (question === undefined) return 'the contract is silent, and so is every question of a policy';
      if (answer !== undefined) {
        return `not specified; to the policy add: ${question}: ${renderYamlFlow(answer)}`;
      }
      return severalRequests.has(question)
        ? `the contract is silent: it is a matter of ${question}, which one request does not settle; cloche learn asks`
        : `the contract is silent: it is a matter of ${question}, and no answer to it does just this`;
    }
  }
}

type Sending = Pick<FindingSurroundings, 'baseUrl' | 'secrets' | 'insecure' | 'ca' | 'headers'>;

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
export function renderRequests(found: FoundCause, sending: Sending): readonly string[] {
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

/** The requests that show a finding as another service is sent them, a curl line each; none where there is no other. */
export function renderElsewhere(
  found: FoundCause,
  { elsewhere, ...sending }: Sending & Pick<FindingSurroundings, 'elsewhere'>,
): readonly string[] {
  const { elsewhere: requests } = found;
  return elsewhere === undefined || requests === undefined
    ? []
    : renderRequests({ ...found, requests }, { ...sending, ...elsewhere });
}

/**
 * The command that shows a finding of a run again, from the one that was run. Undefined for a finding of traffic, which
 * cannot be replayed, for one that did not come back when it was tried, and where an operationId holds NUL, which no
 * command line can.
 */
export function renderReplay(found: ReportedFinding, command: string): string | undefined {
  if (!('replay' in found) || found.replay.path.includes('\0')) return undefined;
  const { seed, path } = found.replay;
  if (found.confirmed.tried > 0 && found.confirmed.seen === 0) return undefined;
  return `${command} --seed ${seed} --path ${quoteText(path)}`;
}

/** How far the text of a field is put in. */
const indent = 12;

/** A finding as lines of text: what is wrong, by which clause, and the commands that show it again. */
export function renderFinding(found: ReportedFinding, surroundings: FindingSurroundings): readonly string[] {
  const { paint, secrets, command, source, width } = surroundings;
  const { finding, count, expired, outcomes } = found;
  const { level, operation, boundary, parity } = finding;

  const label = (name: string): string => `  ${paint('faint', name.padEnd(indent - 3))} `;
  const field = (name: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : wrapText(`${label(name)}${redactText(text, secrets)}`, { width, indent });
  // A command is pasted, so that its line is left whole.
  const line = (name: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [`${label(name)}${text}`];

  const tone = level === 'violation' ? 'violation' : 'warning';
  const title = `${paint(tone, level.toUpperCase())} ${paint('strong', titleOf(finding))}`;
  const expiry =
    expired === undefined ? '' : `, its entry in the baseline expired on ${expired.expires ?? ''}`;
  const aside = `[${found.id}] ${operation}, seen ${count}×${renderConfirmation(found)}${expiry}`;
  const places = describePlaces(found);
  return [
    ...wrapText(`${title} ${paint('faint', aside)}`, { width, indent: 2 }),
    ...field('refused', boundary && renderBoundary(boundary)),
    ...field('expected', finding.expected),
    ...listReceived(found).flatMap(([name, text]) => field(name, text)),
    ...field('by', renderClause(finding.clause, source)),
    ...field('verdict', parity && describeVerdict(parity)),
    ...renderRequests(found, surroundings).flatMap((curl, index) =>
      line(index === 0 ? 'request' : found.sideBySide ? 'beside' : 'then', curl),
    ),
    ...renderElsewhere(found, surroundings).flatMap((curl) => line('elsewhere', curl)),
    ...field('answered', outcomes?.join(', ')),
    ...line('replay', renderReplay(found, command)),
    ...(places === undefined ? [] : wrapText(`${label('seen')}${places}`, { width, indent })),
  ];
}

/** What came, each thing once: in the words of the check, and as it stood in the answer. */
function listReceived({ finding, exchange }: FoundCause): readonly (readonly [name: string, text: string])[] {
  const { answer } = exchange.exchange;
  const shown = describeAnswer(answer);
  // Without a response, the words of the check say what the answer says.
  if (answer.kind !== 'response' || shown.startsWith(finding.received)) return [['received', shown]];
  const isOfExchange = exchange.findings.some(
    ({ check, cause }) => check === finding.check && cause === finding.cause,
  );
  return [
    ['received', finding.received],
    // What several exchanges show together is in the words of the check alone; this is how it ended.
    [isOfExchange ? 'answer' : 'last', shown],
  ];
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
    hidden.set(
      mask,
      `CLOCHE_${place}_${name
        .trim()
        .toUpperCase()
        .replaceAll(/[^A-Z\d]+/gu, '_')}`,
    );
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
  const wanted = meanings.flatMap((meaning, index) => {
    const name = index === 0 ? 'CLOCHE_TOKEN' : `CLOCHE_TOKEN_${index + 1}`;
    return lines.some((line) => new RegExp(`\\$\\{?${name}(?!\\w)`, 'u').test(line))
      ? [`${name}=${quoteText(meaning)}`]
      : [];
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
