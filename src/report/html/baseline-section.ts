import { plural } from '../plural.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { renderFindingArticle } from './finding-article.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';

/** What the baseline lets pass, and the entries of it that were not seen any more. */
export function renderBaseline(known: readonly ReportedFinding[], page: Page): Markup {
  const { gone } = page.run.result;
  const entries = gone.map(
    ({ id, reason }) =>
      markup`<li>
        <code>${id}</code>${reason === undefined ? undefined : markup` ${page.redactor.text(reason)}`}
      </li>`,
  );
  return markup`${
    known.length === 0
      ? undefined
      : markup`<details>
          <summary>${plural(known.length, 'known finding')}</summary>
          ${known.map((found) => renderFindingArticle(found, page))}
        </details>`
  }${
    entries.length === 0
      ? undefined
      : markup`<h3>No longer seen</h3>
          <p>These entries can be taken out of the baseline.</p>
          <ul class="plain">
            ${entries}
          </ul>`
  }`;
}
