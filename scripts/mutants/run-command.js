import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const cloche = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
/** @type {typeof import('../../fixtures/reference/serve.ts')} */
const { createReferenceServer } = await createJiti(import.meta.url).import(
  '../../fixtures/reference/serve.ts',
);

let count = 0;

/**
 * Runs `cloche test`, as a user would, on a service that is put on a socket for it.
 * @param {object} options
 * @param {Parameters<typeof createReferenceServer>[0]} options.service
 * @param {string} options.document - Its file.
 * @param {boolean} options.bail - Whether the run ends at the first violation.
 * @param {string} options.seed
 * @returns {Promise<{ found: boolean, check: string, requests: number, seconds: number }>}
 */
export async function runCommand({ service, document, bail, seed }) {
  const server = createReferenceServer(service);
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  count += 1;
  const report = path.join(path.dirname(document), `report-${count}.json`);
  const startedAt = performance.now();
  const args = [
    cloche,
    'test',
    `http://127.0.0.1:${port}`,
    '--document',
    document,
    '--token',
    'the-token',
    '--seed',
    seed,
    '--no-config',
    '--quiet',
    '--report',
    `json=${report}`,
  ];
  const [code, output] = await new Promise((resolve) => {
    execFile(process.execPath, [...args, ...(bail ? ['--bail'] : [])], (error, stdout, stderr) =>
      resolve([error?.code ?? 0, stdout + stderr]),
    );
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  server.closeAllConnections();
  server.close();
  if (code === 2) throw new Error(`Failed to run the suites: ${output}`);
  const { figures, findings } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const violation = findings.find((/** @type {{ level: string }} */ { level }) => level === 'violation');
  return {
    found: code !== 0,
    check: violation?.check ?? (code === 0 ? '' : `exit code ${code}`),
    requests: figures.requests,
    seconds,
  };
}
