// Two mocks on one SQLite file, and two on one Redis: is anything lost or kept twice? Prints a table; see README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './describe-machine.js';
import { measureContest } from './measure/measure-contest.js';
import { measureKill } from './measure/measure-kill.js';
import { startRedis } from './servers/start-redis.js';

const { values } = parseArgs({
  options: { ids: { type: 'string', default: '20000' }, kills: { type: 'string', default: '5' } },
});
const contest = { ids: Number(values.ids), connections: 25 };
const killing = { kills: Number(values.kills), connections: 16 };
const folder = mkdtempSync(join(tmpdir(), 'cloche-stores-'));
const redis = await startRedis();

console.log(`${describeMachine()}\n`);
console.log(
  '| store | two mocks, same ids | taken | lost | doubled | requests/s | kill -9 | acknowledged | lost |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
try {
  await show('SQLite', (part) => `file:${join(folder, `${part}.db`)}`);
  if (redis === undefined) console.log('\nRedis is left out: there is no redis-server in PATH.');
  else await show('Redis', (part) => `${redis.url}?prefix=${part}`);
} finally {
  await redis?.stop();
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} name
 * @param {(part: string) => string} storeOf
 */
async function show(name, storeOf) {
  const both = await measureContest(storeOf('contest'), contest);
  const killed = await measureKill(storeOf('kill'), killing);
  const cells = [
    `${both.requests} requests`,
    both.taken,
    both.lost,
    both.doubled,
    Math.round(both.requestsPerSecond),
    `${killed.kills} times`,
    killed.acknowledged,
    killed.lost,
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
