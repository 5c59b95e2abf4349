import { type Finding, findingId } from '../check/finding.ts';
import { describeAnswer } from '../http/failures.ts';
import {
  addDefaultHeaders,
  type Answer,
  type Exchange,
  type HeaderList,
  headerValue,
  type HttpRequest,
} from '../http/message.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { Report, ReportEvent, ReportOptions } from './report.ts';
import { showBytes } from './text/format.ts';

type HarPart = Readonly<Record<string, unknown>>;

/** What every entry of a file has in common. */
interface HarSurroundings {
  readonly baseUrl: string;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  readonly redactor: Redactor;
}

/** HTTP/1.1 is all that a run speaks, and its status line need not say more than its code. */
const httpVersion = 'HTTP/1.1';

function toPairs(headers: HeaderList, redactor: Redactor): readonly HarPart[] {
  return redactor.headers(headers).map(([name, value]) => ({ name, value }));
}

function toQuery(target: string, redactor: Redactor): readonly HarPart[] {
  const at = target.indexOf('?');
  const pairs = at === -1 ? [] : [...new URLSearchParams(target.slice(at + 1))];
  return pairs.map(([name, value]) => ({ name: redactor.text(name), value: redactor.text(value) }));
}

function requestToHar(request: HttpRequest, { baseUrl, headers, redactor }: HarSurroundings): HarPart {
  const { method, target, body } = request;
  const all = addDefaultHeaders(request.headers, headers);
  return {
    method,
    url: redactor.text(`${baseUrl.replace(/\/+$/u, '')}${target}`),
    httpVersion,
    cookies: [],
    headers: toPairs(all, redactor),
    queryString: toQuery(target, redactor),
    headersSize: -1,
    bodySize: body?.length ?? 0,
    ...(body === undefined || body.length === 0 ? {} : { postData: postDataToHar(body, all, redactor) }),
  };
}

/** A note where a text is only the beginning of content (HAR 1.2, `comment`). */
function commentOnCut(of: number | undefined, more = ''): HarPart {
  return of === undefined
    ? {}
    : { comment: `Only the beginning is kept: there were ${more}${of.toLocaleString('en-US')} bytes.` };
}

/** HAR has no word for content of a request that is no text, so that a field of ours says so. */
function postDataToHar(body: Uint8Array, headers: HeaderList, redactor: Redactor): HarPart {
  const { text, encoding, of } = showBytes(body, redactor);
  return {
    mimeType: redactor.text(headerValue(headers, 'content-type') ?? ''),
    text,
    ...commentOnCut(of),
    ...(encoding === 'base64' ? { _encoding: encoding } : {}),
  };
}

function contentToHar(
  body: Uint8Array,
  { mimeType, cutAfter }: { readonly mimeType: string; readonly cutAfter?: number | undefined },
  redactor: Redactor,
): HarPart {
  const { text, encoding, of } = showBytes(body, redactor);
  return {
    size: body.length,
    mimeType: redactor.text(mimeType),
    text,
    ...commentOnCut(cutAfter ?? of, cutAfter === undefined ? '' : 'more than '),
    ...(encoding === 'base64' ? { encoding } : {}),
  };
}

function answerToHar(answer: Answer, redactor: Redactor): HarPart {
  const usual = { statusText: '', httpVersion, cookies: [], headersSize: -1 };
  if (answer.kind === 'response') {
    const { status, headers, body, cutAfter } = answer.response;
    const mimeType = headerValue(headers, 'content-type') ?? '';
    return {
      ...usual,
      status,
      headers: toPairs(headers, redactor),
      content: contentToHar(body, { mimeType, cutAfter }, redactor),
      redirectURL: redactor.text(headerValue(headers, 'location') ?? ''),
      bodySize: body.length,
    };
  }
  const received = answer.kind === 'unreachable' ? new Uint8Array() : answer.received;
  return {
    ...usual,
    // What browsers write for a request that came to nothing.
    status: 0,
    headers: [],
    content: contentToHar(received, { mimeType: '' }, redactor),
    redirectURL: '',
    bodySize: -1,
    _error: redactor.text(describeAnswer(answer)),
  };
}

function findingsToHar(findings: readonly Finding[]): readonly HarPart[] {
  return findings
    .filter(({ level }) => level !== 'observation')
    .map((finding) => ({ id: findingId(finding), check: finding.check, level: finding.level }));
}

/** What an entry tells. */
interface RecordedExchange {
  readonly exchange: Exchange;
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  /** Where it comes from, or why it was not judged. */
  readonly note: Readonly<Record<string, string>>;
}

/** An exchange as an entry of a HAR 1.2 file, with what was found in it in `_cloche`. */
function harEntry(
  { exchange, startedAt, findings, note }: RecordedExchange,
  surroundings: HarSurroundings,
): HarPart {
  const { request, answer, durationMs } = exchange;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: requestToHar(request, surroundings),
    response: answerToHar(answer, surroundings.redactor),
    cache: {},
    // Only the whole is measured; HAR wants all three.
    timings: { send: 0, wait: durationMs, receive: 0 },
    _cloche: { ...note, findings: findingsToHar(findings) },
  };
}

/** @returns undefined for what is no exchange */
function toRecorded(event: ReportEvent): RecordedExchange | undefined {
  switch (event.kind) {
    case 'exchange': {
      const { judged, startedAt, suite, property } = event;
      return { ...judged, startedAt, note: { suite, property } };
    }
    case 'traffic-exchange': {
      const { judged, startedAt, place } = event;
      return { ...judged, startedAt, note: { place } };
    }
    case 'traffic-unjudged': {
      const { exchange, startedAt, place, reason } = event;
      return { exchange, startedAt, findings: [], note: { place, unjudged: reason } };
    }
    default:
      return undefined;
  }
}

/** What the record is of; undefined for an event that begins nothing. */
function describeStart(event: ReportEvent): string | undefined {
  switch (event.kind) {
    case 'run-started':
      return `on ${event.target}, seed ${event.seed}`;
    case 'traffic-started':
      return `on ${event.target}, ${event.from}`;
    default:
      return undefined;
  }
}

/**
 * Creates the record of every exchange, a HAR 1.2 file. It is written as the run goes, so that a long run is
 * not kept in memory, and ended so that it is whole JSON however the run ends.
 */
export function createHarReport(options: ReportOptions): Report {
  const { write, baseUrl, headers, contract } = options;
  const redactor = createRedactor(options.secrets);
  let entries = 0;
  let hasBegun = false;
  return {
    read(event) {
      const start = describeStart(event);
      const recorded = toRecorded(event);
      if (start !== undefined) {
        hasBegun = true;
        const creator = { name: 'cloche', version: options.toolVersion };
        const comment = redactor.text(`${contract.title} ${contract.version} ${start}`);
        write(
          `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`,
        );
      } else if (recorded !== undefined) {
        write(entries === 0 ? '\n' : ',\n');
        write(JSON.stringify(harEntry(recorded, { baseUrl, headers, redactor })));
        entries += 1;
      }
    },
    end() {
      if (hasBegun) {
        write('\n]}}\n');
      }
    },
  };
}
