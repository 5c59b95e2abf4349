// Prints what runs of vitest came to, read from their JSON reports: the tests that failed with the beginning of their
// reasons, since the end of a long log is what is read first, and last one plain line: "N passed, N failed".
//
// node scripts/count-tests.js EXIT-CODE-OF-VITEST REPORT…
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [exitCode, ...files] = process.argv.slice(2);
const reports = files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const lines = files.filter((file) => !existsSync(file)).map((file) => `there is no report ${file}`);
// A file that could not be loaded holds no test that failed, and is a failure all the same.
const broken = reports
  .flatMap(({ testResults }) => testResults)
  .filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
lines.push(...broken.map((file) => `could not run: ${file.name}`));
const failures = reports
  .flatMap(({ testResults }) => testResults)
  .flatMap((file) =>
    file.assertionResults.filter(({ status }) => status === 'failed').map((test) => ({ file, test })),
  );
for (const { file, test } of failures) {
  const reason = (test.failureMessages ?? []).join('\n').slice(0, 2000).replaceAll('\n', '\n    ');
  lines.push(`failed: ${test.fullName} (${relative('.', file.name)})\n    ${reason}`);
}
const sum = (of) => reports.reduce((total, report) => total + of(report), 0);
const skipped = sum((report) => report.numPendingTests + report.numTodoTests);
if (skipped > 0) lines.push(`${skipped} skipped`);
let failed = sum((report) => report.numFailedTests) + broken.length;
if (failed === 0 && exitCode !== '0') {
  lines.push(`no test failed, and yet vitest ended with exit code ${exitCode}: see what it printed`);
  failed = 1;
}
lines.push(`${sum((report) => report.numPassedTests)} passed, ${failed} failed`);
process.stdout.write(`${lines.join('\n')}\n`);
