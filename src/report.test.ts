import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReportOptions, createRunEvents } from '../fixtures/create-run-events.ts';
import { reportKinds } from './cli/reports.ts';
import { createSecretList, listSecrets } from './session/secrets.ts';
import type { RunEvent, RunFinding } from './events/events.ts';
import { base64Spellings } from './http/redact.ts';
import { createAgentReport } from './report/agent.ts';
import { createCtrfReport } from './report/ctrf.ts';
import { createGithubReport } from './report/github.ts';
import { createGitlabReport } from './report/gitlab.ts';
import { createHarReport } from './report/har.ts';
import { createHtmlReport } from './report/html/report.ts';
import { createJsonReport } from './report/json.ts';
import { createJunitReport } from './report/junit.ts';
import { createMarkdownReport } from './report/markdown.ts';
import type { Report } from './report/report.ts';
import { createSarifReport } from './report/sarif.ts';
import type { RepositoryOptions } from './report/view/place.ts';

const creators: Readonly<Record<(typeof reportKinds)[number], (options: RepositoryOptions) => Report>> = {
  junit: createJunitReport,
  json: createJsonReport,
  html: createHtmlReport,
  github: (options) => createGithubReport({ ...options, appendSummary: options.write }),
  gitlab: createGitlabReport,
  sarif: createSarifReport,
  markdown: createMarkdownReport,
  ctrf: createCtrfReport,
  har: createHarReport,
  agent: createAgentReport,
};

/** Values that clients send as credentials; each is long enough to be recognised in the text of a report. */
const secretText = fc
  .array(fc.constantFrom(...'abcXYZ019-._~+/=<>&|`"\\ é'), { minLength: 8, maxLength: 20 })
  .map((characters) => `q7${characters.join('').trim()}`);

const credentials = fc.record({
  token: secretText,
  user: fc.constant('someone'),
  password: secretText,
  key: secretText,
  cookie: secretText.map((text) => text.replaceAll(/[^\w+/=.-]/gu, 'x')),
});

type Credentials = typeof credentials extends fc.Arbitrary<infer Value> ? Value : never;

/** Puts credentials into every part of a finding: request, response and the words of the check. */
function carry(found: RunFinding, { token, user, password, key, cookie }: Credentials): RunFinding {
  const pair = `${user}:${password}`;
  const all = [token, pair, key, cookie];
  const encoded = all.map((secret) => Buffer.from(secret).toString('base64'));
  const words = [...all, ...encoded].join(' and ');
  const { exchange } = found;
  const { request } = exchange.exchange;
  const sent = {
    ...request,
    target: `${request.target}?token=${encodeURIComponent(token)}&key=${encodeURIComponent(key)}`,
    headers: [
      ...request.headers.filter(([name]) => name !== 'Authorization'),
      ['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`],
      ['X-Token', token],
      ['X-Api-Key', key],
      ['Cookie', `sid=${cookie}; theme=dark`],
    ] as const,
    body: Buffer.from(JSON.stringify({ all, encoded, words })),
  };
  const answer = {
    kind: 'response',
    response: { status: 500, headers: [['X-Echo', key]] as const, body: Buffer.from(words) },
  } as const;
  return {
    ...found,
    finding: { ...found.finding, expected: words, received: words, trigger: words, title: words },
    exchange: { ...exchange, exchange: { ...exchange.exchange, request: sent, answer } },
    requests: [sent, sent],
    outcomes: [words],
  };
}

function carryAll(credential: Credentials): readonly RunEvent[] {
  const events = createRunEvents();
  const last = events.at(-1);
  const findings = last?.kind === 'run-finished' ? last.result.findings : [];
  const changed = findings.map((found) => carry(found, credential));
  const exchanges = changed.map((found): RunEvent => ({
    kind: 'exchange',
    suite: found.suite,
    property: found.property,
    judged: found.exchange,
    startedAt: 1,
  }));
  const notChecked = [{ what: credential.key, reason: credential.token }];
  return createRunEvents({ findings: changed, notChecked }).flatMap((event) =>
    event.kind === 'exchange' ? [] : [event, ...(event.kind === 'run-started' ? exchanges : [])],
  );
}

/** Returns a text in the spellings that its format may have given it: without escapes of Markdown, HTML and URLs. */
function spell(text: string): readonly string[] {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  const plain = text.replaceAll(/&(lt|gt|quot|#39|amp);/gu, (_, name: string) => entities[name] ?? '');
  const decoded = plain.replaceAll(/%([0-9A-F]{2})/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return [text, plain, decoded, plain.replaceAll(/\\(?=[^\\])/gu, ''), plain.replaceAll('\\\\', '\\')];
}

test.each(reportKinds)(
  'shows no credential of a finding, though it is added after the %s report was created',
  (kind) => {
    fc.assert(
      fc.property(credentials, (credential) => {
        const { token, user, password, key, cookie } = credential;
        const secrets = createSecretList(
          listSecrets({
            token: `${user}:${password}`,
            headers: [
              ['X-Api-Key', key],
              ['Cookie', `sid=${cookie}; theme=dark`],
            ],
            secrets: [],
          }),
        );
        const pieces: string[] = [];
        const report = creators[kind]({
          ...createReportOptions((text) => pieces.push(text)),
          nameInRepository: () => 'api.yaml',
          secrets: secrets.values,
          secretMeanings: secrets.meanings,
          headers: [],
        });
        secrets.addCredential(token, 'the token of oauth');
        carryAll(credential).forEach(report.read);
        report.end({ isWhole: false, why: `${token} ${key}` });
        const texts = spell(pieces.join(''));
        const hidden = [token, `${user}:${password}`, password, key, cookie];
        const shown = [...hidden, ...hidden.flatMap(base64Spellings)].filter((secret) =>
          texts.some((text) => text.includes(secret)),
        );
        expect(pieces.join('')).not.toBe('');
        expect(shown).toEqual([]);
      }),
      { numRuns: 15 },
    );
  },
);
