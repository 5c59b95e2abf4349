import type { HeaderList } from '../../http/header-list.ts';
import type { MessageMarks } from './exchange-marks.ts';
import { markup, type Markup, type MarkupValue } from './markup.ts';
import { renderMarkedText } from './render-marked-text.ts';

/** One message of an exchange, redacted. */
export interface ShownMessage {
  readonly title: string;
  /** What is said beside the title: how long it took. */
  readonly aside: string;
  /** The request line without the version, or the status; what came instead of an answer. */
  readonly start: string;
  readonly headers: HeaderList;
  /** The text of the content, and what is said of it: `24 bytes`. */
  readonly body: { readonly text: string; readonly words: string } | undefined;
  readonly marks: MessageMarks;
}

function renderHeaders(headers: HeaderList, marks: MessageMarks): readonly Markup[] {
  const present = headers.map(([name, value]) => {
    const field = markup`<span class="name">${name}:</span> ${value}`;
    const isMarked = marks.headers?.includes(name.toLowerCase()) === true;
    return markup`\n${isMarked ? markup`<mark>${field}</mark>` : field}`;
  });
  const missing = (marks.missing ?? []).map(
    (name) => markup`\n<mark class="missing">${name}: (not there)</mark>`,
  );
  return [...present, ...missing];
}

function renderStart(start: string, marks: MessageMarks): MarkupValue {
  const text = renderMarkedText(start, []);
  return marks.start === true ? markup`<mark>${text}</mark>` : text;
}

function renderBody(title: string, body: NonNullable<ShownMessage['body']>, marks: MessageMarks): Markup {
  return markup`<pre class="body" tabindex="0" role="group" aria-label="${title}, content">
${renderMarkedText(body.text, marks.body ?? [])}</pre>
    <p class="aside">${body.words}</p>`;
}

/** Lays out a request or an answer as it travelled, with the parts that matter marked. */
export function renderMessage({ title, aside, start, headers, body, marks }: ShownMessage): Markup {
  return markup`<div class="message">
    <p class="label">${title} <span class="aside">${aside}</span></p>
    <pre tabindex="0" role="group" aria-label="${title}, head"><strong>${renderStart(start, marks)}</strong>${renderHeaders(headers, marks)}</pre>
    ${body === undefined ? undefined : renderBody(title, body, marks)}
  </div>`;
}
