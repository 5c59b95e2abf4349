import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    // Plain JavaScript, four hundred files: Node loads them faster than they can be transformed.
    server: { deps: { external: [/\/fixtures\/services\/.*\.js$/u] } },
    // Of two cores one would idle otherwise.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a test waits for may take its time on a busy machine; what must come is said by the test.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'fixtures/**/*.test.ts', 'scripts/**/*.test.ts'],
          // To load the modules anew for each of three hundred files took a third of the time. So no file may leave
          // anything behind in a module, in process.env or in a global.
          isolate: false,
        },
      },
      // Minutes of work in one file: in a process that has run others before, it takes a third longer.
      { extends: true, test: { name: 'suites', include: ['suites/**/*.test.ts'] } },
    ],
    coverage: {
      include: ['src/**/*.ts', 'suites/**/*.ts'],
      exclude: ['**/*.test.ts'],
    },
  },
});

export default config;
