// The least that a server can do with a create: read the body, parse it, answer fixed JSON.
//
// node servers/bare.js --port PORT
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const answer = Buffer.from(JSON.stringify({ name: 'Monstera', tag: 'house' }));

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(id === undefined ? 400 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': answer.length,
    });
    response.end(answer);
  });
});
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
