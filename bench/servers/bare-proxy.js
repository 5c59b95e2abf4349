// The least that a proxy can do: forward each request over kept connections, and its answer, as they come.
//
// node servers/bare-proxy.js --port PORT --upstream PORT
import { Agent, createServer, request as openRequest } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, upstream: { type: 'string', default: '0' } },
});
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstream = openRequest(
    { host: '127.0.0.1', port: values.upstream, method, path, headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
});
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
