// The least that a server can do with items: look a key up in a Map, read a body into it, cut a page out of an array, answer JSON.
//
// node servers/bare-items.js --port PORT
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const list = [];
const items = new Map();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const offset = Number(searchParams.get('offset'));
    let found = items.get(Number(pathname.slice('/items/'.length)));
    if (request.method === 'POST') {
      found = JSON.parse(Buffer.concat(chunks).toString());
      items.set(found.id, found);
      list.push(found);
    } else if (request.method === 'PUT' && found !== undefined) {
      Object.assign(found, JSON.parse(Buffer.concat(chunks).toString()));
    } else if (pathname === '/items') {
      found = list.slice(offset, offset + Number(searchParams.get('limit')));
    }
    const answer = Buffer.from(JSON.stringify(found ?? {}));
    response.writeHead(found === undefined ? 404 : request.method === 'POST' ? 201 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': answer.length,
    });
    response.end(answer);
  });
});
server.listen(Number(values.port), '127.0.0.1');
