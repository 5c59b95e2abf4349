import type { Clause } from '../../check/finding.ts';
import { questions } from '../../policy/questions.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';

/** Where an RFC is read, in a browser. */
const rfcs = 'https://www.rfc-editor.org/rfc/';

function renderRfc({ name, section }: Extract<Clause, { kind: 'rfc' }>): Markup {
  const number = /^RFC (\d+)$/u.exec(name)?.[1];
  return number === undefined
    ? markup`${name} §${section}`
    : markup`<a href="${rfcs}rfc${number}#section-${section}" rel="noreferrer">${name} §${section}</a>`;
}

/** The sentence that an answer is held against, and where it stands. */
export function renderClause(clause: Clause, { options, redactor }: Page): Markup {
  const quote = markup`<blockquote>${redactor.text(clause.quote)}</blockquote>`;
  switch (clause.kind) {
    case 'document': {
      const place = options.contract.locate(clause);
      const line = place === undefined ? '' : `, line ${place.line}`;
      return markup`${quote}
        <p class="aside">
          <code>${redactor.text(`${clause.file ?? options.source}#${clause.pointer}`)}</code>${line}
        </p>`;
    }
    case 'rfc':
      return markup`${quote}
        <p class="aside">${renderRfc(clause)}</p>`;
    case 'policy':
      return markup`${quote}
        <p class="aside">
          The policy on <code>${clause.question}</code>: ${questions[clause.question].question}
        </p>`;
  }
}
