import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const tests = (kind: string): string[] =>
  ['src', 'suites', 'fixtures', 'scripts'].map((folder) => `${folder}/**/*${kind}.test.ts`);
const e2e = tests('.e2e');
const matrix = tests('.matrix');
const nightly = tests('.nightly');

const config: ViteUserConfig = defineConfig({
  test: {
    // Plain JavaScript: Node loads it faster than it can be transformed.
    server: {
      deps: {
        external: [/\/fixtures\/services\/.*\.js$/u],
        // It imports JSON without an attribute, which Node refuses.
        inline: [/@actions\//u],
      },
    },
    // Of two cores one would idle otherwise.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What must come is said by the test; how long it takes is up to the machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: tests(''),
          exclude: ['**/node_modules/**', ...e2e, ...matrix, ...nightly],
          // To load the modules anew for each file took a third of the time. So no file may leave anything behind in a
          // module, in process.env or in a global.
          isolate: false,
        },
      },
      // Commands, browsers, Redis, the package as it is shipped.
      { extends: true, test: { name: 'e2e', include: e2e, isolate: false } },
      // Every service, every document, every policy: minutes of work in one file.
      { extends: true, test: { name: 'matrix', include: matrix, testTimeout: 600_000 } },
      // What takes too long for each change, and all cases of the tables of which some run with each change.
      {
        extends: true,
        test: {
          name: 'nightly',
          include: [...nightly, ...e2e, ...matrix],
          env: { CLOCHE_TEST_CASES: 'all' },
        },
      },
    ],
    coverage: {
      include: ['src/**/*.ts', 'suites/**/*.ts'],
      exclude: ['**/*.test.ts'],
    },
  },
});

export default config;
