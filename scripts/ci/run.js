// The step "Run cloche test" of action.yml. It ends with 0 whatever the verdict is, so that the next steps can upload
// the reports; the output `exit-code` has the exit code of the run.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Returns an input of the action; empty if it is not given. */
const input = (name) => (process.env[`INPUT_${name}`] ?? '').trim();

const folder = resolve(input('WORKING_DIRECTORY'));
const reports = resolve(folder, input('REPORTS'));
const files = {
  junit: join(reports, 'junit.xml'),
  ...(input('SARIF') === 'true' && { sarif: join(reports, 'cloche.sarif') }),
  ...(input('COMMENT') === 'true' && { markdown: join(reports, 'cloche.md') }),
};

/** Splits a text into arguments. Quotes and backslashes work as in a shell; nothing is expanded. */
function splitArguments(text) {
  const word = /(?:[^\s'"\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+/gu;
  const part = /\\([^])|"((?:[^"\\]|\\[^])*)"|'([^']*)'/gu;
  if (text.replaceAll(word, '').trim() !== '') {
    throw new Error(`Failed to read the input "args": a quote in it is not closed: ${text}`);
  }
  return [...text.matchAll(word)].map(([found]) =>
    found.replaceAll(part, (_, escaped, double, single) =>
      double === undefined ? (escaped ?? single) : double.replaceAll(/\\(["\\$`])/gu, '$1'),
    ),
  );
}

function toOption(name, value) {
  return value === '' ? [] : [name, value];
}

/** Runs `cloche test`; resolves to its exit code. */
async function test() {
  const words = [
    'test',
    ...(input('URL') === '' ? [] : [input('URL')]),
    ...toOption('--document', input('DOCUMENT')),
    ...toOption('--config', input('CONFIG')),
    ...toOption('--wait-for-service', input('WAIT_FOR_SERVICE')),
    ...['github', ...Object.entries(files).map((entry) => entry.join('='))].flatMap((report) => [
      '--report',
      report,
    ]),
    ...splitArguments(input('ARGS')),
  ];
  mkdirSync(reports, { recursive: true });
  // A report of an earlier step would look like one of this run.
  for (const file of Object.values(files)) rmSync(file, { force: true });
  const child = spawn(process.execPath, [input('MAIN'), ...words], {
    cwd: folder,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  // A run that a signal ended has no exit code; 130 is the one of an interrupted run.
  return code ?? 130;
}

const outputs = { 'exit-code': await test(), reports };
for (const [kind, file] of Object.entries(files)) {
  // A run that never started writes no report.
  if (existsSync(file)) outputs[kind] = file;
}
for (const [name, value] of Object.entries(outputs)) {
  const end = randomUUID();
  appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
}
