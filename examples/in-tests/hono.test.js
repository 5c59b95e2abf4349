// Vitest and Hono: each property is a test, and a single response is judged by the document.
import { fileURLToPath } from 'node:url';
import { testConformance } from 'cloche/vitest';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createNotes } from './notes.js';

const notes = createNotes();
const app = new Hono();
app.post('/notes', async (context) => {
  const body = await context.req.json().catch(() => undefined);
  return context.json(notes.add(body), 201);
});
app.get('/notes/:id', (context) => context.json(notes.find(context.req.param('id'))));
app.delete('/notes/:id', (context) => {
  notes.remove(context.req.param('id'));
  return context.body(null, 204);
});
app.onError((error, context) => context.json({ message: error.message }, error.status ?? 500));

const document = fileURLToPath(new URL('notes.yaml', import.meta.url));
await testConformance({ fetch: app.fetch, document, runs: 20 });

test('a note that does not exist', async () => {
  const response = await app.request('/notes/7');
  expect(response.status).toBe(404);
  await expect(response).toConform({ document, request: { url: '/notes/7' } });
});
