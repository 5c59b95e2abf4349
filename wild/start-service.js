import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Python and Prism take a second or two on a busy machine. */
const startMs = 60_000;

/** @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on at the moment */
function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {string} url */
async function isUp(url) {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a service in a process of its own and waits until it answers anything at all. What it prints is shown
 * only where it does not come up.
 * @param {import('./services.js').WildService} service
 * @param {string} token
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws {Error} where it ends, or does not answer within a minute
 */
export async function startService(service, token) {
  const port = await findFreePort();
  const [command, ...args] = service.command(port);
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port), TOKEN: token, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed = (printed + String(chunk)).slice(-4_000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    const stubborn = setTimeout(() => child.kill('SIGKILL'), 3_000);
    if (child.exitCode === null && child.signalCode === null) {
      await ended;
    }
    clearTimeout(stubborn);
  };
  const startedAt = performance.now();
  while (!(await isUp(url))) {
    if (child.exitCode !== null || performance.now() - startedAt > startMs) {
      await stop();
      throw new Error(`Failed to start "${service.name}": no answer came. It printed:\n${printed}`);
    }
    await sleep(50);
  }
  return { url, stop };
}
