import { checks } from '../../src/check/checks/all-checks.ts';
import type { Check } from '../../src/check/define-check.ts';
import { checkIds } from '../../src/check/finding.ts';

const head = `# The checks of \`cloche test\`

The id of a finding begins with the check that reported it: \`[server-error-6f1d0c3a9be2]\` comes
from [server-error](#server-error). A violation fails the run; a warning fails it with \`--strict\`; a note never does.
The paths and values below are examples.
`;

/** The page that says of each check what it finds, by its id, so that `#server-error` leads to it. */
export function renderCheckDocs(): string {
  return [head, ...checkIds.map((id) => renderCheck(checks[id]))].join('\n');
}

function renderCheck({ id, levels, docs: { title, place, finds, example } }: Check): string {
  // As a block of code, so that nothing in it is markup.
  const quote = (text: string, mark: string): string[] =>
    text.split('\n').map((line) => `${mark} ${line}`.trimEnd());
  return `## ${id}

**${title}.** ${finds}

- Level: ${levels.join(', ')}
- By: ${place}

${['```text', ...quote(example.request, '>'), ...quote(example.answer, '<'), '```'].join('\n')}
`;
}
