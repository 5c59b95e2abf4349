// Runs the suites on mutants of a reference service, and prints which of their faults are found:
// node scripts/mutants.js [--form NAME] [--kind grid|source|choice] [--sample N] [--only TEXT] [--seed N]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createJiti } from 'jiti';
import { printSummary } from './mutants/summary.js';
import { runCommand } from './mutants/run-command.js';

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
/** @param {string} name */
const load = (name) => jiti.import(`../fixtures/reference/${name}.ts`);
/** @type {typeof import('../fixtures/reference/forms.ts')} */
const { forms, toDocument } = await load('forms');
/** @type {typeof import('../fixtures/reference/classify.ts')} */
const { Classifier, listMutants } = await load('classify');
/** @type {typeof import('../src/schema/random.ts')} */
const { createRandom } = await jiti.import('../src/schema/random.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'cloche-mutants-'));
const mutants = listMutants().filter(
  ({ id, kind }) => id.includes(options.only) && options.kind?.includes(kind) !== false,
);
const startedAt = Date.now();
/** @type {import('./mutants/summary.js').Outcome[]} */
const outcomes = [];
for (const form of forms) {
  if (options.form !== undefined && !options.form.includes(form.name)) continue;
  const document = path.join(folder, `${form.name}.json`);
  writeFileSync(document, JSON.stringify(toDocument(form)));
  // The whole grid on the first document, and some of it, drawn by the seed, on each other one.
  const drawn = form === forms[0] ? mutants : draw(mutants, Number(options.sample));
  const jobs = classify(form, drawn);
  await Promise.all([work(form, document, jobs), work(form, document, jobs)]);
  process.stdout.write(`${form.name}: ${Math.round((Date.now() - startedAt) / 1_000)} s\n`);
}
rmSync(folder, { recursive: true });
printSummary(outcomes);

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

/**
 * Loads mutants one by one, and tells what each of them is.
 * @param {(typeof forms)[number]} form
 * @param {readonly ReturnType<typeof listMutants>[number][]} drawn
 */
async function* classify(form, drawn) {
  const classifier = new Classifier(form);
  for (const mutant of drawn) {
    const create = await mutant.load();
    // A choice is honest, whatever the checks of a client rely on.
    const found =
      mutant.kind === 'choice' ? { kind: /** @type {const} */ ('allowed') } : classifier.classify(create);
    yield { mutant, create, ...found };
  }
}

/**
 * Takes mutants until there are no more.
 * @param {(typeof forms)[number]} form
 * @param {string} document
 * @param {ReturnType<typeof classify>} jobs
 */
async function work(form, document, jobs) {
  for await (const { mutant, create, kind, ...rest } of jobs) {
    const { load: _, ...known } = mutant;
    const outcome = { ...known, form: form.name, class: kind, ...rest };
    if (kind === 'equivalent' || kind === 'echo' || kind === 'unproven') {
      outcomes.push(outcome);
      continue;
    }
    const isFault = kind === 'fault';
    const result = await runCommand({
      service: create({ form }),
      document,
      bail: isFault,
      seed: options.seed,
    });
    outcomes.push({ ...outcome, ...result });
    if (result.found !== isFault) {
      const what = isFault ? `survives: ${outcome.proof?.split('\n')[0]}` : `false alarm: ${result.check}`;
      process.stdout.write(`${form.name}  ${mutant.id}  ${what}\n`);
    }
  }
}
