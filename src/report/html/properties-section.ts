import type { PropertyResult, Verdict } from '../../runner/run-event.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';
import { renderTable } from './render-table.ts';

const verdictWords: Readonly<Record<Verdict, readonly [mark: string, words: string]>> = {
  held: ['✓', 'held'],
  broken: ['✗', 'broken'],
  advised: ['!', 'advised'],
  'given-up': ['–', 'given up'],
  unjudged: ['–', 'not judged'],
};

function renderVerdict(verdict: Verdict): Markup {
  const [mark, words] = verdictWords[verdict];
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${mark}</span> ${words}</span>`;
}

function toRow({ suite, property, title, cases, requests, verdict }: PropertyResult): readonly Markup[] {
  return [
    markup`${title}<br /><code class="aside">${suite}/${property}</code>`,
    renderVerdict(verdict),
    markup`${cases.toLocaleString('en-US')}`,
    markup`${requests.toLocaleString('en-US')}`,
  ];
}

/** Every property that was tried, what it came to, and how much was sent for it. */
export function renderProperties(
  properties: readonly PropertyResult[],
  { redactor }: Pick<Page, 'redactor'>,
): Markup {
  const rows = properties.map((property) => toRow({ ...property, title: redactor.text(property.title) }));
  return renderTable({
    caption: 'Each property, and what it came to',
    columns: [
      { title: 'Property' },
      { title: 'Verdict' },
      { title: 'Cases', isNumber: true },
      { title: 'Requests', isNumber: true },
    ],
    rows,
  });
}
