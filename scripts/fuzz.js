// Feeds one part of Cloche with broken input for some minutes:
//
//   node scripts/fuzz.js port --minutes 10 --seed 7
//
// The parts:
//
//   port      bytes that a mock receives
//   document  OpenAPI documents
//   proxy     bytes that a client and a service send through a proxy
//   har       recordings
//   watch     the files that a mock watches
//   patch     patches, forms and queries of lists
//
// The exit code is 1 if something crashed, hung, stalled or grew without end. The run prints the file of a document that failed.
import { parseArgs } from 'node:util';
import { fuzzDocuments } from './fuzz/fuzz-documents.js';
import { fuzzHar } from './fuzz/fuzz-har.js';
import { fuzzPort } from './fuzz/fuzz-port.js';
import { fuzzPatch } from './fuzz/fuzz-patch.js';
import { fuzzProxy } from './fuzz/fuzz-proxy.js';
import { fuzzWatch } from './fuzz/fuzz-watch.js';
import { createRandom } from './fuzz/mutate.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '7' } },
});
const [what] = positionals;
const runs = {
  port: fuzzPort,
  document: fuzzDocuments,
  proxy: fuzzProxy,
  har: fuzzHar,
  watch: fuzzWatch,
  patch: fuzzPatch,
};
const run = runs[what];
if (run === undefined) {
  process.stderr.write(
    `Failed to fuzz ${JSON.stringify(what ?? '')}: there is no such part. Name one of ${Object.keys(runs).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  const until = Date.now() + Number(values.minutes) * 60_000;
  const problems = await run({
    random: createRandom(Number(values.seed)),
    isOver: () => Date.now() >= until,
  });
  for (const problem of problems) process.stdout.write(`✗  ${problem}\n`);
  process.stdout.write(problems.length === 0 ? '✓  no crash, no stall, no growth\n' : '');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
