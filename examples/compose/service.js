// A service that counts the entries of a to-do list, which another service keeps.
import { createServer } from 'node:http';

const { PORT: port = '8080', TODOS_URL: todos } = process.env;

async function count(isDone) {
  const response = await fetch(`${todos}/todos?done=${isDone}&limit=1`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`the to-do list answered with ${response.status}`);
  return (await response.json()).total;
}

async function answer(response) {
  const [status, content] = await Promise.all([count(true), count(false)]).then(
    ([done, open]) => [200, { done, open }],
    (error) => [502, { title: error.message }],
  );
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}

const server = createServer((_, response) => void answer(response));
server.listen(Number(port), () => console.log(`listening on port ${server.address().port}`));
process.once('SIGTERM', () => server.close());
