import type { BodyCoverage, OperationCoverage, ResponseCoverage } from '../../runner/operation-coverage.ts';
import { plural } from '../plural.ts';
import { summarizeCoverage } from '../summarize-coverage.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';
import { renderTable } from './render-table.ts';

function showCount(count: number): Markup {
  return count === 0 ? markup`<span class="never">never</span>` : markup`${count.toLocaleString('en-US')}`;
}

function renderResponses(responses: readonly ResponseCoverage[], page: Page): Markup {
  return renderTable({
    caption: 'Declared responses',
    columns: [{ title: 'Response' }, { title: 'Seen', isNumber: true }, { title: 'Why not' }],
    rows: responses.map(({ status, seen, reason }) => [
      markup`${status}`,
      showCount(seen),
      markup`${page.redactor.text(reason ?? '')}`,
    ]),
  });
}

function renderBodies(bodies: readonly BodyCoverage[], { redactor }: Page): Markup | undefined {
  if (bodies.length === 0) {
    return undefined;
  }
  const table = renderTable({
    caption: 'Bodies sent',
    columns: [{ title: 'Media type' }, { title: 'Kind' }, { title: 'Sent', isNumber: true }],
    rows: bodies.map(({ mediaType, kind, sent }) => [
      markup`${redactor.text(mediaType)}`,
      markup`${redactor.text(kind)}`,
      showCount(sent),
    ]),
  });
  return markup`<details><summary>${plural(bodies.length, 'kind')} of body sent</summary>${table}</details>`;
}

/** How many keywords were exercised, those of requests and of answers apart. */
function describeKeywords(coverage: OperationCoverage): string {
  const { requestKeywords, answerKeywords } = summarizeCoverage([coverage]);
  const words = [
    [requestKeywords, 'of requests met and broken'] as const,
    [answerKeywords, 'of answers met'] as const,
  ];
  return words
    .filter(([{ of }]) => of > 0)
    .map(([{ done, of }, what]) => `${done} of ${plural(of, 'keyword')} ${what}`)
    .join(', ');
}

function renderKeywords(coverage: OperationCoverage, { options, redactor }: Page): Markup | undefined {
  const { keywords } = coverage;
  if (keywords.length === 0) {
    return undefined;
  }
  const table = renderTable({
    caption: 'Keywords of the schemas',
    columns: [
      { title: 'Keyword' },
      { title: 'Of a' },
      { title: 'Met', isNumber: true },
      { title: 'Broken', isNumber: true },
      { title: 'Why not' },
    ],
    rows: keywords.map(({ keyword, file, pointer, of, met, broken, reason }) => [
      markup`<code>${keyword}</code><br /><span class="aside">${redactor.text(`${file ?? options.source}#${pointer}`)}</span>`,
      markup`${of}`,
      showCount(met),
      // That no answer broke one is as it should be.
      of === 'response' ? markup`${broken.toLocaleString('en-US')}` : showCount(broken),
      markup`${redactor.text(reason ?? '')}`,
    ]),
  });
  return markup`<details>
    <summary>${describeKeywords(coverage)}</summary>
    ${table}
  </details>`;
}

function renderOperation(coverage: OperationCoverage, page: Page): Markup {
  const { operation, requests, accepted, bodies, responses, undeclared, reason } = coverage;
  const seen = responses.filter((response) => response.seen > 0).length;
  const others = undeclared.map(({ status, seen: times }) => `${status} (${times.toLocaleString('en-US')}×)`);
  return markup`<div class="operation">
    <h3><code>${operation}</code></h3>
    <p>
      ${plural(requests, 'request')}, ${accepted.toLocaleString('en-US')} accepted; ${seen} of
      ${plural(responses.length, 'declared response')}
      seen.${reason === undefined ? undefined : markup` ${page.redactor.text(reason)}`}
    </p>
    ${others.length === 0 ? undefined : markup`<p>Not declared, and seen: ${others.join(', ')}.</p>`}
    ${responses.length === 0 ? undefined : renderResponses(responses, page)}
    ${renderBodies(bodies, page)}${renderKeywords(coverage, page)}
  </div> `;
}

/** What of the contract was exercised, operation by operation, and what never was. */
export function renderCoverage(page: Page): Markup {
  return markup`${page.run.result.coverage.map((coverage) => renderOperation(coverage, page))}`;
}
