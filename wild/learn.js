// Runs `cloche learn` on services that are made with the frameworks of others, has the mock answer as the policy says,
// and sends both the same requests, which learn never saw. Prints where they answer differently, by which findings
// `cloche test --against mock` names it, and holds all of it against what was found before:
//
//   node wild/learn.js                 all of them
//   node wild/learn.js express fastapi some
//   node wild/learn.js --seed 42       with another seed; nothing may differ
//   node wild/learn.js --quiet         only the summary
//   node wild/learn.js --update        writes expected/learn-*.json
//
// The exit code is 0 where all is as expected, 1 where it is not, or where a service differs from what was just learnt
// of it. A service that cannot be started here is left out, in words.
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { learnService } from './learn-service.js';
import { pickServices } from './pick-services.js';
import { wildServices } from './services.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '7' },
    quiet: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
});
// The mock that answers alike is one of the contract, so that documents of services' own are left out.
const services = wildServices.filter(({ ownDocument = false }) => !ownDocument);

/** Much of the time goes into waiting: for a service to start, and for a second without requests. */
const together = 3;

/** @param {import('./learn-service.js').LearnOutcome} outcome */
function toExpected({ answers, open, heldBack, differences }) {
  return { answers, open, heldBack, differences };
}

/**
 * What differs from what was found before, in words.
 * @param {string} name
 * @param {import('./learn-service.js').LearnOutcome} outcome
 */
function listChanges(name, outcome) {
  const file = new URL(`expected/learn-${name}.json`, import.meta.url);
  const found = toExpected(outcome);
  if (values.update) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  }
  const expected = JSON.parse(readFileSync(file, 'utf8'));
  const changes = [];
  for (const part of ['answers', 'open']) {
    for (const id of new Set([...Object.keys(expected[part]), ...Object.keys(found[part])])) {
      const [before, now] = [expected[part][id], found[part][id]];
      if (!isDeepStrictEqual(before, now)) {
        changes.push(`${part}: ${id} is ${JSON.stringify(now)}, not ${JSON.stringify(before)}`);
      }
    }
  }
  const isIn = (list, one) => list.some((other) => isDeepStrictEqual(other, one));
  const describe = ({ request, service, mock, named }) =>
    `${request}: ${service}; the mock ${mock}; named by ${named.join(', ') || 'nothing'}`;
  return [
    ...changes,
    ...found.differences
      .filter((one) => !isIn(expected.differences, one))
      .map((one) => `new: ${describe(one)}`),
    ...expected.differences
      .filter((one) => !isIn(found.differences, one))
      .map((one) => `gone: ${describe(one)}`),
    ...outcome.differences
      .filter(({ named }) => named.length === 0)
      .map((one) => `no finding names it: ${describe(one)}`),
    ...outcome.drift.map((one) => `differs from what was just learnt: ${one}`),
  ];
}

/** @param {import('./services.js').WildService} service */
async function learnOne(service) {
  const { name, title } = service;
  const whyNot = service.whyLeftOut();
  if (whyNot !== undefined) {
    return { isAsExpected: true, lines: [`–  ${name}: left out, ${whyNot}`], output: '' };
  }
  const outcome = await learnService(service, { seed: Number(values.seed) });
  const changes = listChanges(name, outcome);
  const settled = Object.keys(outcome.answers).length;
  const open = Object.keys(outcome.open).length;
  const alike = outcome.heldBack - outcome.differences.length;
  const mark = changes.length === 0 ? '✓' : '✗';
  return {
    isAsExpected: changes.length === 0,
    output: `\n== ${name}: ${title}\n${outcome.output}`,
    lines: [
      `${mark}  ${name}: ${settled} questions settled, ${open} open; of ${outcome.heldBack} requests held back ` +
        `${alike} answered alike by the mock, ${outcome.differences.length} otherwise`,
      ...changes.map((text) => `     ${text}`),
    ],
  };
}

const chosen = pickServices(services, positionals);
/** Those that take longest first. */
const waiting = chosen.toReversed();
const done = new Map();
await Promise.all(
  Array.from({ length: together }, async () => {
    for (let service = waiting.shift(); service !== undefined; service = waiting.shift()) {
      done.set(service.name, await learnOne(service));
    }
  }),
);
for (const { name } of chosen) {
  process.stdout.write(values.quiet ? '' : done.get(name).output);
}
const summary = chosen.flatMap(({ name }) => done.get(name).lines);
process.stdout.write(`\n${summary.join('\n')}\n`);
process.exitCode = chosen.every(({ name }) => done.get(name).isAsExpected) ? 0 : 1;
