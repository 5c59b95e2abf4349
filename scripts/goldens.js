// What users see of Cloche, written down so that a change of its inside can be held against it: the types of what the
// package exports, every help page, runs with a seed, what is found in each service of the catalogue, what the mock
// answers byte for byte, and how large the bundles are.
//
// node scripts/goldens.js            compares dist/ (built before) with fixtures/goldens/, and exits with 1 where they differ
// node scripts/goldens.js --update   writes fixtures/goldens/ anew
//
// A name alone makes or compares that part: api, help, runs, findings, responses, sizes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describeApi } from './goldens/describe-api.js';
import { findInServices, recordResponses } from './goldens/judge.js';
import { listHelp, listRuns, listSizes } from './goldens/run-commands.js';

const folder = new URL('../fixtures/goldens/', import.meta.url);
const parts = {
  api: describeApi,
  help: listHelp,
  runs: listRuns,
  findings: findInServices,
  responses: recordResponses,
  sizes: listSizes,
};
const words = process.argv.slice(2);
const isUpdate = words.includes('--update');
const wanted = words.filter((word) => Object.hasOwn(parts, word));
const names = wanted.length === 0 ? Object.keys(parts) : wanted;

/** The lines that one text has and the other has not, each once. */
function differ(before, now) {
  const [old, fresh] = [before, now].map((text) => new Set(text.split('\n')));
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`);
  return [...gone, ...[...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`)];
}

mkdirSync(folder, { recursive: true });
for (const name of names) {
  const file = new URL(`${name}.txt`, folder);
  const made = await parts[name]();
  if (isUpdate) {
    writeFileSync(file, made);
    console.log(`${name}: written`);
    continue;
  }
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (made === before) {
    console.log(`${name}: equal`);
    continue;
  }
  process.exitCode = 1;
  const lines = differ(before, made);
  console.log(`${name}: ${lines.length} lines differ`);
  console.log(
    lines
      .slice(0, 60)
      .map((line) => `  ${line.slice(0, 300)}`)
      .join('\n'),
  );
}
// Connections to services that hang would keep the process.
process.exit();
