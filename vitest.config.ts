import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      include: ['src/**/*.ts', 'suites/**/*.ts'],
      exclude: ['**/*.test.ts'],
    },
  },
});

export default config;
