import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWritten, runCloche, token } from './run-cloche.js';
import { startService } from './start-service.js';

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
    const { exitCode, output } = await runCloche([...args, ...document]);
    const { findings, figures } = readWritten(report, output);
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
