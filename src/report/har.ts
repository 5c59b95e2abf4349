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
import type { Report, ReportOptions } from './report.ts';
import { showBytes } from './text/format.ts';

type HarPart = Readonly<Record<string, unknown>>;

/** HTTP/1.1 is all that a run speaks, and its status line need not say more than its code. */
const httpVersion = 'HTTP/1.1';

/**
 * Creates the record of every exchange, a HAR 1.2 file. It is written as the run goes, so that a long run is
 * not kept in memory, and ended so that it is whole JSON however the run ends.
 */
export function createHarReport(options: ReportOptions): Report {
  const { write, contract, toolVersion } = options;
  const redactor = createRedactor(options.secrets);
  let entries = 0;
  let hasBegun = false;

  function begin(words: string): void {
    hasBegun = true;
    const creator = JSON.stringify({ name: 'cloche', version: toolVersion });
    const comment = JSON.stringify(redactor.text(`${contract.title} ${contract.version} on ${words}`));
    write(`{"log":{"version":"1.2","creator":${creator},"comment":${comment},"entries":[`);
  }

  function add(recorded: RecordedExchange): void {
    write(entries === 0 ? '\n' : ',\n');
    write(JSON.stringify(toEntry(recorded, options, redactor)));
    entries += 1;
  }

  return {
    read(event) {
      switch (event.kind) {
        case 'run-started':
          begin(`${event.target}, seed ${event.seed}`);
          return;
        case 'traffic-started':
          begin(`${event.target}, ${event.from}`);
          return;
        case 'exchange': {
          const { judged, startedAt, suite, property } = event;
          add({ ...judged, startedAt, note: { suite, property } });
          return;
        }
        case 'traffic-exchange': {
          const { judged, startedAt, place } = event;
          add({ ...judged, startedAt, note: { place } });
          return;
        }
        case 'traffic-unjudged': {
          const { exchange, startedAt, place, reason } = event;
          add({ exchange, startedAt, findings: [], note: { place, unjudged: reason } });
          return;
        }
        default:
      }
    },
    end() {
      if (hasBegun) {
        write('\n]}}\n');
      }
    },
  };
}

/** What an entry tells. */
interface RecordedExchange {
  readonly exchange: Exchange;
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  /** Where it comes from, or why it was not judged. */
  readonly note: Readonly<Record<string, string>>;
}

/** An exchange as an entry, with what was found in it in `_cloche`. */
function toEntry(
  { exchange, startedAt, findings, note }: RecordedExchange,
  options: ReportOptions,
  redactor: Redactor,
): HarPart {
  const { request, answer, durationMs } = exchange;
  const found = findings.filter(({ level }) => level !== 'note');
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: toRequest(request, options, redactor),
    response: toResponse(answer, redactor),
    cache: {},
    // Only the whole is measured; HAR wants all three.
    timings: { send: 0, wait: durationMs, receive: 0 },
    _cloche: {
      ...note,
      findings: found.map((finding) => ({
        id: findingId(finding),
        check: finding.check,
        level: finding.level,
      })),
    },
  };
}

function toRequest(request: HttpRequest, { baseUrl, headers }: ReportOptions, redactor: Redactor): HarPart {
  const { method, target, body } = request;
  const all = addDefaultHeaders(request.headers, headers);
  const at = target.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
  return {
    method,
    url: redactor.text(`${baseUrl.replace(/\/+$/u, '')}${target}`),
    httpVersion,
    cookies: [],
    headers: toPairs(redactor.headers(all)),
    queryString: toPairs([...query].map(([name, value]) => [redactor.text(name), redactor.text(value)])),
    headersSize: -1,
    bodySize: body?.length ?? 0,
    ...(body === undefined || body.length === 0 ? {} : { postData: toPostData(body, all, redactor) }),
  };
}

function toPairs(fields: HeaderList): readonly HarPart[] {
  return fields.map(([name, value]) => ({ name, value }));
}

/** HAR has no word for content of a request that is no text, so that a field of ours says so. */
function toPostData(body: Uint8Array, headers: HeaderList, redactor: Redactor): HarPart {
  const { text, encoding, of } = showBytes(body, redactor);
  return {
    mimeType: redactor.text(headerValue(headers, 'content-type') ?? ''),
    text,
    ...commentOnCut(of?.toLocaleString('en-US')),
    ...(encoding === 'base64' ? { _encoding: encoding } : {}),
  };
}

function toResponse(answer: Answer, redactor: Redactor): HarPart {
  const usual = { statusText: '', httpVersion, cookies: [], headersSize: -1 };
  if (answer.kind === 'response') {
    const { status, headers, body, cutAfter } = answer.response;
    const mimeType = redactor.text(headerValue(headers, 'content-type') ?? '');
    return {
      ...usual,
      status,
      headers: toPairs(redactor.headers(headers)),
      content: toContent(body, { mimeType, cutAfter }, redactor),
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
    content: toContent(received, { mimeType: '', cutAfter: undefined }, redactor),
    redirectURL: '',
    bodySize: -1,
    _error: redactor.text(describeAnswer(answer)),
  };
}

function toContent(
  body: Uint8Array,
  { mimeType, cutAfter }: { readonly mimeType: string; readonly cutAfter: number | undefined },
  redactor: Redactor,
): HarPart {
  const { text, encoding, of } = showBytes(body, redactor);
  const more = cutAfter === undefined ? undefined : `more than ${cutAfter.toLocaleString('en-US')}`;
  return {
    size: body.length,
    mimeType,
    text,
    ...commentOnCut(more ?? of?.toLocaleString('en-US')),
    ...(encoding === 'base64' ? { encoding } : {}),
  };
}

/** A note where a text is only the beginning of content (HAR 1.2, `comment`). */
function commentOnCut(bytes: string | undefined): HarPart {
  return bytes === undefined ? {} : { comment: `Only the beginning is kept: there were ${bytes} bytes.` };
}
