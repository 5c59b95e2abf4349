// express.js, with what `cloche test` found there mended: ids that a double cannot hold are refused, not rounded, the
// scheme is read in any case, and challenges, Allow and text that is not UTF-8 are as the RFCs have them.
import { fileURLToPath } from 'node:url';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

const { PORT, TOKEN } = process.env;
const apiSpec = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const plants = new Map();
const app = express();

function refuse(message) {
  throw Object.assign(new Error(message), { status: 400 });
}

app.use(
  express.json({
    verify(_request, _response, content) {
      if (!Buffer.from(content.toString()).equals(content)) {
        refuse('The body is not UTF-8.');
      }
    },
  }),
);
app.use(express.text());
app.use(express.urlencoded({ extended: false }));
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: {
      handlers: {
        bearer: ({ headers }) => /^bearer +(.+)$/i.exec(headers.authorization)?.[1] === TOKEN,
      },
    },
  }),
);

app.post('/plants', (request, response) => {
  const { id, name, tag } = request.body;
  if (!Number.isSafeInteger(id)) {
    refuse(`The id ${id} has more digits than this store keeps.`);
  }
  if (plants.has(id)) {
    refuse(`There is a plant ${id} already.`);
  }
  const plant = { name, tag };
  plants.set(id, plant);
  response.json(plant);
});

// Express tells an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status === 401) {
    response.set('WWW-Authenticate', 'Bearer');
  }
  response
    .set(error.headers ?? {})
    .status(status)
    .json({ error: status, message: error.message });
});

app.listen(Number(PORT), '127.0.0.1');
