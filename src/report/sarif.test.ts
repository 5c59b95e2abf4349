import { expect, test } from 'vitest';
import {
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import { listSchemaErrors } from '../../fixtures/report-schemas.ts';
import type { RunEvent, RunFinding, RunResult } from '../events/events.ts';
import { createSarifReport } from './sarif.ts';

interface Message {
  readonly text: string;
  readonly markdown: string;
}

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: Message;
  readonly locations: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      readonly region: { readonly startLine: number; readonly startColumn: number };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions: readonly unknown[];
  readonly baselineState?: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Run {
  readonly tool: {
    readonly driver: { readonly rules: readonly { readonly id: string; readonly help: Message }[] };
  };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly Readonly<Record<string, unknown>>[];
  readonly results: readonly Result[];
}

const inRepository = (file: string): string | undefined => file.slice(file.lastIndexOf('spec/'));

function report(
  input: Parameters<typeof writeReport>[1] = {},
  nameInRepository: (file: string) => string | undefined = inRepository,
): Run {
  const text = writeReport((options) => createSarifReport({ ...options, nameInRepository }), input);
  expect(findSecrets(text)).toEqual([]);
  // `as`: the schema is tested on the next line.
  const log = JSON.parse(text) as { readonly runs: readonly [Run] };
  expect(listSchemaErrors('sarif', log)).toEqual([]);
  return log.runs[0];
}

function resultOf(run: Run, check: string): Result {
  const found = run.results.find(({ ruleId }) => ruleId === check);
  if (found === undefined) throw new Error(`there is no ${check}`);
  return found;
}

function findingsOf(): RunResult['findings'] {
  const last = createRunEvents().at(-1);
  return last?.kind === 'run-finished' ? last.result.findings : [];
}

function withFirst(change: (found: RunFinding) => RunFinding): readonly RunEvent[] {
  return createRunEvents({
    findings: findingsOf().map((found, index) => (index === 0 ? change(found) : found)),
  });
}

test('the schema rejects what is not SARIF', () => {
  expect(listSchemaErrors('sarif', { version: '2.1.0', runs: [{ results: [{}] }] })).not.toEqual([]);
});

test('writes a result for each finding, at the line of its clause in the repository', () => {
  const { results } = report();
  expect(results.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'note', 'warning']);
  for (const { locations } of results) {
    const [location] = locations;
    expect(location?.physicalLocation?.artifactLocation).toEqual({
      uri: 'spec/plant-store.yaml',
      uriBaseId: '%SRCROOT%',
    });
    expect(location?.physicalLocation?.region.startLine).toBeGreaterThan(1);
  }
});

test('names a document outside the repository as the user did', () => {
  const { results } = report({}, () => undefined);
  expect(results[0]?.locations[0]?.physicalLocation?.artifactLocation).toEqual({ uri: 'api.yaml' });
  const { results: remote } = report(
    { changes: { source: 'https://h.example/an api.yaml#x' } },
    () => undefined,
  );
  expect(remote[0]?.locations[0]?.physicalLocation?.artifactLocation).toEqual({
    uri: 'https://h.example/an%20api.yaml#x',
  });
});

test('encodes a path as a URI', () => {
  const { results } = report({}, () => 'a b/100%#?.yaml');
  expect(results[0]?.locations[0]?.physicalLocation?.artifactLocation.uri).toBe('a%20b/100%25%23%3F.yaml');
});

test('places a finding without a declared operation at the start of the document', () => {
  const events = withFirst((found) => ({
    ...found,
    finding: { ...found.finding, operation: 'GET /nowhere' },
  }));
  const { region } = resultOf(report({ events }), 'server-error').locations[0]?.physicalLocation ?? {};
  expect(region).toEqual({ startLine: 1, startColumn: 1 });
});

test('has a rule for each check, with its documentation', () => {
  const { tool, results } = report();
  expect(tool.driver.rules.map(({ id }) => id)).toEqual([...new Set(results.map(({ ruleId }) => ruleId))]);
  const [rule] = tool.driver.rules;
  expect(rule?.help.text).toContain('501 is a correct response');
  expect(rule?.help.markdown).toContain('```');
});

