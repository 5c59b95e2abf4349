// As the documentation of express-openapi-validator shows it: body parsers, the validator on the document, a
// handler for the security scheme, and an error handler, here with the body that the document declares.
import { fileURLToPath } from 'node:url';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

const { PORT, TOKEN } = process.env;
const apiSpec = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const plants = new Map();
const app = express();

app.use(express.json());
app.use(express.text());
app.use(express.urlencoded({ extended: false }));
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: {
      handlers: { bearer: (request) => request.headers.authorization === `Bearer ${TOKEN}` },
    },
  }),
);

app.post('/plants', (request, response) => {
  const { id, name, tag } = request.body;
  if (plants.has(id)) {
    response.status(400).json({ error: 400, message: `There is a plant ${id} already.` });
    return;
  }
  const plant = { name, tag };
  plants.set(id, plant);
  response.json(plant);
});

// Express tells an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  response.status(status).json({ error: status, message: error.message });
});

app.listen(Number(PORT), '127.0.0.1');
