// What users see of Cloche, written down so that a change of its inside can be held against it: the types that the package
// exports, every help page, runs with a seed, the findings in each service of the catalogue, the responses of the mock byte
// for byte, and the sizes of the bundles.
//
// node scripts/goldens.js            compares dist/ (built before) with fixtures/goldens/, and exits with 1 if they differ
// node scripts/goldens.js --update   writes fixtures/goldens/ anew
// node scripts/goldens.js --part     compares a part of the slow files, another part for each commit, and no sizes
//
// A name alone makes or compares that part: api, help, runs, findings, responses, sizes.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeApi } from './goldens/describe-api.js';
import { findInServices, recordResponses } from './goldens/judge.js';
import { listHelp, listRuns, listSizes } from './goldens/run-commands.js';

const folder = new URL('../fixtures/goldens/', import.meta.url);
/** Each part lists its blocks: `[name, make]`, where `make` returns the text of the block. The slowest part comes first. */
const parts = {
  runs: listRuns,
  findings: findInServices,
  responses: recordResponses,
  help: listHelp,
  api: describeApi,
  sizes: listSizes,
};
/** The parts into which a slow file is divided. */
const divisions = { runs: 3, findings: 9, responses: 3 };
const words = process.argv.slice(2);
const isUpdate = words.includes('--update');
const isPart = words.includes('--part') && !isUpdate;
const wanted = words.filter((word) => Object.hasOwn(parts, word));
const names = wanted.length > 0 ? wanted : Object.keys(parts).filter((name) => !isPart || name !== 'sizes');

const heading = '=== ';

/** The blocks of a golden file by their names. */
function readBlocks(text) {
  return new Map(
    text
      .split(`\n${heading}`)
      .map((block) => block.replace(heading, ''))
      .filter((block) => block.includes('\n'))
      .map((block) => [block.slice(0, block.indexOf('\n')), block.slice(block.indexOf('\n') + 1).trimEnd()]),
  );
}

/** A number that follows from a text alone. */
const numberOf = (text) => createHash('sha256').update(text).digest().readUInt32BE();

/** The number that selects the part to compare: another one for most commits, and always the same one for a commit. */
function numberOfCommit() {
  try {
    return numberOf(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    // A copy without its history.
    return 0;
  }
}

/** The lines that one text has and the other has not, each once. */
function differ(before, now) {
  const [old, fresh] = [before, now].map((text) => new Set(text.split('\n')));
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`);
  return [...gone, ...[...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`)];
}

/** Makes the texts of blocks, a few at a time: services that hang are waited for side by side. */
async function makeAll(blocks) {
  const made = [];
  const left = [...blocks.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, [block, make]] = next;
      made[index] = [block, (await make()).trimEnd()];
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return made;
}

/** Compares the blocks of a part, or writes them anew. */
async function goThrough(name) {
  const file = new URL(`${name}.txt`, folder);
  const all = await parts[name]();
  const count = isPart ? (divisions[name] ?? 1) : 1;
  const turn = numberOfCommit() % count;
  const chosen = all.filter(([block]) => numberOf(block) % count === turn);
  const made = await makeAll(chosen);
  if (isUpdate) {
    writeFileSync(file, made.map(([block, text]) => `${heading}${block}\n${text}\n`).join('\n'));
    console.log(`${name}: written`);
    return;
  }
  const before = readBlocks(readFileSync(file, 'utf8'));
  const now = new Map(made);
  const isGone = (block) => !all.some(([each]) => each === block);
  const wrong = [...new Set([...before.keys(), ...now.keys()])].filter(
    (block) =>
      (now.has(block) && now.get(block) !== before.get(block)) || (before.has(block) && isGone(block)),
  );
  console.log(`${name}: ${made.length} of ${all.length} compared, ${wrong.length} differ`);
  if (wrong.length > 0) process.exitCode = 1;
  for (const block of wrong.slice(0, 20)) {
    console.log(`  ${block}`);
    for (const line of differ(before.get(block) ?? '', now.get(block) ?? '').slice(0, 20))
      console.log(`    ${line.slice(0, 300)}`);
  }
}

/** Runs each part in a process of its own, two at a time. */
async function goThroughAll() {
  const left = [...names];
  const flags = words.filter((word) => word.startsWith('--'));
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const started = Date.now();
      await new Promise((resolve) => {
        const command = [fileURLToPath(import.meta.url), name, ...flags];
        execFile(process.execPath, command, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
          process.stdout.write(`${stdout}${stderr}  ${((Date.now() - started) / 1_000).toFixed(0)} s\n`);
          if (error !== null) process.exitCode = 1;
          resolve();
        });
      });
    }
  };
  await Promise.all([work(), work()]);
}

mkdirSync(folder, { recursive: true });
if (names.length === 1) await goThrough(names[0]);
else await goThroughAll();
// Connections to services that hang would keep the process.
process.exit();
