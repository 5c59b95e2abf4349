import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const types = { html: 'text/html', js: 'text/javascript' };

/** The pages that are open. */
const pages = new Set();

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://app');
  if (pathname === '/hooks/shipped' && request.method === 'POST') {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    for (const page of pages) page.write(`data: ${body}\n\n`);
    response.writeHead(204).end();
  } else if (pathname === '/notices') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    pages.add(response);
    response.on('close', () => pages.delete(response));
  } else {
    const name = pathname === '/app.js' ? 'app.js' : 'index.html';
    response.writeHead(200, { 'content-type': types[name.split('.')[1]] });
    response.end(await readFile(new URL(name, import.meta.url)));
  }
}

/** Creates the server of the app: it sends the page, and passes webhooks of the shop on to the open pages. */
export function createApp() {
  return createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  createApp().listen(8080, '127.0.0.1', () =>
    console.log('http://127.0.0.1:8080/?service=http://127.0.0.1:4010'),
  );
}
