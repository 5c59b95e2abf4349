import { addDefaultHeaders } from '../http/add-default-headers.ts';
import { describeAnswer } from '../http/describe-answer.ts';
import type { HeaderList } from '../http/header-list.ts';
import { redactText } from '../http/redact-text.ts';
import { toCurl } from '../http/to-curl.ts';
import type { RunFinding } from '../runner/run-event.ts';
import { findingTitles, renderClause } from './finding-words.ts';
import type { Paint } from './paint.ts';

/** What the text of a finding needs besides the finding. */
export interface FindingSurroundings {
  /** The base URL that curl lines name. */
  readonly baseUrl: string;
  /** The command that is replayed, `cloche test http://127.0.0.1:4010`. */
  readonly command: string;
  /** The document, as it was named. */
  readonly source: string;
  /** What must not appear. */
  readonly secrets: readonly string[];
  readonly insecure: boolean;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  readonly paint: Paint;
}

function field(paint: Paint, name: string, text: string): string {
  return `  ${paint('faint', name.padEnd(9))} ${text}`;
}

function renderConfirmation({ confirmed }: RunFinding): string {
  if (confirmed.seen === confirmed.tried) {
    return '';
  }
  return ` — unstable: came back ${confirmed.seen} of ${confirmed.tried} times`;
}

/** A finding as lines of text: what is wrong, by which clause, and the commands that show it again. */
export function renderFinding(found: RunFinding, surroundings: FindingSurroundings): readonly string[] {
  const { paint, baseUrl, secrets, command, source, insecure, headers } = surroundings;
  const { finding, requests, replay, count, exchange } = found;
  const tone = finding.level === 'violation' ? 'violation' : 'advice';
  const title = `${paint(tone, finding.level.toUpperCase())} ${paint('strong', findingTitles[finding.check])}`;
  const curls = requests.map((request) =>
    toCurl({
      request: { ...request, headers: addDefaultHeaders(request.headers, headers) },
      baseUrl,
      secrets,
      insecure,
    }),
  );
  return [
    `${title} ${paint('faint', `[${finding.check}] ${finding.operation}, seen ${count}×${renderConfirmation(found)}`)}`,
    field(paint, 'expected', finding.expected),
    field(paint, 'received', finding.received),
    field(paint, 'answer', redactText(describeAnswer(exchange.exchange.answer), secrets)),
    field(paint, 'by', renderClause(finding.clause, source)),
    ...curls.map((curl, index) => field(paint, index === 0 ? 'request' : 'then', curl)),
    field(paint, 'replay', `${command} --seed ${replay.seed} --path '${replay.path}'`),
  ];
}
