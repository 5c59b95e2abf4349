// Runs the suites on mutants of a reference service, and prints which of their faults are found:
// node scripts/mutants.js [--form NAME] [--kind grid|source|choice] [--sample N] [--only TEXT] [--seed N]
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createJiti } from 'jiti';
import { printSummary } from './mutants/summary.js';

const { values: options } = parseArgs({
  options: {
    form: { type: 'string', multiple: true },
    sample: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    kind: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
  },
});

const jiti = createJiti(import.meta.url);
/** @type {typeof import('../fixtures/reference/forms.ts')} */
const { forms, toDocument } = await jiti.import('../fixtures/reference/forms.ts');
/** @type {typeof import('../fixtures/reference/classify.ts')} */
const { listMutants } = await jiti.import('../fixtures/reference/classify.ts');
/** @type {typeof import('../src/schema/random.ts')} */
const { createRandom } = await jiti.import('../src/schema/random.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'cloche-mutants-'));
const mutants = listMutants().filter(
  ({ id, kind }) => id.includes(options.only) && options.kind?.includes(kind) !== false,
);
const startedAt = Date.now();
/** @type {import('./mutants/summary.js').Outcome[]} */
const outcomes = [];
const jobs = listJobs();
await Promise.all([startWorker(), startWorker()]);
rmSync(folder, { recursive: true });
printSummary(outcomes);

/** Yields the whole grid on the first document, and some of it, drawn by the seed, on each other one. */
function* listJobs() {
  for (const form of forms) {
    if (options.form !== undefined && !options.form.includes(form.name)) continue;
    const document = path.join(folder, `${form.name}.json`);
    writeFileSync(document, JSON.stringify(toDocument(form)));
    const drawn = form === forms[0] ? mutants : draw(mutants, Number(options.sample));
    for (const { id } of drawn) yield { id, form: form.name, document, seed: Number(options.seed) };
    process.stdout.write(`${form.name}: ${Math.round((Date.now() - startedAt) / 1_000)} s\n`);
  }
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {number} count
 */
function draw(all, count) {
  const random = createRandom(Number(options.seed));
  const order = all.map((each) => ({ each, at: random() })).toSorted((left, right) => left.at - right.at);
  return order.slice(0, count).map(({ each }) => each);
}

/** Gives jobs to a process until there are no more. */
function startWorker() {
  const worker = fork(fileURLToPath(new URL('mutants/worker.js', import.meta.url)));
  return new Promise((resolve, reject) => {
    worker.on('message', (/** @type {import('./mutants/summary.js').Outcome | 'ready'} */ message) => {
      if (message !== 'ready') note(message);
      const { value, done } = jobs.next();
      if (done === true) worker.disconnect();
      else worker.send(value);
    });
    worker.on('exit', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`Failed to judge mutants: the process ended with ${code}.`));
    });
  });
}

/** @param {import('./mutants/summary.js').Outcome} outcome */
function note(outcome) {
  outcomes.push(outcome);
  const isFault = outcome.class === 'fault';
  if (outcome.found === undefined || outcome.found === isFault) return;
  const what = isFault ? `survives: ${outcome.proof?.split('\n')[0]}` : `false alarm: ${outcome.check}`;
  process.stdout.write(`${outcome.form}  ${outcome.id}  ${what}\n`);
}
