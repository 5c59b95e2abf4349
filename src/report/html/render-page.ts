import { renderBaseline } from './baseline-section.ts';
import { renderCoverage } from './coverage-section.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { renderFindings } from './findings-section.ts';
import { markup, type Markup } from './markup.ts';
import { renderLatency } from './latency-section.ts';
import { renderNotChecked } from './not-checked-section.ts';
import { renderObservations } from './observations-section.ts';
import type { Page } from './page.ts';
import { pageScript, pageScriptHash } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { renderProperties } from './properties-section.ts';
import { renderSummary } from './summary-section.ts';
import { renderUnjudged } from './unjudged-section.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

/** Nothing is loaded from anywhere, and no script runs but the page's own (CSP Level 3). */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${pageScriptHash}'; base-uri 'none'; form-action 'none'`;

function listSections(page: Page): readonly Section[] {
  const { run } = page;
  const { result } = run;
  const properties = run.kind === 'suites' ? run.result.properties : [];
  const unjudged = run.kind === 'traffic' ? run.result.unjudged : [];
  const all: readonly ReportedFinding[] = result.findings;
  const inOrder = all.toSorted(
    (left, right) => Number(left.finding.level !== 'violation') - Number(right.finding.level !== 'violation'),
  );
  const open = inOrder.filter(({ known }) => known === undefined);
  const known = inOrder.filter((found) => found.known !== undefined);
  const sections: readonly (Section & { readonly isThere: boolean })[] = [
    { id: 'findings', title: 'Findings', isThere: open.length > 0, content: renderFindings(open, page) },
    {
      id: 'baseline',
      title: 'Known from the baseline',
      isThere: known.length > 0 || result.gone.length > 0,
      content: renderBaseline(known, page),
    },
    { id: 'answers', title: 'Answers and their times', isThere: true, content: renderLatency(page) },
    {
      id: 'open',
      title: 'Left open by the document',
      isThere: result.observations.length > 0,
      content: renderObservations(page),
    },
    {
      id: 'coverage',
      title: 'Coverage of the contract',
      isThere: result.coverage.length > 0,
      content: renderCoverage(page),
    },
    {
      id: 'not-judged',
      title: 'Not judged',
      isThere: unjudged.length > 0,
      content: renderUnjudged(unjudged, page),
    },
    {
      id: 'not-checked',
      title: 'Not checked',
      isThere: result.notChecked.length > 0,
      content: renderNotChecked(page),
    },
    {
      id: 'properties',
      title: 'Properties',
      isThere: properties.length > 0,
      content: renderProperties(properties, page),
    },
  ];
  return sections.filter(({ isThere }) => isThere);
}

/** The whole page, as one text that needs nothing besides itself. */
export function renderPage(page: Page): string {
  const { run } = page;
  const title = page.redactor.text(run.started.contract.title);
  const sections = listSections(page);
  const links = sections.map((section) => markup`<li><a href="#${section.id}">${section.title}</a></li>`);
  const contents = sections.map(
    (section) =>
      markup`<section id="${section.id}" aria-labelledby="${section.id}-title">
        <h2 id="${section.id}-title">${section.title}</h2>
        ${section.content}
      </section> `,
  );
  // These two are ours, and hold nothing of a run.
  const style = { html: pageStyle };
  const script = { html: pageScript };
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: ${run.kind === 'traffic' ? 'judged traffic' : 'contract test'}</title>
        <link rel="icon" href="data:," />
        <style>${style}</style>
      </head>
      <body>
        ${renderSummary(page)}
        <nav aria-label="Sections">
          <ul>
            ${links}
          </ul>
        </nav>
        <main>${contents}</main>
        <footer>
          Made by Cloche ${page.options.toolVersion}. This page needs nothing besides itself; what is secret
          was taken out of it.
        </footer>
        <p id="status" class="unseen" role="status"></p>
        <script>${script}</script>
      </body>
    </html> `.html;
}
