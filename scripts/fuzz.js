// Sends broken bytes to a mock's port, and reads broken documents, for as long as it is told:
//
//   node scripts/fuzz.js port --minutes 10 --seed 7
//   node scripts/fuzz.js document --minutes 10 --seed 7
//
// The exit code is 1 where something crashed, hung, or grew without end. What a document did is left in a file.
import { parseArgs } from 'node:util';
import { fuzzDocuments } from './fuzz/fuzz-documents.js';
import { fuzzPort } from './fuzz/fuzz-port.js';
import { createRandom } from './fuzz/mutate.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '7' } },
});
const [what] = positionals;
const run = what === 'port' ? fuzzPort : what === 'document' ? fuzzDocuments : undefined;
if (run === undefined) {
  process.stderr.write('Failed to fuzz: name what, "port" or "document".\n');
  process.exitCode = 2;
} else {
  const until = Date.now() + Number(values.minutes) * 60_000;
  const problems = await run({
    random: createRandom(Number(values.seed)),
    isOver: () => Date.now() >= until,
  });
  for (const problem of problems) process.stdout.write(`✗  ${problem}\n`);
  process.stdout.write(problems.length === 0 ? '✓  no crash, no hang, no growth\n' : '');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
