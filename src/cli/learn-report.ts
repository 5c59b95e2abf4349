import type { TextStyle } from '../errors/console-text.ts';
import { headerValue } from '../http/message.ts';
import { stringifyJson } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import type { LearnEvent, Learnt, LearntOutcome } from '../learn/events.ts';
import { describeValue } from '../policy/policy.ts';
import type { BehaviourValues, BehaviourId } from '../policy/behaviour.ts';
import { plural, wrapText } from '../report/format.ts';

/** The length of the longest behaviour id, plus two spaces. */
const nameWidth = 26;

function words(id: BehaviourId, answer: JsonValue): string {
  // `as`: the probe of a behaviour returns values of it.
  return describeValue(id, answer as BehaviourValues[BehaviourId]);
}

function describeOutcome(id: BehaviourId, outcome: LearntOutcome, paint: TextStyle): string {
  const { kind } = outcome;
  if (kind === 'masked') return `${paint('warning', `masked by ${outcome.by}`)}: ${outcome.why}`;
  if (kind === 'unsettled') return `${paint('warning', 'open')}: ${outcome.why}`;
  if (kind === 'not-asked') return paint('faint', `not asked: ${outcome.why}`);
  if (kind === 'answered') {
    const answer = outcome.answer === undefined ? '' : ` (${stringifyJson(outcome.answer)})`;
    return `${paint('faint', 'the document says it')}: ${outcome.says}${answer}`;
  }
  const count = (seen: number): string => `(${seen}\u00A0of\u00A0${outcome.trials})`;
  if (kind === 'contradictory') {
    const counts = outcome.answers.map(({ answer, seen }) => `${words(id, answer)} ${count(seen)}`);
    return `${paint('warning', 'contradictory')}, so left out: ${counts.join('; ')}`;
  }
  const others = outcome.alike.map((each) => words(id, each)).join(', or ');
  const suffix = others === '' ? '' : `; cannot be distinguished from: ${others}`;
  return `${words(id, outcome.answer)}${suffix} ${paint('faint', count(outcome.seen))}`;
}

function summarize({ questions, requests, creates, waits, interrupted }: Learnt): string {
  const count = (...kinds: readonly string[]): number =>
    questions.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const settled = count('settled');
  const asked = settled + count('masked', 'contradictory', 'unsettled');
  const waited = waits === 0 ? '' : `, waiting ${plural(waits, 'time')} where it asked for that`;
  const beginning = interrupted ? 'Interrupted: ' : '';
  return `${beginning}${settled} of ${plural(asked, 'question')} settled${interrupted ? ' so far' : ''} with ${plural(requests, 'request')}, of which ${creates.toLocaleString('en-US')} may have created something${waited}.`;
}

/** Creates a report that shows each behaviour when it is settled, minutes apart. An undefined width wraps no lines. */
export function createLearnReport(options: {
  readonly paint: TextStyle;
  readonly width: number | undefined;
  readonly writeLine: (line: string) => void;
}): { readonly read: (event: LearnEvent) => void; readonly end: (learnt: Learnt) => void } {
  const { paint, width, writeLine } = options;
  let last: string | undefined;
  return {
    read(event) {
      if (event.kind === 'waiting') {
        writeLine(`  waiting ${Math.ceil(event.ms)} ms, as the service answered ${event.status}`);
      }
      if (event.kind === 'question' && event.learnt.outcome.kind !== 'not-asked') {
        const { operationId, question, outcome } = event.learnt;
        if (operationId !== last) {
          ['', paint('strong', operationId)].forEach(writeLine);
          last = operationId;
        }
        const text = `  ${question.padEnd(nameWidth - 2)}${describeOutcome(question, outcome, paint)}`;
        wrapText(text, { width, indent: nameWidth }).forEach(writeLine);
      }
    },
    end(learnt) {
      ['', ...wrapText(summarize(learnt), { width, indent: 0 })].forEach(writeLine);
    },
  };
}

const mostShown = 200;

const margin = 8;

const usualWidth = 100;

type Sent = Extract<LearnEvent, { kind: 'exchange' }>;

/** Describes the credentials of a request; returns nothing for the valid token. */
function describeCredentials({ exchange: { request } }: Sent, token: string): readonly string[] {
  const value = headerValue(request.headers, 'authorization');
  const shown = request.headers.some(([, field]) => field.includes(token) || field.includes(btoa(token)));
  if (value !== undefined && shown && !/^(?:Bearer|Basic) /u.test(value)) return ['with another scheme'];
  if (shown || request.target.includes(encodeURIComponent(token))) return [];
  return [value === undefined ? 'without the token' : 'with another token'];
}

/** Describes a request on one line, without its token. */
function describeSent(
  sent: Sent,
  { token, width }: { readonly token: string; readonly width: number },
): string {
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
  /** In order; equal lines that follow each other are merged. */
  readonly lines: { readonly text: string; times: number }[];
  count: number;
}

/** Lists the requests that would be sent, grouped by behaviour, in order, without the token; `width` in columns. */
export function renderDryRun(
  sent: readonly Sent[],
  options: { readonly paint: TextStyle; readonly width: number | undefined; readonly token: string },
): readonly string[] {
  const { paint, token } = options;
  const width = (options.width ?? usualWidth) - margin;
  const groups: Group[] = [];
  for (const event of sent) {
    const title = `${event.operationId}  ${event.question === 'sample' ? 'which plain request is accepted' : event.question}`;
    const last = groups.at(-1);
    const group = last?.title === title ? last : { title, lines: [], count: 0 };
    if (group !== last) {
      groups.push(group);
    }
    const text = describeSent(event, { token, width });
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
