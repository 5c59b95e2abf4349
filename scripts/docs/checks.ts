import { checks } from '../../src/check/checks/all-checks.ts';
import type { Check } from '../../src/check/define-check.ts';
import { checkIds } from '../../src/check/finding.ts';

const head = `# The checks of \`cloche test\`

The id of a finding begins with the check that reported it: \`[server-error-6f1d0c3a9be2]\` comes
from [server-error](#server-error). A violation fails the run; a warning fails it with \`--strict\`; a note never does.
The paths and values below are examples.

## On traffic

\`cloche proxy\` and \`cloche check\` judge the requests of others by the same checks, and conclude less. What one exchange shows alone
is what it is in a run, whoever else writes: \`limit-ignored\`, \`filter-ignored\`, \`write-only-shown\` and \`location\` among others. What it takes
several exchanges to show, such as \`read-after-write\`, \`deleted-still-there\` or \`list-lacks\`, somebody else may have brought about with a request
that did not pass here. So it is a warning, and only of items that the traffic itself created; \`cloche test\` is certain, with items of its own.
Nothing is concluded of the order of requests that were under way together with one that may change something, nor where the recording hides who
asked. A \`readOnly\` value that a create sent and got back is a warning, as a client may have worked out the same as the service; of what a replace
or an update sent it is nothing, as clients send back what they were shown.
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
