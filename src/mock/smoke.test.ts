import { test } from 'vitest';
import { createMock } from './create-mock.ts';
test('x', async () => {
  const mock = await createMock('spec/plant-store.yaml', { log: (e) => console.log(JSON.stringify(e)) });
  async function post(body: string | undefined, headers: Record<string, string> = {}) {
    const r = await mock.fetch('/plants', { method: 'POST', headers: { authorization: 'Bearer t', 'content-type': 'application/json', ...headers }, ...(body === undefined ? {} : { body }) });
    console.log(r.status, await r.text(), JSON.stringify([...r.headers]));
  }
  await post('{"id":1,"name":"a","tag":"x","z":1}');
  await post('{"id":1,"name":"a"}');
  await post('{"id":1.0,"name":"a"}');
  await post('{"id":9007199254740993,"name":"a"}');
  await post('{"id":9007199254740992,"name":"a"}');
  await post('{"id":9223372036854775807,"name":"a"}');
  await post('{"id":9223372036854775808,"name":"a"}');
  await post('{"id":1e2,"name":"a"}');
  await post('{"id":"1"}');
  await post('{"id":"1"');
  await post('');
  await post('\ufeff{}');
  await post('[[');
  await post('{}', { 'content-type': 'text/plain' });
  await post('{"id":3,"name":"a"}', { authorization: 'bearer   t' });
  await post('{"id":4,"name":"a"}', { authorization: 'Basic t', origin: 'http://x' });
  await post('{"id":4,"name":"a"}', { authorization: 'Bearer a b' });
  const r = await mock.fetch('/plants');
  console.log(r.status, await r.text(), JSON.stringify([...r.headers]));
  const q = await mock.fetch('/plant');
  console.log(q.status, await q.text(), JSON.stringify([...q.headers]));
  const p = await mock.fetch('/plants', { method: 'OPTIONS', headers: { origin: 'http://x', 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,x-y', 'access-control-request-private-network': 'true' } });
  console.log(p.status, await p.text(), JSON.stringify([...p.headers]));
});
