import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a script of node to its end.
 * @param {string[]} args
 * @returns {Promise<{ exitCode: number | null, output: string, seconds: number }>} output is what it wrote to stdout
 */
export async function runNode(args) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const [exitCode] = await once(child, 'close');
  return {
    exitCode,
    output: Buffer.concat(chunks).toString(),
    seconds: (performance.now() - startedAt) / 1_000,
  };
}
