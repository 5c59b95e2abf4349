import { describeReceived } from '../../check/describe.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { addDefaultHeaders, type HeaderList, type HttpResponse } from '../../http/message.ts';
import type { Redactor } from '../../http/redact.ts';
import type { TextRange } from '../../json/locate.ts';
import { cutAtMarks, keepAround, orderRanges, settleCut } from '../../json/text-range.ts';
import type { FoundCause } from '../../events/events.ts';
import { plural, receivedBytes } from '../format.ts';
import { type ExchangeMarks, markExchange, type MessageMarks } from './marks.ts';
import { markup, type Markup, nameCharacter, type Page, renderDuration, unseen } from './markup.ts';

/** Decodes UTF-8. Each invalid byte becomes a low surrogate, which no UTF-8 text contains. */
function decodeLeniently(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      pieces.push(String.fromCharCode(first));
      at += 1;
      continue;
    }
    // The first byte of a character encodes its length (RFC 3629 §3).
    const further = Number(first >= 0xc2) + Number(first >= 0xe0) + Number(first >= 0xf0);
    const length = first > 0xf4 ? 1 : 1 + further;
    const character = length === 1 ? undefined : decodeUtf8(bytes.subarray(at, at + length));
    pieces.push(character ?? String.fromCharCode(0xdc00 + first));
    at += character === undefined ? 1 : length;
  }
  return pieces.join('');
}

/**
 * Decodes a body for a page, with `[secret]` for each secret. A byte that is not UTF-8 is the low surrogate
 * U+DC00 + byte.
 */
export function decodeForPage(bytes: Uint8Array, redactor: Redactor): string {
  return redactor.text(decodeUtf8(bytes) ?? decodeLeniently(bytes));
}

/** What is shown of a text, in UTF-16 code units. */
const lengths = { whole: 2_400, beginning: 800, around: 400 };
/** The shown length of the content of an earlier exchange in its line. */
const mostInLine = 120;

/** Renders a text. Names of invisible characters look different from the same letters in the text. */
function showText(text: string): Markup {
  const pieces: Markup[] = [];
  let at = 0;
  for (const { index, 0: character } of text.matchAll(unseen)) {
    pieces.push(markup`${text.slice(at, index)}<span class="esc">${nameCharacter(character)}</span>`);
    at = index + character.length;
  }
  pieces.push(markup`${text.slice(at)}`);
  return markup`${pieces}`;
}

function countBytes(text: string): string {
  return new TextEncoder().encode(text).length.toLocaleString('en-US');
}

function renderStretch(text: string, stretch: TextRange, marks: readonly TextRange[]): Markup {
  const pieces = cutAtMarks(text, stretch, marks).map(({ text: piece, mark }) => {
    if (mark === 'gap') return markup`<mark class="gap">‸</mark>`;
    return mark === undefined ? showText(piece) : markup`<mark>${showText(piece)}</mark>`;
  });
  return markup`${pieces}`;
}

/**
 * Renders a text of the exchange with marks. Of a long one it shows only the start and the context of the marks, with
 * the length of the omitted parts. An empty range marks a position between two characters.
 */
export function renderMarkedText(text: string, ranges: readonly TextRange[]): Markup {
  const marks = orderRanges(text, ranges);
  const places = [marks[0]?.start, marks.at(-1)?.end].filter((place) => place !== undefined);
  const kept = keepAround(text, places, lengths);
  let at = 0;
  const pieces = kept.map((stretch) => {
    const left = text.slice(at, stretch.start);
    at = stretch.end;
    return markup`${left === '' ? undefined : markup`<span class="cut">… ${countBytes(left)} bytes …</span>`}${renderStretch(text, stretch, marks)}`;
  });
  const rest = text.slice(at);
  return markup`${pieces}${rest === '' ? undefined : markup`<span class="cut">… ${countBytes(rest)} bytes more</span>`}`;
}

/** The title of bytes that follow the end of a response. */
const excess = 'After its end';

/** One message of an exchange, redacted. */
interface ShownMessage {
  readonly title: string;
  /** The text beside the title: the duration. */
  readonly aside: string;
  /** The request line without the version, the status, or words if there was no response. */
  readonly start: string;
  readonly headers: HeaderList;
  /** The text of the content, and its description: `24 bytes`. */
  readonly body: { readonly text: string; readonly words: string } | undefined;
  readonly marks: MessageMarks;
}

/** Splits header fields into those that matter for the finding, and the others, which the page folds. */
function renderHeaders(
  headers: HeaderList,
  marks: MessageMarks,
): { readonly shown: readonly Markup[]; readonly folded: readonly Markup[] } {
  const isMarked = (name: string): boolean => marks.headers?.includes(name.toLowerCase()) === true;
  const isShown = ([name]: HeaderList[number]): boolean =>
    isMarked(name) || /^(?:content-type|location)$/iu.test(name);
  const render = ([name, value]: HeaderList[number]): Markup => {
    const field = markup`<span class="name">${name}:</span> ${value}`;
    return markup`\n${isMarked(name) ? markup`<mark>${field}</mark>` : field}`;
  };
  const missing = (marks.missing ?? []).map(
    (name) => markup`\n<mark class="missing">${name}: (missing)</mark>`,
  );
  return {
    shown: [...headers.filter(isShown).map(render), ...missing],
    folded: headers.filter((field) => !isShown(field)).map(render),
  };
}

