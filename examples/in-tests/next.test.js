// Vitest and route handlers of Next: all suites are one test. Next itself does not run.
import { fileURLToPath } from 'node:url';
import { createRouteHandler, testFetch } from 'cloche/fetch';
import { expect, test } from 'vitest';
import * as note from './app/notes/[id]/route.js';
import * as notes from './app/notes/route.js';

test('the route handlers conform to their document', { timeout: 60_000 }, async () => {
  const document = fileURLToPath(new URL('notes.yaml', import.meta.url));
  const handler = createRouteHandler({ '/notes': notes, '/notes/[id]': note });
  const { requests } = await testFetch(handler, { document, runs: 20 });
  expect(requests).toBeGreaterThan(100);
});