test('accepts a known finding with its reason, and compares all with the baseline', () => {
  const run = report();
  expect(resultOf(run, 'echo')).toMatchObject({
    level: 'note',
    suppressions: [{ kind: 'external', status: 'accepted', justification: 'names are stored in lower case' }],
    baselineState: 'unchanged',
  });
  expect(resultOf(run, 'server-error')).toMatchObject({ suppressions: [], baselineState: 'new' });
  // Its entry has expired, so that it fails again.
  expect(resultOf(run, 'response-schema')).toMatchObject({
    level: 'error',
    suppressions: [],
    baselineState: 'unchanged',
  });
});

test('compares nothing without a baseline', () => {
  const findings = findingsOf().slice(0, 1);
  expect(report({ events: createRunEvents({ findings, gone: [] }) }).results[0]).not.toHaveProperty(
    'baselineState',
  );
});

test('identifies a finding by its id, and shows how to send it again', () => {
  const { message, partialFingerprints, properties } = resultOf(report(), 'response-schema');
  expect(partialFingerprints['clocheFinding/v1']).toMatch(/^response-schema-[0-9a-f]{12}$/u);
  expect(message.text).toMatch(/^A response broke its schema \(createPlant\)\.\nexpected content/u);
  expect(message.markdown).toContain('\ncurl -sSi ');
  const replay =
    "npx cloche test http://127.0.0.1:8080/base --seed 7 --path 'valid-bodies/create.extreme:4:2'";
  expect(message.markdown).toContain(replay);
  expect(properties).toMatchObject({ replay, suite: 'valid-bodies', property: 'create.extreme' });
  expect(properties['requests']).toHaveLength(2);
});

test('a warning of a strict run is an error', () => {
  expect(resultOf(report({ changes: { strict: true } }), 'undeclared-constraint').level).toBe('error');
});

test('says how the run ended', () => {
  expect(report().invocations[0]).toMatchObject({
    executionSuccessful: true,
    exitCode: 1,
    exitCodeDescription: expect.stringMatching(/^FAIL: /u),
    startTimeUtc: '2026-11-21T09:30:00.250Z',
    toolExecutionNotifications: [],
  });
  expect(report({ events: createRunEvents({ findings: [] }) }).invocations[0]).toMatchObject({ exitCode: 0 });
  expect(report({ events: createRunEvents({ interrupted: true }) }).invocations[0]).toMatchObject({
    executionSuccessful: false,
    exitCode: 130,
  });
  const { invocations } = report({ why: `the service is gone, said ${runSecret}` });
  expect(invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: [
      {
        descriptor: { id: 'cannot-judge' },
        level: 'error',
        message: { text: 'the service is gone, said [secret]' },
      },
    ],
  });
  expect(invocations[0]).not.toHaveProperty('exitCode');
});

test('keeps hostile text from being a placeholder, a link, a control character or markup', () => {
  const hostile = `${hostileText} {0} [link](https://evil.example) {"a":1}`;
  const events = withFirst((found) => ({
    ...found,
    finding: { ...found.finding, operation: hostile, received: hostile, title: hostile },
  })).map((event): RunEvent =>
    event.kind === 'run-started' ? { ...event, contract: { ...event.contract, title: hostile } } : event,
  );
  const run = report({ events });
  const { message } = resultOf(run, 'server-error');
  expect(message.text).toContain(String.raw`{{0}} [link\](https://evil.example) {"a":1}`);
  // eslint-disable-next-line no-control-regex -- what a message is not to hold
  expect(message.text + message.markdown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
  const outside = message.markdown.replaceAll(/^(`{3,})console\n[\s\S]*?\n\1$/gmu, '');
  expect(outside).not.toMatch(/(?<!\\)[<[`|]/u);
  expect(run.automationDetails.id).toMatch(/^cloche\/[^/]*\/$/u);
});

test('writes nothing of a run that never began', () => {
  expect(
    writeReport((options) => createSarifReport({ ...options, nameInRepository: inRepository }), {
      events: [],
    }),
  ).toBe('');
});
