import { expect, test } from 'vitest';
import { createRouteHandler } from './route-handler.ts';

interface Context {
  readonly params: Promise<Readonly<Record<string, unknown>>> & { readonly id?: string };
}

async function show(request: Request, { params }: Context): Promise<Response> {
  return Response.json([request.method, await params]);
}

const handler = createRouteHandler({
  '/notes/[id]': { GET: show, DELETE: show },
  '/notes/new': { GET: () => new Response('new') },
  '/(shop)/files/[...path]': { GET: show },
  '/docs/[[...path]]': { GET: show },
  '/sync/[id]': { GET: (_request: Request, { params }: Context) => new Response(params.id) },
});

async function get(path: string, method = 'GET'): Promise<readonly [status: number, text: string]> {
  const response = await handler(new Request(new URL(path, 'http://localhost'), { method }));
  return [response.status, await response.text()];
}

test.each([
  ['/notes/7', [200, '["GET",{"id":"7"}]']],
  ['/notes/a%20b', [200, '["GET",{"id":"a b"}]']],
  ['/notes/new', [200, 'new']],
  ['/notes', [404, '']],
  ['/notes/7/8', [404, '']],
  ['/notes/%FF', [400, '']],
  ['/files/a/b', [200, '["GET",{"path":["a","b"]}]']],
  ['/files', [404, '']],
  ['/docs', [200, '["GET",{}]']],
  ['/docs/a', [200, '["GET",{"path":["a"]}]']],
  ['/sync/7', [200, '7']],
])('answers %s', async (path, expected) => {
  expect(await get(path)).toEqual(expected);
});

test('answers methods as Next does', async () => {
  expect(await get('/notes/7', 'DELETE')).toEqual([200, '["DELETE",{"id":"7"}]']);
  expect((await get('/notes/7', 'HEAD'))[0]).toBe(200);
  expect(await get('/notes/7', 'PUT')).toEqual([405, '']);
  expect(await get('/notes/7', 'PROPFIND')).toEqual([400, '']);
  const options = await handler(new Request('http://localhost/notes/7', { method: 'OPTIONS' }));
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, DELETE']);
});
