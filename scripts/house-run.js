// Copied by house.js beside the code, unbundled: prints as JSON how many modules and functions two requests run.
import { Session } from 'node:inspector/promises';
import { allSuites } from './suites/all-suites.js';
import { createMock, runSuites } from './src/index.js';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/**
 * Counts what runs once what is prepared at the first time is prepared.
 *
 * @param folders - where the modules lie that count
 */
async function count(run, folders) {
  await run();
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result
    .filter(({ url }) => folders.test(url) && !url.includes('node_modules'))
    .map(({ url, functions }) => ({
      url,
      functions: functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
    }))
    .filter(({ functions }) => functions.length > 0);
  if (process.env.LIST)
    process.stderr.write(
      `${ran.map(({ url, functions }) => `${url.replace(/.*?\/(src|suites)\//u, '$1/')} ${functions.map((f) => f.functionName).join(' ')}`).join('\n')}\n\n`,
    );
  return `${ran.length}, ${ran.flatMap(({ functions }) => functions).length}`;
}

const mock = await createMock(undefined, { tokens: ['t'] });
const { url } = await mock.listen();
let id = 1;
const post = await count(async () => {
  id += 1;
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    body: JSON.stringify({ id, name: 'fern' }),
  });
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  await response.text();
}, /\/(?:src|suites)\//u);
await mock.close();

const answering = await createMock(undefined, { tokens: ['t'] });
const [suite] = allSuites.filter(({ id: name }) => name === 'valid-bodies');
const narrow = {
  ...suite,
  plan(input) {
    const planned = suite.plan(input);
    return { ...planned, properties: planned.properties.slice(0, 1) };
  },
};
// The mock is only the service that is judged.
const body = await count(
  () =>
    runSuites(
      [narrow],
      { contract: answering.contract, send: answering.send, token: 't' },
      { seed: 1, runs: 1, connections: 1 },
    ),
  /\/(?:src\/(?!mock\/)|suites\/)/u,
);
await answering.close();
process.stdout.write(JSON.stringify({ post, body }));
