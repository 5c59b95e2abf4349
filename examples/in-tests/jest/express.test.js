// Jest and Express: each property is a test, and a single response is judged by the document.
import { fileURLToPath } from 'node:url';
import { testConformance } from 'cloche/jest';
import express from 'express';
import { createNotes } from '../notes.js';

const notes = createNotes();
const app = express();
app.use(express.json());
app.post('/notes', (request, response) => {
  response.status(201).json(notes.add(request.body));
});
app.get('/notes/:id', (request, response) => {
  response.json(notes.find(request.params.id));
});
app.delete('/notes/:id', (request, response) => {
  notes.remove(request.params.id);
  response.status(204).end();
});
// Express tells an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message });
});

const document = fileURLToPath(new URL('../notes.yaml', import.meta.url));
await testConformance({ app, document, runs: 20 });

test('a note without a text', async () => {
  const response = Response.json({ id: 1 });
  await expect(response).not.toConform({ document, request: { url: '/notes/1' } });
});
