// A mock made of openapi-backend: it validates requests, asks for the token, and answers with the examples of the document.
//
// node servers/openapi-backend.js --port PORT
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { OpenAPIBackend } from 'openapi-backend';
import yaml from 'yaml';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {unknown} content
 */
function respond(response, status, content) {
  const body = Buffer.from(JSON.stringify(content));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

const { paths, components, security } = yaml.parse(
  readFileSync(new URL('../../spec/plant-store.yaml', import.meta.url), 'utf8'),
);

const api = new OpenAPIBackend({
  // It does not know the members of info that OpenAPI 3.1 adds.
  definition: { openapi: '3.0.3', info: { title: 'Plant Store', version: '1' }, paths, components, security },
  securityHandlers: { bearer: (context) => context.request.headers['authorization'] === 'Bearer t' },
  handlers: {
    notImplemented(context, request, response) {
      const { status, mock } = context.api.mockResponseForOperation(context.operation.operationId ?? '');
      respond(response, status, mock);
    },
    validationFail: (context, request, response) => respond(response, 400, context.validation.errors),
    unauthorizedHandler: (context, request, response) => respond(response, 401, {}),
    notFound: (context, request, response) => respond(response, 404, {}),
  },
});
await api.init();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url: path = '', headers } = request;
    const body = JSON.parse(Buffer.concat(chunks).toString());
    // `as`: Node's headers are those that openapi-backend takes, but for a type that allows undefined.
    const taken = /** @type {Record<string, string>} */ (headers);
    void api.handleRequest({ method, path, headers: taken, body }, request, response);
  });
});
server.listen(Number(values.port), '127.0.0.1');
