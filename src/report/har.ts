import { findingId } from '../check/finding.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { describeAnswer } from '../http/failures.ts';
import {
  addDefaultHeaders,
  type Answer,
  type HeaderList,
  headerValue,
  type HttpRequest,
  type HttpResponse,
} from '../http/message.ts';
import { pathPrefix } from '../http/path.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { Report, ReportOptions } from './report.ts';
import { receivedBytes, showBytes } from './format.ts';

/** A redactor, and whether content is written to its end. */
type HarRedactor = Redactor & { isWhole: boolean };
type HarPart = Readonly<Record<string, unknown>>;
type Recorded = Pick<CheckedExchange, 'exchange' | 'findings'>;

/** A run speaks only HTTP/1.1, and the reason phrase of its status line may be empty. */
const httpVersion = 'HTTP/1.1';

/**
 * Creates the record of every exchange, a HAR 1.2 file. The report writes during the run, because a long run does not
 * fit into memory. The file is complete JSON however the run ends.
 */
export function createHarReport(options: ReportOptions): Report {
  const { write, contract, toolVersion } = options;
  const redactor = createRedactor(options.secrets);
  const showBody = { ...redactor, isWhole: false };
  let entries = 0;
  let hasBegun = false;

  function begin(words: string): void {
    hasBegun = true;
    const creator = JSON.stringify({ name: 'cloche', version: toolVersion });
    const comment = JSON.stringify(redactor.text(`${contract.title} ${contract.version} on ${words}`));
    write(`{"log":{"version":"1.2","creator":${creator},"comment":${comment},"entries":[`);
  }

  /** Writes an exchange as an entry. `_cloche` has its findings and its origin, or why it was not judged. */
  function add({ startedAt }: { startedAt: number }, { exchange, findings }: Recorded, note: HarPart): void {
    const found = findings.filter(({ level }) => level !== 'note');
    const entry: HarPart = {
      startedDateTime: new Date(startedAt).toISOString(),
      time: exchange.durationMs,
      request: toRequest(exchange.request, options, showBody),
      response: toResponse(exchange.answer, showBody),
      cache: {},
      // Only the total time is measured; HAR requires all three.
      timings: { send: 0, wait: exchange.durationMs, receive: 0 },
      _cloche: {
        ...note,
        findings: found.map((finding) => ({
          id: findingId(finding),
          check: finding.check,
          level: finding.level,
        })),
      },
    };
    write(entries === 0 ? '\n' : ',\n');
    write(JSON.stringify(entry));
    entries += 1;
  }

  return {
    read(event) {
      if (event.kind === 'run-started') begin(`${event.target}, seed ${event.seed}`);
      // The proxy limits the content of traffic, which a mock may replay.
      if (event.kind === 'traffic-started') showBody.isWhole = true;
      if (event.kind === 'traffic-started') begin(`${event.target}, ${event.from}`);
      if (event.kind === 'exchange') {
        add(event, event.judged, { suite: event.suite, property: event.property });
      }
      if (event.kind === 'traffic-exchange') add(event, event.judged, { place: event.place });
      if (event.kind === 'traffic-unjudged') {
        add(event, { ...event, findings: [] }, { place: event.place, unjudged: event.reason });
      }
    },
    end() {
      if (hasBegun) write('\n]}}\n');
    },
  };
}

function toRequest(
  request: HttpRequest,
  { baseUrl, headers }: ReportOptions,
  redactor: HarRedactor,
): HarPart {
  const { method, target, body } = request;
  const all = addDefaultHeaders(request.headers, headers);
  const base = new URL(baseUrl);
  const at = target.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
  return {
    method,
    // The host is no secret, so it is not redacted: a short secret may occur in it as a word.
    url: `${base.origin}${redactor.text(`${pathPrefix(base)}${target}`)}`,
    httpVersion,
    cookies: [],
    headers: toPairs(redactor.headers(all)),
    queryString: toPairs([...query].map(([name, value]) => [redactor.text(name), redactor.text(value)])),
    headersSize: -1,
    bodySize: body?.length ?? 0,
    // HAR has no field for the encoding of binary request content, so `_encoding` is ours.
    ...(body === undefined || body.length === 0
      ? {}
      : { postData: toContent({ body, headers: all }, redactor, '_encoding') }),
  };
}

function toPairs(fields: HeaderList): readonly HarPart[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function toResponse(answer: Answer, redactor: HarRedactor): HarPart {
  const isResponse = answer.kind === 'response';
  // Browsers write status 0 for a request without a response.
  const response = isResponse ? answer.response : { status: 0, headers: [], body: receivedBytes(answer) };
  const { status, headers, body } = response;
  return {
    statusText: '',
    httpVersion,
    cookies: [],
    headersSize: -1,
    status,
    headers: toPairs(redactor.headers(headers)),
    content: { size: body.length, ...toContent(response, redactor, 'encoding') },
    redirectURL: redactor.text(headerValue(headers, 'location') ?? ''),
    bodySize: isResponse ? body.length : -1,
    ...(isResponse ? {} : { _error: redactor.text(describeAnswer(answer)) }),
  };
}

function toContent(
  { headers, body, cutAfter }: Pick<HttpResponse, 'headers' | 'body' | 'cutAfter'>,
  redactor: HarRedactor,
  encodingField: 'encoding' | '_encoding',
): HarPart {
  const { text, encoding, of } = showBytes(body, redactor, redactor.isWhole);
  const bytes =
    cutAfter === undefined ? of?.toLocaleString('en-US') : `more than ${cutAfter.toLocaleString('en-US')}`;
  return {
    mimeType: redactor.text(headerValue(headers, 'content-type') ?? ''),
    text,
    // HAR 1.2 has `comment` for additional notes.
    ...(bytes === undefined
      ? {}
      : { comment: `Only the beginning is kept: there were ${bytes} bytes.`, _cut: true }),
    ...(encoding === 'base64' ? { [encodingField]: encoding } : {}),
  };
}
