import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** One input may take this many milliseconds. */
const readMs = 20_000;

/**
 * Starts a process that reads inputs, and sends a message for each.
 * @param {string} path - Its script.
 * @param {readonly string[]} [execArgv] - Further options of Node.
 */
export function startReader(path, execArgv = []) {
  const child = fork(path, {
    execArgv: ['--max-old-space-size=512', ...execArgv],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-2_000)));
  return { child, printed: () => printed };
}

/**
 * Sends an input to a reader, or nothing to wait until it is ready.
 * @returns {Promise<string>} what the reader says of the input, or how the reader ended
 */
export async function ask({ child, printed }, input) {
  const stop = new AbortController();
  let onMessage;
  let onExit;
  const answer = new Promise((resolve) => {
    // Messages about stalls are objects.
    onMessage = (message) => typeof message === 'string' && resolve(message);
    onExit = (code, signal) => resolve(`crashed: ${code ?? signal} ${printed()}`);
  });
  child.on('message', onMessage).on('exit', onExit);
  if (input !== undefined) child.send(input);
  const said = await Promise.race([answer, sleep(readMs, 'hung', { signal: stop.signal }).catch(() => '')]);
  stop.abort();
  child.off('message', onMessage).off('exit', onExit);
  return said;
}
