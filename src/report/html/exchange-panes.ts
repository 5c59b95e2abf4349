import { describeReceived } from '../../check/describe-subject.ts';
import { addDefaultHeaders } from '../../http/add-default-headers.ts';
import { decodeUtf8 } from '../../http/decode-utf8.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { FoundCause } from '../../runner/run-event.ts';
import { plural } from '../plural.ts';
import { decodeForPage } from './decode-for-page.ts';
import type { ExchangeMarks } from './exchange-marks.ts';
import { markup, type Markup } from './markup.ts';
import { markExchange } from './mark-exchange.ts';
import type { Page } from './page.ts';
import { renderDuration } from './render-duration.ts';
import { renderMessage, type ShownMessage } from './render-message.ts';

const framings = {
  'content-length': '',
  chunked: ', in chunks',
  'several-packets': ', in several packets',
} as const;

function describeBody(bytes: Uint8Array): string {
  return `${plural(bytes.length, 'byte')}${decodeUtf8(bytes) === undefined ? ', not UTF-8' : ''}`;
}

/** The bytes that came, whether they are an answer or not. */
function bytesOf({ exchange: { exchange } }: FoundCause): Uint8Array {
  const { answer } = exchange;
  switch (answer.kind) {
    case 'response':
      return answer.response.body;
    case 'unreachable':
      return new Uint8Array();
    case 'timed-out':
    case 'dropped':
    case 'not-http':
      return answer.received;
  }
}

function toBody(bytes: Uint8Array, text: string, more: string): ShownMessage['body'] {
  return bytes.length === 0 ? undefined : { text, words: `${describeBody(bytes)}${more}` };
}

function showRequest(found: FoundCause, page: Page, shown: { text: string; marks: ExchangeMarks }): Markup {
  const { request } = found.exchange.exchange;
  const { redactor, options } = page;
  return renderMessage({
    title: 'Request',
    aside: '',
    start: redactor.text(`${request.method} ${request.target}`),
    headers: redactor.headers(addDefaultHeaders(request.headers, options.headers)),
    body: toBody(request.body ?? new Uint8Array(), shown.text, framings[found.exchange.request.framing]),
    marks: shown.marks.request,
  });
}

function showAnswer(found: FoundCause, page: Page, shown: { text: string; marks: ExchangeMarks }): Markup {
  const { answer, durationMs } = found.exchange.exchange;
  const { redactor } = page;
  const isResponse = answer.kind === 'response';
  const { undecoded, cutAfter }: Partial<HttpResponse> = isResponse ? answer.response : {};
  const coding = undecoded === undefined ? '' : `, still in ${undecoded.coding}`;
  const cut =
    cutAfter === undefined ? '' : `, the beginning of more than ${cutAfter.toLocaleString('en-US')}`;
  return renderMessage({
    title: 'Answer',
    aside: `after ${renderDuration(durationMs)}`,
    start: isResponse
      ? String(answer.response.status)
      : redactor.text(describeReceived(found.exchange.answer)),
    headers: isResponse ? redactor.headers(answer.response.headers) : [],
    body: toBody(bytesOf(found), shown.text, redactor.text(`${coding}${cut}`)),
    marks: shown.marks.answer,
  });
}

/** What came after the end of the answer, all of it marked. */
function showExcess({ exchange: { exchange } }: FoundCause, { redactor }: Page): Markup | undefined {
  const { answer } = exchange;
  const bytes = answer.kind === 'response' ? answer.trailing : undefined;
  if (bytes === undefined || bytes.length === 0) {
    return undefined;
  }
  const text = decodeForPage(bytes, redactor);
  return renderMessage({
    title: 'After its end',
    aside: '',
    start: describeBody(bytes),
    headers: [],
    body: { text, words: '' },
    marks: { body: [{ start: 0, end: text.length }] },
  });
}

/** Lays out the exchange that shows a finding: what was sent beside what came. */
export function renderExchange(found: FoundCause, page: Page): Markup {
  const { request } = found.exchange.exchange;
  const sent = decodeForPage(request.body ?? new Uint8Array(), page.redactor);
  const received = decodeForPage(bytesOf(found), page.redactor);
  const marks = markExchange(found, { sent, received });
  return markup`<div class="exchange">
    ${showRequest(found, page, { text: sent, marks })}
    <div>${showAnswer(found, page, { text: received, marks })}${showExcess(found, page)}</div>
  </div>`;
}
