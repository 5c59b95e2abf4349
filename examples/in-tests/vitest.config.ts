import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Fastify is installed for the services in fixtures/interop only.
const fastify = fileURLToPath(new URL('../../fixtures/interop/node_modules/fastify', import.meta.url));
const hasFastify = existsSync(fastify);
if (!hasFastify)
  console.warn('Left out: fastify.test.js, because Fastify is not installed in fixtures/interop.');

export default defineConfig({
  resolve: { alias: { fastify } },
  test: { include: ['hono', 'next', ...(hasFastify ? ['fastify'] : [])].map((name) => `${name}.test.js`) },
});
