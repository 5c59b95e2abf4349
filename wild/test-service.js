import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from './start-service.js';

const cloche = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
/** No word that a body holds by chance: it would be taken for the token, and hidden. */
const token = 'wild-7c2e91';
/** A run takes three seconds; one that hangs is no use to anybody. */
const limitMs = 120_000;

/**
 * What is the same of a finding in every run.
 * @typedef {object} FindingEntry
 * @property {string} id
 * @property {string} level
 * @property {string} check
 * @property {string} operation
 * @property {string | null} [trigger] - Left out where a plain request shows it.
 */

/**
 * @typedef {object} Outcome
 * @property {number | null} exitCode
 * @property {readonly FindingEntry[]} findings - By id.
 * @property {string} output - What the command printed.
 * @property {{ requests: number, durationMs: number }} figures
 */

/**
 * @param {FindingEntry} finding
 * @returns {FindingEntry}
 */
function toEntry({ id, level, check, operation, trigger }) {
  return { id, level, check, operation, ...(trigger === undefined || trigger === null ? {} : { trigger }) };
}

/**
 * Starts a service, runs `cloche test` on it and reads what the run found.
 * @param {import('./services.js').WildService} service
 * @param {{ seed: number }} options
 * @returns {Promise<Outcome>}
 * @throws {Error} where the service does not start, or the command leaves no report
 */
export async function testService(service, { seed }) {
  const { url, stop } = await startService(service, token);
  const folder = mkdtempSync(join(tmpdir(), 'cloche-wild-'));
  const report = join(folder, 'report.json');
  try {
    const args = ['test', url, '--token', token, '--seed', String(seed), '--report', `json=${report}`];
    const document = service.ownDocument === true ? ['--document', `${url}/openapi.json`] : [];
    const child = spawn(process.execPath, [cloche, ...args, ...document], {
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
    const { findings, figures } = JSON.parse(readReport(report, output));
    const entries = findings.map(toEntry);
    return {
      exitCode,
      findings: entries.toSorted((left, right) => left.id.localeCompare(right.id, 'en')),
      output,
      figures,
    };
  } finally {
    await stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} path
 * @param {string} output
 */
function readReport(path, output) {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`Failed to read the report of the run. It printed:\n${output}`, { cause });
  }
}
