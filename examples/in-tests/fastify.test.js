// Vitest and Fastify: all suites are one test.
import { fileURLToPath } from 'node:url';
import { testApp } from 'cloche/express';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createNotes } from './notes.js';

const notes = createNotes();
const app = Fastify();
app.post('/notes', (request, reply) => reply.status(201).send(notes.add(request.body)));
app.get('/notes/:id', (request) => notes.find(request.params.id));
app.delete('/notes/:id', (request, reply) => {
  notes.remove(request.params.id);
  return reply.status(204).send();
});
app.setErrorHandler((error, _request, reply) =>
  reply.status(error.status ?? error.statusCode ?? 500).send({ message: error.message }),
);

test('the app conforms to its document', { timeout: 60_000 }, async () => {
  const document = fileURLToPath(new URL('notes.yaml', import.meta.url));
  const { requests } = await testApp(app, { document, runs: 20 });
  expect(requests).toBeGreaterThan(100);
});
