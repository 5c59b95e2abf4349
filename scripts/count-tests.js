// Prints what a run of vitest came to, read from its JSON report, as one plain line: "N passed, N failed".
//
// node scripts/count-tests.js REPORT EXIT-CODE-OF-VITEST
import { existsSync, readFileSync } from 'node:fs';

const [reportFile, exitCode] = process.argv.slice(2);
const lines = [];
let passed = 0;
let failed = 0;

if (existsSync(reportFile)) {
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  // A file that could not be loaded holds no test that failed, and is a failure all the same.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  lines.push(...broken.map((file) => `could not run: ${file.name}`));
  const skipped = report.numPendingTests + report.numTodoTests;
  if (skipped > 0) lines.push(`${skipped} skipped`);
  passed = report.numPassedTests;
  failed = report.numFailedTests + broken.length;
}
if (failed === 0 && exitCode !== '0') {
  lines.push(`no test failed, and yet vitest ended with exit code ${exitCode}: see what it printed`);
  failed = 1;
}
lines.push(`${passed} passed, ${failed} failed`);
process.stdout.write(`${lines.join('\n')}\n`);
