import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longer than anything that is measured here takes. */
const limitMs = 300_000;

/**
 * Runs a script of node to its end.
 * @param {string[]} args
 * @returns {Promise<{ exitCode: number | null, output: string, seconds: number }>} output is what it wrote to stdout;
 *   exitCode is null where it had to be killed, after five minutes
 */
export async function runNode(args) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limitMs,
    // A process that spins does not hear a polite signal.
    killSignal: 'SIGKILL',
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const [exitCode] = await once(child, 'close');
  return {
    exitCode,
    output: Buffer.concat(chunks).toString(),
    seconds: (performance.now() - startedAt) / 1_000,
  };
}
