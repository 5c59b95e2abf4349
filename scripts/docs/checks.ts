import { type CheckDoc, checkDocs } from '../../src/check/checks/docs.ts';
import { findingTitles } from '../../src/report/text/finding.ts';

const head = `# The checks of \`cloche test\`

Every finding names the check that it comes from, at the beginning of its id: \`[server-error-6f1d0c3a9be2]\` is
of [server-error](#server-error). A violation fails the run; advice does with \`--strict\`; an observation never.
The paths and values below are made up.
`;

/** As a block of code, so that nothing in it is markup. */
function renderExchange({ request, answer }: CheckDoc['example']): string {
  const quote = (text: string, mark: string): string[] =>
    text.split('\n').map((line) => `${mark} ${line}`.trimEnd());
  return ['```text', ...quote(request, '>'), ...quote(answer, '<'), '```'].join('\n');
}

function renderCheck(id: string, title: string, { levels, place, finds, example }: CheckDoc): string {
  return `## ${id}

**${title}.** ${finds}

- Level: ${levels.join(', ')}
- By: ${place}

${renderExchange(example)}
`;
}

/** The page that says of each check what it finds, by its id, so that `#server-error` leads to it. */
export function renderCheckDocs(): string {
  const titles: Readonly<Record<string, string>> = findingTitles;
  const checks = Object.entries(checkDocs).map(([id, doc]) => renderCheck(id, titles[id] ?? '', doc));
  return [head, ...checks].join('\n');
}
