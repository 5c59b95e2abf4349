import type { NotChecked } from '../../runner/run-event.ts';
import { isApplicable } from '../render-not-checked.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';

function renderEntry({ what, reason }: NotChecked, { redactor }: Page): Markup {
  return markup`<li><code>${redactor.text(what)}</code> ${redactor.text(reason)}</li> `;
}

/** What was not checked and what would enable it; then what the document gives no occasion for. */
export function renderNotChecked(page: Page): Markup {
  const { notChecked } = page.run.result;
  const wanting = notChecked.filter(isApplicable);
  const idle = notChecked.filter((entry) => !isApplicable(entry));
  return markup`${
    wanting.length === 0
      ? undefined
      : markup`<ul class="plain">
          ${wanting.map((entry) => renderEntry(entry, page))}
        </ul>`
  }${
    idle.length === 0
      ? undefined
      : markup`<details>
          <summary>Not applicable to this document: ${idle.length}</summary>
          <ul class="plain">
            ${idle.map((entry) => renderEntry(entry, page))}
          </ul>
        </details>`
  }`;
}
