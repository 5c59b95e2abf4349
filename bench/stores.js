// Two mocks on one SQLite file, and two on one Redis: is anything lost or kept twice? Prints a table; see README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './describe-machine.js';
import { measureContest } from './measure/measure-contest.js';
import { measureKill } from './measure/measure-kill.js';
import { measureMixed } from './measure/measure-mixed.js';
import { startRedis } from './servers/start-redis.js';

const { values } = parseArgs({
  options: {
    ids: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '5' },
    mixed: { type: 'boolean', default: false },
    operations: { type: 'string', default: '10000' },
  },
});
const contest = { ids: Number(values.ids), connections: 25 };
const killing = { kills: Number(values.kills), connections: 16 };
const mixing = { operations: Number(values.operations), workers: 12 };
const folder = mkdtempSync(join(tmpdir(), 'cloche-stores-'));
const redis = await startRedis();

console.log(`${describeMachine()}\n`);
const contestHeads = ['two mocks, same ids', 'taken', 'lost', 'doubled', 'requests/s'];
const killHeads = ['kill -9', 'acknowledged', 'lost'];
const mixedHeads = ['two mocks, mixed', 'updates', 'refused', 'lost', 'doubled', 'operations/s'];
const heads = ['store', ...(values.mixed ? mixedHeads : [...contestHeads, ...killHeads])];
console.log(`| ${heads.join(' | ')} |`);
console.log(`|${' --- |'.repeat(heads.length)}`);
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
  const cells = values.mixed
    ? await measureMixedCells(storeOf('mixed'))
    : [...(await measureContestCells(storeOf('contest'))), ...(await measureKillCells(storeOf('kill')))];
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}

/** @param {string} store */
async function measureContestCells(store) {
  const { requests, taken, lost, doubled, requestsPerSecond } = await measureContest(store, contest);
  return [`${requests} requests`, taken, lost, doubled, Math.round(requestsPerSecond)];
}

/** @param {string} store */
async function measureKillCells(store) {
  const { kills, acknowledged, lost } = await measureKill(store, killing);
  return [`${kills} times`, acknowledged, lost];
}

/** @param {string} store */
async function measureMixedCells(store) {
  const { operations, updates, refused, lost, doubled, operationsPerSecond } = await measureMixed(
    store,
    mixing,
  );
  return [`${operations} operations`, updates, refused, lost, doubled, Math.round(operationsPerSecond)];
}
