import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cloche = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
/** A module to `--import` into a process that is to be observed. */
export const stallReporter = new URL('report-stalls.js', import.meta.url).href;
/** Memory may grow by this factor and this many megabytes after the first round. */
const [growthFactor, growthMegabytes] = [1.5, 50];

/**
 * A cloche command that runs in a process of its own, under observation.
 * @typedef {object} Command
 * @property {import('node:child_process').ChildProcess} child
 * @property {number} port - The port of the first URL that the command printed.
 * @property {() => boolean} isRunning
 * @property {() => void} markWarm - Takes the memory in use as the measure of growth, once: logs are full and code is compiled.
 * @property {() => readonly string[]} findProblems - A crash, stalls of more than 200 ms, and growth.
 * @property {() => string} describe - The memory in use and the longest stall.
 */

/** @param {number | undefined} pid */
function readMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/**
 * Starts a command that listens, and waits until it prints its URL.
 * @param {readonly string[]} commandArguments
 * @param {{ megabytes?: number }} [options] - `megabytes` bounds the heap.
 * @returns {Promise<Command>}
 */
export async function startCommand(commandArguments, { megabytes = 256 } = {}) {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, '--import', stallReporter, cloche, ...commandArguments],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let banner = '';
  const read = (chunk) => (banner += chunk);
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  while (!/127\.0\.0\.1:(\d+)/u.test(banner)) {
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode}: ${banner}`);
  }
  child.stdout.off('data', read).resume();
  child.stderr.off('data', read);
  return { ...observe(child), port: Number(/127\.0\.0\.1:(\d+)/u.exec(banner)?.[1]) };
}

/**
 * Observes a process that runs with {@link stallReporter}.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Omit<Command, 'port'>}
 */
export function observe(child) {
  const printed = [];
  const stalls = [];
  let firstMegabytes;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  child.stderr.on('data', (chunk) => printed.splice(0, printed.length - 20, String(chunk)));
  child.on('message', ({ stalledMs }) => stalledMs !== undefined && stalls.push(stalledMs));
  return {
    child,
    isRunning,
    markWarm() {
      // What starts a command takes longer than what it does later.
      if (firstMegabytes === undefined) stalls.length = 0;
      firstMegabytes ??= readMegabytes(child.pid);
    },
    findProblems() {
      if (!isRunning())
        return [`the command ended with ${child.exitCode ?? child.signalCode}: ${printed.join('')}`];
      const last = readMegabytes(child.pid);
      const hasGrown = firstMegabytes !== undefined && last > firstMegabytes * growthFactor + growthMegabytes;
      return [
        ...(stalls.length === 0
          ? []
          : [`${stalls.length} stalls of the event loop, the longest ${Math.max(...stalls)} ms`]),
        ...(hasGrown ? [`memory grew from ${Math.round(firstMegabytes)} to ${Math.round(last)} MB`] : []),
      ];
    },
    describe: () =>
      isRunning()
        ? `${Math.round(firstMegabytes ?? 0)} MB, at the end ${Math.round(readMegabytes(child.pid))} MB; ${stalls.length} stalls`
        : 'ended',
  };
}
