import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { createRunEvents, findSecrets, runSecret, writeReport } from '../../fixtures/create-run-events.ts';
import type { RunEvent, RunResult } from '../events/events.ts';
import { createJunitReport } from './junit.ts';

const schema = readFileSync(new URL('../../fixtures/schemas/junit.xsd', import.meta.url), 'utf8');

async function complaintsOf(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ rawMessage }) => rawMessage);
}

async function report(input: Parameters<typeof writeReport>[1] = {}): Promise<string> {
  const xml = writeReport(createJunitReport, input);
  expect(await complaintsOf(xml)).toEqual([]);
  expect(findSecrets(xml)).toEqual([]);
  return xml;
}

function resultOf(events: readonly RunEvent[]): RunResult {
  const last = events.at(-1);
  if (last?.kind !== 'run-finished') throw new Error('the run has no end');
  return last.result;
}

const casesOf = (xml: string): readonly string[] =>
  xml.match(/<testcase [\s\S]*?(?:\/>|<\/testcase>)\n/gu) ?? [];
const caseOf = (xml: string, name: string): string =>
  casesOf(xml).find((text) => text.includes(` name="${name}"`)) ?? '';

test('the schema refuses what a reader would', async () => {
  expect(await complaintsOf('<testsuites tests="1" failures="0" errors="0" time="x"/>')).not.toEqual([]);
});

test('a suite is a testsuite, a property a testcase, and a finding that fails the run a failure', async () => {
  const xml = await report();
  expect(xml).toContain(
    '<testsuites name="cloche test" tests="9" failures="3" errors="0" skipped="4" time="1.234">',
  );
  expect(xml).toContain(
    '<testsuite name="cloche.valid-bodies" tests="3" failures="2" errors="0" skipped="0"',
  );
  expect(xml).toContain('timestamp="2026-11-21T09:30:00"');
  expect(xml).toContain('<property name="cloche.seed" value="7"/>');
  expect(caseOf(xml, 'create.plain')).toBe(
    '<testcase name="create.plain" classname="cloche.valid-bodies" time="0.002"/>\n',
  );
  expect(caseOf(xml, 'create.extreme')).toMatch(
    /<failure message="The service failed: expected [^"]*, received 500 text\/html" type="server-error">VIOLATION The service failed \[server-error-/u,
  );
});

test('a further finding of a property is a testcase beside it, named by its id', async () => {
  expect(await report()).toMatch(
    /<testcase name="create\.extreme \(response-schema-[0-9a-f]{12}\)" [^>]*>\s*<failure [^>]*type="response-schema">/u,
  );
});

test('a fault fails one test, and the other tests that show it are skipped', async () => {
  const { findings } = resultOf(createRunEvents());
  const [failed] = findings;
  if (failed === undefined) throw new Error('the faked run found nothing');
  const again = {
    ...failed,
    id: 'server-error-0123456789ab',
    finding: { ...failed.finding, trigger: 'a valid body with NUL' },
    property: 'create.repeated',
  };
  const xml = await report({ events: createRunEvents({ findings: [failed, again] }) });
  expect(xml).toContain(' failures="1" ');
  expect(caseOf(xml, 'create.repeated')).toContain(
    `<skipped message="shows the same fault as ${failed.id}"/>`,
  );
  expect(xml).toContain('<system-out>VIOLATION The service failed [server-error-0123456789ab]');
});

test('warning is told beside, and fails where the run is strict', async () => {
  expect(caseOf(await report(), 'create.extreme')).toMatch(/<system-out>WARNING /u);
  const strict = await report({ changes: { strict: true } });
  expect(strict).toMatch(/<failure [^>]*type="undeclared-constraint">WARNING /u);
});

test('a known finding passes, with its reason', async () => {
  expect(caseOf(await report(), 'create.echo')).toMatch(
    /time="0\.003">\s*<system-out>Known, and may pass: names are stored in lower case\n/u,
  );
});

test('what was not judged is skipped, with its reason', async () => {
  const xml = await report({
    events: createRunEvents({
      notChecked: [
        { what: 'traces/create.trace', reason: 'no request was ever refused' },
        { what: 'framing', reason: `there is no connection for ${runSecret}` },
        { what: 'samples', reason: 'every operation creates something', notApplicable: true },
      ],
    }),
  });
  expect(caseOf(xml, 'create.trace')).toContain('<skipped message="no request was ever refused"/>');
  expect(caseOf(xml, 'framing')).toContain('<skipped message="there is no connection for [secret]"/>');
  expect(caseOf(xml, 'create.repeated')).toContain(
    '<skipped message="not held, because of a finding elsewhere',
  );
  expect(xml).not.toContain('samples');
});

test('a property that a run broke off in still shows its finding', async () => {
  const xml = await report({
    events: createRunEvents({ properties: [] }),
    why: `Failed to judge "x": it went away with ${runSecret}.`,
  });
  expect(caseOf(xml, 'create.extreme')).toContain('type="server-error"');
  expect(caseOf(xml, 'the run comes to its end')).toContain(
    '<error message="Failed to judge &quot;x&quot;: it went away with [secret]." type="cannot-judge">',
  );
});

test('a run that was interrupted, or came to nothing, is no success', async () => {
  expect(await report({ events: createRunEvents({ interrupted: true, findings: [] }) })).toContain(
    'type="interrupted"',
  );
  const [started] = createRunEvents();
  expect(await report({ events: [started as RunEvent], why: 'gone' })).toContain('errors="1"');
});

test('writes what XML has no place for in words, and no markup of a service as markup', async () => {
  const xml = await report();
  expect(xml).toContain('&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&amp;');
  // eslint-disable-next-line no-control-regex -- what XML 1.0 refuses
  expect(xml).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u202E]/u);
});

test('writes nothing of a run that never began', () => {
  expect(writeReport(createJunitReport, { events: [] })).toBe('');
});
