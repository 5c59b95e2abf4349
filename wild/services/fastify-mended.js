// fastify.js, with what `cloche test` found there mended: values are not coerced to the types of the schema, ids that
// a double cannot hold are refused, not rounded, and the scheme is read in any case.
import bearerAuth from '@fastify/bearer-auth';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';

const { PORT, TOKEN } = process.env;
const plants = new Map();
const app = Fastify({ ajv: { customOptions: { coerceTypes: false } } });

await app.register(swagger, {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Plant Store', version: '1.0.0' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearer: [] }],
  },
});

app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  reply.status(status).send({ error: status, message: error.message });
});

app.addHook('onSend', async (_request, reply) => {
  if (reply.statusCode === 401) {
    reply.header('WWW-Authenticate', 'Bearer');
  }
});

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());

app.register(async (api) => {
  await api.register(bearerAuth, {
    keys: new Set([TOKEN]),
    specCompliance: 'rfc6749',
    errorResponse: (error) => ({ error: 401, message: error.message }),
  });

  api.route({
    method: 'POST',
    url: '/plants',
    schema: {
      operationId: 'createPlant',
      body: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          name: { type: 'string' },
          tag: { type: 'string' },
        },
      },
      response: {
        200: {
          description: 'The plant was created.',
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, tag: { type: 'string' } },
        },
        400: {
          description: 'The request failed.',
          type: 'object',
          required: ['error', 'message'],
          properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
        },
      },
    },
    handler: async (request, reply) => {
      const { id, name, tag } = request.body;
      if (!Number.isSafeInteger(id)) {
        const message = `The id ${id} has more digits than this store keeps.`;
        return reply.status(400).send({ error: 400, message });
      }
      if (plants.has(id)) {
        return reply.status(400).send({ error: 400, message: `There is a plant ${id} already.` });
      }
      const plant = { name, tag };
      plants.set(id, plant);
      return plant;
    },
  });
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
