import { describeAnswer } from '../http/describe-answer.ts';
import type { HeaderList } from '../http/header-list.ts';
import { redactText } from '../http/redact.ts';
import type { FoundCause } from '../runner/run-event.ts';
import { findingTitles, renderClause } from './finding-words.ts';
import { describePlaces } from './describe-places.ts';
import { describeVerdict } from './parity/describe-verdict.ts';
import type { Elsewhere } from './parity/elsewhere.ts';
import { renderElsewhere } from './parity/render-elsewhere.ts';
import type { Paint } from '../errors/console-text.ts';
import { renderBoundary } from './render-boundary.ts';
import { renderConfirmation } from './render-confirmation.ts';
import { renderRequests } from './render-requests.ts';
import { renderReplay } from './render-replay.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { wrapText } from './wrap-text.ts';

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
  /** The file with the certificate authority to trust, if one was named. */
  readonly ca?: string | undefined;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  readonly paint: Paint;
  /** Where the requests of a finding go too, where two services are compared. */
  readonly elsewhere?: Elsewhere | undefined;
  /** The columns to fit; undefined breaks no line. */
  readonly width?: number | undefined;
}

/** How far the text of a field is put in. */
const indent = 12;

/** What came, each thing once: in the words of the check, and as it stood in the answer. */
function renderReceived({ finding, exchange }: FoundCause): readonly (readonly [string, string])[] {
  const { answer } = exchange.exchange;
  const shown = describeAnswer(answer);
  const isOfExchange = exchange.findings.some(
    ({ check, cause }) => check === finding.check && cause === finding.cause,
  );
  // Without a response, the words of the check say what the answer says.
  if (answer.kind !== 'response' || shown.startsWith(finding.received)) {
    return [['received', shown]];
  }
  return [
    ['received', finding.received],
    // What several exchanges show together is in the words of the check alone; this is how it ended.
    [isOfExchange ? 'answer' : 'last', shown],
  ];
}

function renderExpiry({ expired }: FoundCause): string {
  return expired === undefined ? '' : `, its entry in the baseline expired on ${expired.expires ?? ''}`;
}

/** A finding as lines of text: what is wrong, by which clause, and the commands that show it again. */
export function renderFinding(found: ReportedFinding, surroundings: FindingSurroundings): readonly string[] {
  const { paint, secrets, command, source, width } = surroundings;
  const { finding, count } = found;
  const replay = renderReplay(found, command);
  const places = describePlaces(found);
  const tone = finding.level === 'violation' ? 'violation' : 'advice';
  const title = `${paint(tone, finding.level.toUpperCase())} ${paint('strong', findingTitles[finding.check])}`;
  const label = (name: string): string => `  ${paint('faint', name.padEnd(indent - 3))} `;
  const curls = renderRequests(found, surroundings);
  const fields = [
    ...(finding.boundary === undefined ? [] : [['refused', renderBoundary(finding.boundary)] as const]),
    ['expected', finding.expected],
    ...renderReceived(found),
    ['by', renderClause(finding.clause, source)],
    ...(finding.parity === undefined ? [] : [['verdict', describeVerdict(finding.parity)] as const]),
  ] as const;
  return [
    ...wrapText(
      `${title} ${paint('faint', `[${found.id}] ${finding.operation}, seen ${count}×${renderConfirmation(found)}${renderExpiry(found)}`)}`,
      { width, indent: 2 },
    ),
    ...fields.flatMap(([name, text]) =>
      wrapText(`${label(name)}${redactText(text, secrets)}`, { width, indent }),
    ),
    // A command is pasted, so that its line is left whole.
    ...curls.map(
      (curl, index) => `${label(index === 0 ? 'request' : found.sideBySide ? 'beside' : 'then')}${curl}`,
    ),
    ...renderElsewhere(found, surroundings).map((curl) => `${label('elsewhere')}${curl}`),
    ...(found.outcomes === undefined
      ? []
      : wrapText(`${label('answered')}${redactText(found.outcomes.join(', '), secrets)}`, { width, indent })),
    ...(replay === undefined ? [] : [`${label('replay')}${replay}`]),
    ...(places === undefined ? [] : wrapText(`${label('seen')}${places}`, { width, indent })),
  ];
}
