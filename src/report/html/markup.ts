import type { Clause } from '../../check/finding.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { LatencyRecorder } from '../../events/latency.ts';
import type { Redactor } from '../../http/redact.ts';
import type { CollectedRun } from '../collect.ts';
import type { ReportOptions } from '../report.ts';
import type { FindingView } from '../view/finding-view.ts';

/** The data that the parts of the page are rendered from. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in foreign text, before the text is cut or marked. */
  readonly redactor: Redactor;
  readonly latency: Readonly<Omit<LatencyRecorder, 'add'>>;
  /** The count of each kind of response, in order: a status, or words if there was none. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Names a character that is invisible, or that changes how others are shown: `\u{202e}`. A byte that is not UTF-8 is
 * `\xff` (see {@link decodeForPage}).
 */
export function nameCharacter(character: string): string {
  if (character === '\r') return String.raw`\r`;
  const code = character.codePointAt(0) ?? 0;
  // The text has a low surrogate for a byte that is not UTF-8.
  return code >= 0xdc80 && code <= 0xdcff
    ? `\\x${(code - 0xdc00).toString(16)}`
    : `\\u{${code.toString(16)}}`;
}

/** Control, format (including direction marks), surrogate and unassigned characters, without line ends and tabs. */
export const unseen: RegExp = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Escapes a text for HTML content and quoted attributes. Invisible characters are named, because otherwise different
 * texts could look the same.
 */
function escapeHtml(text: string): string {
  return text
    .replaceAll(unseen, nameCharacter)
    .replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}

/** A piece of HTML that is safe to insert into a page: {@link markup} made it from escaped texts. */
export interface Markup {
  readonly html: string;
}

/** A value in a template. Texts are escaped, pieces are inserted unchanged, undefined is nothing. */
export type MarkupValue = string | number | Markup | undefined | readonly MarkupValue[];

function isList(value: MarkupValue): value is readonly MarkupValue[] {
  return Array.isArray(value);
}

function toMarkup(value: MarkupValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return isList(value) ? value.map(toMarkup).join('') : value.html;
}

/**
 * Makes a piece of HTML from a template. Each value is escaped for content and for quoted attributes. An attribute
 * without quotes is not safe.
 *
 * @example markup`<p title="${title}">${text}</p>`
 */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return { html: String.raw({ raw: strings }, ...values.map(toMarkup)) };
}

/** The base URL of RFCs for readers. */
const rfcs = 'https://www.rfc-editor.org/rfc/';

function renderRfc({ name, section }: Extract<Clause, { kind: 'rfc' }>): Markup {
  const number = /^RFC (\d+)$/u.exec(name)?.[1];
  return number === undefined
    ? markup`${name} §${section}`
    : markup`<a href="${rfcs}rfc${number}#section-${section}" rel="noreferrer">${name} §${section}</a>`;
}

/** Renders the sentence that a response breaks, and its location. */
export function renderClause({ clause, line }: FindingView, { options, redactor }: Page): Markup {
  const quote = markup`<blockquote>${clause.quote}</blockquote>`;
  switch (clause.kind) {
    case 'document': {
      return markup`${quote}
        <p class="aside">
          <code>${redactor.text(`${clause.file ?? options.source}#${clause.pointer}`)}</code>${line && `, line ${line.line}`}
        </p>`;
    }
    case 'rfc':
      return markup`${quote}
        <p class="aside">${renderRfc(clause)}</p>`;
    case 'rule':
      return markup`${quote}
        <p class="aside">${redactor.text(clause.name)}</p>`;
    case 'policy':
      return markup`${quote}
        <p class="aside">
          The policy on <code>${clause.question}</code>: ${behaviours[clause.question].question}
        </p>`;
  }
}

/** Renders a command that a reader copies whole. The button is shown only if the script runs. */
export function renderCommand(label: string, command: string): Markup {
  return markup`<div class="command">
    <p class="label">${label}</p>
    <pre tabindex="0" role="group" aria-label="${label}"><code>${command}</code></pre>
    <button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button>
  </div>`;
}

/** Renders a duration with three significant digits: `0.42 ms`, `12.3 ms`, `1.24 s`, `2 min 5 s`. */
export function renderDuration(ms: number): string {
  if (ms >= 120_000) {
    const seconds = Math.round(ms / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const [value, unit] = ms >= 999.5 ? [ms / 1_000, 's'] : [ms, 'ms'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

interface Table {
  readonly caption: string;
  /** The type of each column by its title. */
  readonly columns: Readonly<Record<string, 'text' | 'number'>>;
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly MarkupValue[])[];
}

/** Renders a table without its empty columns. A narrow screen scrolls only the table, also by keyboard. */
export function renderTable({ caption, ...table }: Table): Markup {
  const all = Object.entries(table.columns);
  const isShown = all.map((_, index) => table.rows.some((cells) => toMarkup(cells[index]) !== ''));
  const columns = all
    .filter((_, index) => isShown[index])
    .map(([title, holds]) => ({ title, kind: holds === 'number' ? markup` class="number"` : undefined }));
  const rows = table.rows.map((cells) => cells.filter((_, index) => isShown[index]));
  const head = columns.map(({ title, kind }) => markup`<th scope="col" ${kind}>${title}</th>`);
  const body = rows.map((cells) => {
    const rendered = cells.map((cell, index) => {
      const kind = columns[index]?.kind;
      return index === 0 ? markup`<th scope="row">${cell}</th>` : markup`<td${kind}>${cell}</td>`;
    });
    return markup`<tr>
      ${rendered}
    </tr> `;
  });
  return markup`<div class="scroll" role="group" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}
