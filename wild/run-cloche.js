import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const cloche = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
/** No word that a body holds by chance: it would be taken for the token, and hidden. */
export const token = 'wild-7c2e91';
/** A run takes three seconds; one that hangs is no use to anybody. */
const limitMs = 120_000;

/**
 * Runs the command and waits for its end.
 * @param {readonly string[]} args
 * @returns {Promise<{ exitCode: number | null, output: string }>} with what it printed
 */
export async function runCloche(args) {
  const child = spawn(process.execPath, [cloche, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

/**
 * Reads a JSON file that the command was to write.
 * @param {string} path
 * @param {string} output - What it printed.
 * @throws {Error} where it wrote none
 */
export function readWritten(path, output) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`Failed to read "${path}": the command did not write it. It printed:\n${output}`, {
      cause,
    });
  }
}
