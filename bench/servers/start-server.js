import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askOnce } from '../client/ask-once.js';
import { findFreePort } from './find-free-port.js';
import { serverKinds } from './server-kinds.js';

/**
 * @typedef {object} StartedServer
 * @property {number} port
 * @property {number} pid
 * @property {number} startMs - From the start of the process to the end of its first answer.
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server in a process of its own and waits for its first answer, 200 or 400.
 * What it prints goes to a file that is deleted with it.
 * @param {string | ((port: number) => string[])} kind - a name of serverKinds, or the arguments that node takes
 * @param {number} [port] - any free one where left out
 * @param {number} [upstream] - the port that a proxy forwards to
 * @param {(port: number) => string} [ask] - what it is to answer first; a create where left out
 * @returns {Promise<StartedServer>}
 * @throws {Error} where there is none within 30 s
 */
export async function startServer(kind, port, upstream, ask) {
  const at = port ?? (await findFreePort());
  const folder = mkdtempSync(join(tmpdir(), 'cloche-bench-'));
  const output = openSync(join(folder, 'output'), 'w');
  const startedAt = performance.now();
  const args = typeof kind === 'string' ? serverKinds[kind](at, upstream) : kind(at);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const exited = once(child, 'exit');

  const stop = async () => {
    child.kill('SIGTERM');
    const stubborn = setTimeout(() => child.kill('SIGKILL'), 3_000);
    await exited;
    clearTimeout(stubborn);
    rmSync(folder, { recursive: true });
  };

  while (!(await askOnce(at, ask?.(at)))) {
    if (child.exitCode !== null || performance.now() - startedAt > 30_000) {
      await stop();
      throw new Error(
        `Failed to start "${args.join(' ')}": no answer came. Run "npm ci" in the repository and in bench/.`,
      );
    }
    // Often enough to time a start, seldom enough to leave it the processor.
    await sleep(2);
  }
  return { port: at, pid: /** @type {number} */ (child.pid), startMs: performance.now() - startedAt, stop };
}
