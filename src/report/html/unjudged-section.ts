import type { Unjudged } from '../../runner/traffic-event.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';
import { renderTable } from './render-table.ts';

/** The exchanges that could not be judged, by the reason. */
export function renderUnjudged(unjudged: readonly Unjudged[], { redactor }: Pick<Page, 'redactor'>): Markup {
  return renderTable({
    caption: 'Exchanges that could not be judged',
    columns: [{ title: 'Why' }, { title: 'Exchanges', isNumber: true }, { title: 'The first' }],
    rows: unjudged.map(({ reason, count, first }) => [
      markup`${redactor.text(reason)}`,
      markup`${count.toLocaleString('en-US')}`,
      markup`${redactor.text(first)}`,
    ]),
  });
}
