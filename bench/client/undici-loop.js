// The least that a tester over undici can do: creates, one after the other on each connection, each answer parsed.
// Prints how many requests a second that came to.
//
// node client/undici-loop.js URL CONNECTIONS SECONDS
import { Pool } from 'undici';
import { randomId } from './random-id.js';

const [url = '', connections = '1', seconds = '1'] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(connections) });
const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
let id = randomId();
let requests = 0;

const startedAt = performance.now();
const endsAt = startedAt + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: Number(connections) }, sendUntilEnd));
process.stdout.write(`${requests / ((performance.now() - startedAt) / 1_000)}\n`);
await pool.close();

async function sendUntilEnd() {
  while (performance.now() < endsAt) {
    id += 1;
    const body = JSON.stringify({ id, name: 'Monstera', tag: 'house' });
    const { statusCode, body: answer } = await pool.request({
      path: '/plants',
      method: 'POST',
      headers,
      body,
    });
    JSON.parse(await answer.text());
    if (statusCode !== 200) throw new Error(`Failed to measure: the service answered ${statusCode}.`);
    requests += 1;
  }
}
