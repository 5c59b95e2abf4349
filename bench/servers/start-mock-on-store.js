import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cloche } from './server-kinds.js';

/**
 * @typedef {object} MockOnStore
 * @property {number} port
 * @property {number} found - How many resources its store held when it started.
 * @property {(signal: 'SIGTERM' | 'SIGKILL') => Promise<void>} end
 */

/**
 * Starts a mock that keeps its state in a store, in a process of its own.
 * @param {string} store - a URL, as --store takes it
 * @param {string[]} document - the file of another contract than the one that ships, or nothing
 * @returns {Promise<MockOnStore>}
 * @throws {Error} where it does not start; it has said why on stderr
 */
export async function startMockOnStore(store, ...document) {
  const words = [
    'mock',
    ...document,
    '--port',
    '0',
    '--token',
    't',
    '--quiet',
    '--no-watch',
    '--store',
    store,
  ];
  const child = spawn(process.execPath, [cloche, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const started = new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ bytes) => {
      said += bytes;
      const [, port] = /mocked on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(said) ?? [];
      const [, held] = /which held (nothing yet|\d+) ?/.exec(said) ?? [];
      if (port !== undefined && held !== undefined) {
        resolve({ port: Number(port), found: held === 'nothing yet' ? 0 : Number(held) });
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`Failed to start a mock on "${store}": ${said}`)));
  });
  return {
    ...(await started),
    async end(signal) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
