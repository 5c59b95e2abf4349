import { checks } from '../../src/check/checks/all-checks.ts';
import type { Check } from '../../src/check/define-check.ts';
import { checkIds } from '../../src/check/finding.ts';

const head = `# The checks of \`cloche test\`

The id of a finding begins with its check: [server-error](#server-error) reported
\`[server-error-6f1d0c3a9be2]\`. A violation fails the run; a warning fails it with \`--strict\`; a note never does.
The paths and values below are examples.

## On traffic

\`cloche proxy\` and \`cloche check\` apply the same checks to the requests of other clients, but report less:

- A finding that one exchange shows is the same as in a run: \`limit-ignored\`, \`filter-ignored\`, \`write-only-shown\`, \`location\` and others.
- A finding that takes several exchanges (\`read-after-write\`, \`deleted-still-there\`, \`list-lacks\`) is a warning, because a request that did
  not pass the proxy may explain it. It is reported only for items that the traffic created. \`cloche test\` creates its own items and is certain.
- Nothing is reported about the order of requests that overlapped with one that may change something, or if the recording hides the client.
- A \`readOnly\` value that a create sent and the response repeated is a warning, because the client may have computed the same value. In a
  PUT or PATCH it is not reported, because clients send back what they received.
`;

/** Renders the page on the checks, with a section for each check id. */
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
- Rule: ${place}

${['```text', ...quote(example.request, '>'), ...quote(example.answer, '<'), '```'].join('\n')}
`;
}
