// node:test and Express: each property is a test.
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { conformanceTests } from 'cloche';
import express from 'express';
import { createNotes } from './notes.js';

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

const document = fileURLToPath(new URL('notes.yaml', import.meta.url));
for (const { name, run, ...options } of await conformanceTests({ app, document, runs: 20 })) {
  test(name, options, run);
}
