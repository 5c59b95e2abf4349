import { headerValue } from '../../http/header-list.ts';
import type { LearnEvent } from '../../learn/learn-event.ts';
import type { Paint } from '../../errors/console-text.ts';

/** As much of a body is looked at. */
const mostShown = 200;
/** Before each request stands how often it is sent. */
const margin = 8;
const usualWidth = 100;

type Sent = Extract<LearnEvent, { kind: 'exchange' }>;

/** What a request shows as its credentials, where it is not the good token. */
function describeCredentials({ exchange: { request } }: Sent, token: string): readonly string[] {
  const value = headerValue(request.headers, 'authorization');
  const shown = request.headers.some(([, field]) => field.includes(token) || field.includes(btoa(token)));
  if (value !== undefined && shown && !/^(?:Bearer|Basic) /u.test(value)) {
    return ['with another scheme'];
  }
  if (shown || request.target.includes(encodeURIComponent(token))) {
    return [];
  }
  return [value === undefined ? 'without the token' : 'with another token'];
}

/** A request on one line, without its token. */
function describe(sent: Sent, { token, width }: { readonly token: string; readonly width: number }): string {
  const { request } = sent.exchange;
  const accept = headerValue(request.headers, 'accept');
  const type = headerValue(request.headers, 'content-type');
  const body = new TextDecoder()
    .decode(request.body?.subarray(0, mostShown))
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim();
  const parts = [
    `${request.method} ${request.target.replaceAll(encodeURIComponent(token), '…')}`,
    ...describeCredentials(sent, token),
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...(type === undefined || type === 'application/json' ? [] : [type]),
    ...((request.body?.length ?? 0) > mostShown
      ? [`${request.body?.length.toLocaleString('en')} bytes`]
      : []),
    request.body === undefined ? 'no body' : body,
  ];
  const line = parts.join('  ');
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

interface Group {
  readonly title: string;
  /** In order; those that follow each other and are equal are one. */
  readonly lines: { readonly text: string; times: number }[];
  count: number;
}

/**
 * What would be sent, in order, question by question.
 *
 * @param options.token - the good one, which is not shown
 * @param options.width - how many columns the reader has
 */
export function renderDryRun(
  sent: readonly Sent[],
  options: { readonly paint: Paint; readonly width: number | undefined; readonly token: string },
): readonly string[] {
  const { paint, token } = options;
  const width = (options.width ?? usualWidth) - margin;
  const groups: Group[] = [];
  for (const event of sent) {
    const title = `${event.operationId}  ${event.question === 'sample' ? 'which plain request is taken' : event.question}`;
    const last = groups.at(-1);
    const group = last?.title === title ? last : { title, lines: [], count: 0 };
    if (group !== last) {
      groups.push(group);
    }
    const text = describe(event, { token, width });
    const line = group.lines.at(-1);
    if (line?.text === text) {
      line.times += 1;
    } else {
      group.lines.push({ text, times: 1 });
    }
    group.count += 1;
  }
  return groups.flatMap(({ title, lines, count }) => [
    '',
    paint('strong', `${title}: ${count} ${count === 1 ? 'request' : 'requests'}`),
    ...lines.map(({ text, times }) => `${(times === 1 ? '' : `${times} ×`).padStart(margin - 2)}  ${text}`),
  ]);
}
