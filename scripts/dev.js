// Builds dist/ again after each change of src/ and suites/: `npm run dev`. Changes during a build are built after it.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
/** An editor writes a file in several steps, in milliseconds. */
const settleMs = 200;
let isBuilding = false;
let isStale = false;
let timer;

function build() {
  if (isBuilding) {
    isStale = true;
    return;
  }
  isBuilding = true;
  const from = performance.now();
  spawn(process.execPath, [fileURLToPath(new URL('build.js', import.meta.url))], { stdio: 'inherit' }).on(
    'close',
    (code) => {
      isBuilding = false;
      const seconds = ((performance.now() - from) / 1_000).toFixed(1);
      process.stdout.write(code === 0 ? `Built in ${seconds} s.\n` : 'The build failed: see above.\n');
      if (isStale) {
        isStale = false;
        build();
      }
    },
  );
}

for (const folder of ['src', 'suites']) {
  watch(fileURLToPath(new URL(folder, root)), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(build, settleMs);
  });
}
build();
