import type { Answer } from '../../http/message.ts';
import { createRedactor } from '../../http/redact.ts';
import { type CollectedRun, createEndReport } from '../collect.ts';
import type { Report, ReportedFinding, ReportEvent, ReportOptions } from '../report.ts';
import { renderFindings } from './finding.ts';
import { markup, type Markup, type Page } from './markup.ts';
import { LatencyRecorder } from '../../events/latency.ts';
import {
  renderAnswers,
  renderBaseline,
  renderCoverage,
  renderNotChecked,
  renderNotes,
  renderProperties,
  renderSummary,
  renderUnchecked,
} from './sections.ts';
import { pageStyle } from './style.ts';

/**
 * Copies a command when its button is pressed, and unfolds what a link leads to. Without the script the page has no
 * buttons, but is complete.
 */
export const pageScript: string = `
const said = document.getElementById('status');
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    said.textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2000);
  });
}
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  for (let parent = target; parent !== null; parent = parent.parentElement) {
    if (parent.localName === 'details') parent.open = true;
  }
  target?.scrollIntoView();
}
addEventListener('hashchange', unfold);
if (location.hash !== '') unfold();
for (const details of document.querySelectorAll('details')) {
  addEventListener('beforeprint', () => { details.open = true; });
}
`;

/** The hash of the only script that the page's policy allows (CSP Level 3 §2.3.1). */
export const pageScriptHash = 'sha256-CTNEg9oJNdHeM9sDxx0g5A/bkpQLs6WnHmTBdxKYfGc=';

/** The page loads nothing, and the only script that runs is the one in it (CSP Level 3). */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${pageScriptHash}'; base-uri 'none'; form-action 'none'`;

const words: Readonly<Record<Exclude<Answer['kind'], 'response'>, string>> = {
  'timed-out': 'no whole answer in time',
  dropped: 'a dropped connection',
  'not-http': 'bytes that are not HTTP',
  unreachable: 'no connection',
};

/**
 * Creates the report that is one HTML page. It loads nothing, contains no secret, and shows all received bytes as text.
 * The report stores only the number and times of exchanges: a long run needs no more memory.
 */
export function createHtmlReport(options: ReportOptions): Report {
  const latency = new LatencyRecorder();
  const counts = new Map<string, number>();

  function watch(event: ReportEvent): void {
    if (event.kind !== 'exchange' && event.kind !== 'traffic-exchange') return;
    const { answer, durationMs } = event.judged.exchange;
    const isResponse = answer.kind === 'response';
    const name = isResponse ? String(answer.response.status) : words[answer.kind];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (isResponse) latency.add(durationMs);
  }

  function write(run: CollectedRun): void {
    const answers = [...counts]
      .map(([answer, count]) => ({ answer, count }))
      .toSorted((left, right) => left.answer.localeCompare(right.answer, 'en'));
    options.write(renderPage({ run, options, redactor: createRedactor(options.secrets), latency, answers }));
  }

  return createEndReport(options, write, watch);
}

/** Renders the whole page as one text without external resources. */
function renderPage(page: Page): string {
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
  // Both are constants without data of a run.
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

interface Section {
  readonly id: string;
  readonly title: string;
  /** Undefined if there is nothing to show. */
  readonly content: Markup | undefined;
}

function listSections(page: Page): readonly Section[] {
  const { run } = page;
  const all: readonly ReportedFinding[] = run.result.findings;
  const open = all.filter(({ known }) => known === undefined);
  const known = all.filter((found) => found.known !== undefined);
  // Merged reports have no exchanges.
  const isMerged = run.kind === 'suites' && run.started.merged !== undefined;
  const sections: readonly Section[] = [
    { id: 'findings', title: 'Findings', content: renderFindings(open, page) },
    { id: 'baseline', title: 'Known from the baseline', content: renderBaseline(known, page) },
    { id: 'answers', title: 'Responses and timing', content: isMerged ? undefined : renderAnswers(page) },
    { id: 'open', title: 'Unspecified behaviour', content: renderNotes(page) },
    { id: 'coverage', title: 'Coverage of the contract', content: renderCoverage(page) },
    { id: 'not-judged', title: 'Not judged', content: renderUnchecked(page) },
    { id: 'not-checked', title: 'Not checked', content: renderNotChecked(page) },
    { id: 'properties', title: 'Properties', content: renderProperties(page) },
  ];
  return sections.filter(({ content }) => content !== undefined);
}
