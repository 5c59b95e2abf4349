import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { findFreePort } from './find-free-port.js';

/**
 * Starts a Redis that keeps nothing on disk.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>} undefined where there is no redis-server
 */
export async function startRedis() {
  const port = await findFreePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', words, { stdio: 'ignore' });
  const failed = new Promise((resolve) => child.once('error', resolve));
  const isThere = await Promise.race([failed.then(() => false), once(child, 'spawn').then(() => true)]);
  if (!isThere) return undefined;
  while (!(await accepts(port))) await sleep(10);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** @param {number} port */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
