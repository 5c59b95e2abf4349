import type { CheckId } from '../../check/check-id.ts';
import type { Finding } from '../../check/finding.ts';
import type { FoundCause } from '../../runner/run-event.ts';
import { locateValues } from '../../json/locate-values.ts';
import type { ExchangeMarks, MessageMarks } from './exchange-marks.ts';
import { markDeclaredFields, markField, markForeignTexts, markSchemaProblems } from './mark-answer.ts';
import { markEcho } from './mark-echo.ts';
import { markBody, markCredentials, markMediaType, markOddities, markParameters } from './mark-request.ts';
import { markSyntax } from './mark-syntax.ts';

/** The bodies of an exchange as they are shown. */
export interface ShownBodies {
  readonly sent: string;
  readonly received: string;
}

type Marker = (found: FoundCause, text: ShownBodies) => ExchangeMarks;

const status = { start: true } as const;

function everything(text: string): { readonly body: readonly { start: number; end: number }[] } {
  return { body: [{ start: 0, end: text.length }] };
}

/** The value past the boundary of what the service takes; undefined where there is no such place. */
function markBoundary({ boundary }: Finding, text: string): MessageMarks | undefined {
  // A place in any item of a list has a star, and the whole body is not to be pointed at.
  if (boundary === undefined || boundary.place === '' || boundary.place.includes('/*')) {
    return undefined;
  }
  const [place] = locateValues(text, [boundary.place]);
  return place && { body: [place.member] };
}

/** The status that came, and what of the request brought it about. */
const markStatus: Marker = ({ finding, exchange }, { sent }) => ({
  request: finding.trigger === undefined ? {} : markOddities(exchange, sent),
  answer: status,
});

function markAnswerField(...names: readonly string[]): Marker {
  return ({ exchange }) => ({
    request: {},
    answer: {
      headers: names.flatMap((name) => markField(exchange, name).headers ?? []),
      missing: names.flatMap((name) => markField(exchange, name).missing ?? []),
    },
  });
}

/** What a check points at; where none stands here it is the status. */
const markers: Partial<Record<CheckId, Marker>> = {
  'response-media-type': markAnswerField('Content-Type'),
  'content-length': markAnswerField('Content-Length'),
  'chunked-content': markAnswerField('Transfer-Encoding'),
  'transfer-encoding': markAnswerField('Transfer-Encoding', 'Content-Length'),
  'www-authenticate': markAnswerField('WWW-Authenticate'),
  allow: markAnswerField('Allow'),
  'response-header': ({ exchange }) => ({ request: {}, answer: markDeclaredFields(exchange) }),
  'bodiless-status': (_, { received }) => ({
    request: {},
    answer: { ...status, ...everything(received) },
  }),
  'response-json': (_, { received }) => ({ request: {}, answer: { body: markSyntax(received) } }),
  'response-schema': ({ exchange }, { received }) => ({
    request: {},
    answer: markSchemaProblems(exchange, received),
  }),
  'invalid-body-accepted': ({ exchange }, { sent }) => ({
    request: markBody(exchange, sent),
    answer: status,
  }),
  'malformed-body-accepted': ({ exchange }, { sent }) => ({
    request: markBody(exchange, sent),
    answer: status,
  }),
  'undeclared-constraint': ({ finding, exchange }, { sent }) => ({
    request: markBoundary(finding, sent) ?? markBody(exchange, sent),
    answer: status,
  }),
  'media-type-accepted': ({ exchange }) => ({ request: markMediaType(exchange), answer: status }),
  'media-type-spelling': ({ exchange }) => ({ request: markMediaType(exchange), answer: status }),
  'invalid-parameter-accepted': ({ exchange }) => ({ request: markParameters(exchange), answer: status }),
  'credentials-ignored': ({ exchange }) => ({ request: markCredentials(exchange), answer: status }),
  'credential-spelling': ({ exchange }) => ({ request: markCredentials(exchange), answer: status }),
  echo: ({ finding }, text) => markEcho(finding, text),
  'cross-talk': ({ exchange }, { received }) => ({
    request: {},
    answer: markForeignTexts(exchange, received),
  }),
  // What came too much is laid out by itself.
  'bytes-after-answer': () => ({ request: {}, answer: {} }),
};

/** Picks the parts of the exchange that a finding is about, so that a reader sees them first. */
export function markExchange(found: FoundCause, text: ShownBodies): ExchangeMarks {
  const isOfExchange = found.exchange.findings.some(
    ({ check, cause }) => check === found.finding.check && cause === found.finding.cause,
  );
  // What several exchanges show together is in none of them alone; a boundary is, though others are needed to see it.
  const mark =
    isOfExchange || found.finding.boundary !== undefined
      ? (markers[found.finding.check] ?? markStatus)
      : markStatus;
  return mark(found, text);
}
