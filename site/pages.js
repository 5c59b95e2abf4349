/**
 * Every page of the site, in the order of the sidebar: [title, file in docs/, one line on it for llms.txt].
 * A check fails on a page that is missing here.
 */
export const sections = [
  {
    title: 'Tutorials',
    pages: [
      ['Build a frontend', 'tutorials/frontend.md', 'a page and its mock, before the service exists'],
      ['Develop a service', 'tutorials/local.md', 'a service, its document and its tests on one machine'],
      ['Test in CI', 'tutorials/ci.md', 'a configuration, reports, a baseline and a workflow'],
    ],
  },
  {
    title: 'How to',
    pages: [['Common tasks', 'how-to/index.md', 'common tasks with their commands']],
  },
  {
    title: 'Coming from',
    pages: [
      ['Prism', 'coming-from/prism.md', 'its commands and ours'],
      ['MSW', 'coming-from/msw.md', 'its functions and ours, and how both work together'],
      ['json-server', 'coming-from/json-server.md', 'its options and ours'],
      ['Mockoon', 'coming-from/mockoon.md', 'its commands and ours'],
      ['Schemathesis', 'coming-from/schemathesis.md', 'its options and ours'],
      ['Dredd', 'coming-from/dredd.md', 'its options and ours'],
      ['Specmatic', 'coming-from/specmatic.md', 'its commands and ours'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['Documents', 'documents.md', 'errors in a document, several documents, overlays'],
      ['Resources', 'resources.md', 'how the mock creates, lists, changes and deletes items'],
      ['Configuration', 'configuration.md', 'cloche.yaml for all commands, variables, several services'],
      [
        'The mock and the suites in tests',
        'in-tests.md',
        'Vitest, Jest, node:test, Playwright, MSW, apps without a port',
      ],
      ['CI', 'ci.md', 'the GitHub Action, the GitLab component, containers'],
      ['Compare documents', 'diff.md', 'what a new version of a document breaks, and for whom'],
      ['Reports', 'reports.md', 'report formats, baselines, coverage of the document, shards'],
      [
        'Your own responses',
        'handlers.md',
        'functions in TypeScript and rules in YAML for single operations',
      ],
      ['Mixing with a service', 'mixing.md', 'a service or a recording answers a part of the requests'],
      ['Callbacks and webhooks', 'callbacks.md', 'sending and receiving them'],
      ['Logins', 'logins.md', 'the mock as OAuth 2 and OpenID Connect server'],
      ['Credentials', 'credentials.md', 'tokens for a run, by security scheme'],
      ['Notations', 'notations.md', 'XML, JSON Lines and server-sent events'],
      ['Shared services', 'staging.md', 'limits, proxies and certificates for a run on a shared service'],
      ['Extensions', 'extend.md', 'checks, suites, hooks, formats and codecs of your own'],
      ['Coding agents', 'agents.md', 'the MCP server, the report for agents, the skill'],
      ['Performance', 'performance.md', 'the speed of the mock and the suites, and what limits it'],
      ['Security', 'security.md', 'what Cloche reads, sends, stores and prints'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['Commands', 'reference/commands.md', 'usage, options, examples and exit codes of each command'],
      ['Configuration keys', 'reference/configuration.md', 'each key of a configuration, and its variable'],
      ['API', 'api/index.md', 'the modules of the package: createMock, testConformance and the rest'],
      ['Checks', 'checks.md', 'every finding, with an example'],
      [
        'Behaviours',
        'policy.md',
        'behaviours that documents do not specify, and their values in a policy file',
      ],
      ['Control interface', 'control.md', 'the HTTP interface of a running mock'],
    ],
  },
  {
    title: 'Design',
    pages: [
      ['Verdicts', 'design/verdicts.md', 'when a response is a violation, a warning or a note'],
      ['Resources', 'design/resources.md', 'how operations are recognised as reads and writes of resources'],
      ['Policies', 'design/policies.md', 'how behaviours are decided, learnt and enforced'],
      ['Decisions', 'decisions.md', 'decisions and their reasons'],
      ['In the wild', 'in-the-wild.md', "findings in other people's services"],
    ],
  },
];

/** Returns the files of all pages, in the order of the sidebar. Those in api/ exist only in the site. */
export function listFiles() {
  return ['index.md', ...sections.flatMap(({ pages }) => pages.map(([, file]) => file))];
}
