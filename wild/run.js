// Runs `cloche test` on services that are made with the frameworks of others, prints what it finds, and holds that
// against what was found before:
//
//   node wild/run.js                 all of them
//   node wild/run.js express fastapi some
//   node wild/run.js --seed 42       with another seed; nothing may differ
//   node wild/run.js --quiet         only the summary
//   node wild/run.js --update        writes expected/
//
// The exit code is 0 where all that ran found what was expected, 1 where something else was found. A service that
// cannot be started here is left out, in words.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pickServices } from './pick-services.js';
import { wildServices } from './services.js';
import { testService } from './test-service.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '7' },
    quiet: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
});
const chosen = pickServices(wildServices, positionals);

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {import('./test-service.js').FindingEntry} entry */
function nameFinding({ id, level, trigger }) {
  return `${level} ${id}${trigger === undefined || trigger === null ? '' : ` (${trigger})`}`;
}

/**
 * What differs from what was found before, in words.
 * @param {string} name
 * @param {import('./test-service.js').Outcome} outcome
 */
function listDifferences(name, { exitCode, findings }) {
  const file = new URL(`expected/${name}.json`, import.meta.url);
  if (values.update) {
    writeFileSync(file, `${JSON.stringify({ exitCode, findings }, null, 2)}\n`);
  }
  const expected = JSON.parse(readFileSync(file, 'utf8'));
  const isIn = (list, { id }) => list.some((other) => other.id === id);
  return [
    ...(expected.exitCode === exitCode ? [] : [`exit code ${exitCode}, not ${expected.exitCode}`]),
    ...findings.filter((one) => !isIn(expected.findings, one)).map((one) => `new: ${nameFinding(one)}`),
    ...expected.findings.filter((one) => !isIn(findings, one)).map((one) => `gone: ${nameFinding(one)}`),
  ];
}

const summary = [];
let differing = 0;
for (const service of chosen) {
  const { name, title } = service;
  const whyNot = service.whyLeftOut();
  if (whyNot !== undefined) {
    summary.push(`–  ${name}: left out, ${whyNot}`);
    continue;
  }
  const outcome = await testService(service, { seed: Number(values.seed) });
  if (!values.quiet) {
    say(`\n== ${name}: ${title}\n${outcome.output}`);
  }
  const differences = listDifferences(name, outcome);
  const violations = outcome.findings.filter(({ level }) => level === 'violation').length;
  const advice = outcome.findings.length - violations;
  const seconds = (outcome.figures.durationMs / 1_000).toFixed(1);
  differing += differences.length > 0 ? 1 : 0;
  summary.push(
    `${differences.length === 0 ? '✓' : '✗'}  ${name}: violations ${violations}, advice ${advice}, ` +
      `exit code ${outcome.exitCode}, ${outcome.figures.requests} requests in ${seconds} s`,
    ...differences.map((text) => `     ${text}`),
  );
}
say(`\n${summary.join('\n')}`);
process.exitCode = differing === 0 ? 0 : 1;