/** Renders a request or a response as it was sent, with the relevant parts marked. */
function renderMessage({ title, aside, start, headers, body, marks }: ShownMessage): Markup {
  const text = renderMarkedText(start, []);
  const line = marks.start === true ? markup`<mark>${text}</mark>` : text;
  const fields = renderHeaders(headers, marks);
  // The first line already distinguishes a request from a response.
  const isLabelled = title === excess;
  const content =
    body &&
    markup`<pre class="body" tabindex="0" role="group" aria-label="${title}, content">
${renderMarkedText(body.text, marks.body ?? [])}</pre>`;
  const words = [body?.words ?? '', aside].filter((part) => part !== '').join(', ');
  const others = plural(fields.folded.length, 'header field');
  const rest =
    fields.folded.length === 0
      ? markup`<p class="aside">${words}</p>`
      : markup`<details class="aside">
          <summary>${words === '' ? others : `${words}; ${others}`}</summary>
          <pre tabindex="0" role="group" aria-label="${title}, other header fields">${fields.folded}</pre>
        </details>`;
  return markup`<div class="message">
    <p class="label ${isLabelled ? '' : 'unseen'}">${title}</p>
    <pre tabindex="0" role="group" aria-label="${title}, head"><strong>${line}</strong>${fields.shown}</pre>
    ${content}${rest}
  </div>`;
}

const framings = {
  'content-length': '',
  chunked: ', in chunks',
  'several-packets': ', in several packets',
} as const;

function describeBody(bytes: Uint8Array): string {
  return `${plural(bytes.length, 'byte')}${decodeUtf8(bytes) === undefined ? ', not UTF-8' : ''}`;
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
    title: 'Response',
    aside: `after ${renderDuration(durationMs)}`,
    start: isResponse
      ? String(answer.response.status)
      : redactor.text(describeReceived(found.exchange.answer)),
    headers: isResponse ? redactor.headers(answer.response.headers) : [],
    body: toBody(receivedBytes(answer), shown.text, redactor.text(`${coding}${cut}`)),
    marks: shown.marks.answer,
  });
}

/** Renders the bytes after the end of the response, all marked. */
function showExcess({ exchange: { exchange } }: FoundCause, { redactor }: Page): Markup | undefined {
  const { answer } = exchange;
  const bytes = answer.kind === 'response' ? answer.trailing : undefined;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = decodeForPage(bytes, redactor);
  return renderMessage({
    title: excess,
    aside: '',
    start: describeBody(bytes),
    headers: [],
    body: { text, words: '' },
    marks: { body: [{ start: 0, end: text.length }] },
  });
}

/** Renders one exchange of a finding, the request beside the response, and marks what the finding is about. */
function renderExchange(found: FoundCause, page: Page, isMarked: boolean): Markup {
  const { request, answer } = found.exchange.exchange;
  const sent = decodeForPage(request.body ?? new Uint8Array(), page.redactor);
  const received = decodeForPage(receivedBytes(answer), page.redactor);
  const marks = isMarked ? markExchange(found, { sent, received }) : { request: {}, answer: {} };
  return markup`<div class="exchange">
    ${showRequest(found, page, { text: sent, marks })}
    <div>${showAnswer(found, page, { text: received, marks })}${showExcess(found, page)}</div>
  </div>`;
}

/** Renders all exchanges of a finding: each earlier one as a line that unfolds, and in full the one that shows it. */
export function renderExchanges(found: FoundCause, page: Page): Markup {
  const { redactor } = page;
  const shown = (bytes: Uint8Array): string => {
    const text = decodeForPage(bytes, redactor);
    return text.length > mostInLine ? `${text.slice(0, settleCut(text, mostInLine))}…` : text;
  };
  const steps = (found.earlier ?? []).map((exchange) => {
    const { request, answer } = exchange.exchange;
    const status =
      answer.kind === 'response' ? String(answer.response.status) : describeReceived(exchange.answer);
    return markup`<li>
      <details>
        <summary>
          <code
            ><strong>${redactor.text(`${request.method} ${request.target}`)}</strong> ${shown(request.body ?? new Uint8Array())}
            → <strong>${redactor.text(status)}</strong> ${shown(receivedBytes(answer))}</code
          >
        </summary>
        ${renderExchange({ ...found, exchange }, page, false)}
      </details>
    </li> `;
  });
  const before =
    steps.length === 0
      ? undefined
      : markup`<ol class="steps">
          ${steps}
        </ol>`;
  return markup`${before}${renderExchange(found, page, true)}`;
}
