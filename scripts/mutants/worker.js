// Judges one mutant after the other, each for a message, and answers with its outcome.
import { createJiti } from 'jiti';
import { runOn } from './run-on.js';

const jiti = createJiti(import.meta.url);
/** @type {typeof import('../../fixtures/reference/forms.ts')} */
const { forms } = await jiti.import('../../fixtures/reference/forms.ts');
/** @type {typeof import('../../fixtures/reference/classify.ts')} */
const { Classifier, listMutants } = await jiti.import('../../fixtures/reference/classify.ts');

const mutants = new Map(listMutants().map((mutant) => [mutant.id, mutant]));
/** @type {Map<string, InstanceType<typeof Classifier>>} */
const classifiers = new Map();

/**
 * @typedef {object} Job
 * @property {string} id - That of the mutant.
 * @property {string} form - Its name.
 * @property {string} document - The file of the form's document.
 * @property {number} seed
 */

process.on('message', (/** @type {Job} */ job) => {
  void judge(job).then((outcome) => process.send?.(outcome));
});
process.send?.('ready');

/**
 * @param {Job} job
 * @returns {Promise<import('./summary.js').Outcome>}
 */
async function judge({ id, form: name, document, seed }) {
  const mutant = mutants.get(id);
  const form = forms.find((each) => each.name === name);
  if (mutant === undefined || form === undefined) throw new Error(`Failed to find "${id}" of "${name}".`);
  const { load, ...known } = mutant;
  const create = await load();
  // A choice is honest, whatever the checks of a client rely on.
  const { kind, proof } =
    mutant.kind === 'choice'
      ? { kind: /** @type {const} */ ('allowed'), proof: undefined }
      : classifierOf(form).classify(create);
  const outcome = { ...known, form: name, class: kind, ...(proof !== undefined && { proof }) };
  if (kind !== 'fault' && kind !== 'allowed') return outcome;
  const result = await runOn({ service: create({ form }), document, bail: kind === 'fault', seed });
  return { ...outcome, ...result };
}

/** @param {(typeof forms)[number]} form */
function classifierOf(form) {
  const known = classifiers.get(form.name) ?? new Classifier(form);
  classifiers.set(form.name, known);
  return known;
}
