import { expect, test } from 'vitest';
import { openOrderMock, type OrderMock } from '../../../fixtures/open-order-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';

let mock: Mock;
let post: OrderMock['post'];

async function open(options?: MockOptions): Promise<void> {
  ({ mock, post } = await openOrderMock(options));
}

async function problemsOf(
  body: string,
  options: MockOptions = {},
  headers: Record<string, string> = {},
): Promise<unknown> {
  await open(options);
  await post(body, headers);
  return mock.requests.list()[0]?.problems;
}

test('quotes the clauses that a body breaks', async () => {
  expect(await problemsOf('{"name":"Ann of the long name","kind":"third"}')).toEqual([
    {
      pointer: '/id',
      reason: '/id is required, but missing',
      clause: {
        in: 'document',
        pointer: '/paths/~1orders/post/requestBody/content/application~1json/schema/required',
        text: 'required: [id, name]',
      },
    },
    {
      pointer: '/name',
      reason: '/name must have at most 12 characters, but has 20',
      clause: {
        in: 'document',
        pointer:
          '/paths/~1orders/post/requestBody/content/application~1json/schema/properties/name/maxLength',
        text: 'maxLength: 12',
      },
    },
    {
      pointer: '/kind',
      reason: '/kind must be "first" or "second class", but is "third"',
      clause: {
        in: 'document',
        pointer: '/paths/~1orders/post/requestBody/content/application~1json/schema/properties/kind/enum',
        text: 'enum: [first, "second class"]',
      },
    },
  ]);
});

test('says of a policy that it is one', async () => {
  const constraints = { name: { minLength: 4 } };
  expect(await problemsOf('{"id":1,"name":"Ann"}', { policy: { constraints } })).toEqual([
    {
      pointer: '/name',
      reason: '/name must have at least 4 characters, but has 3',
      clause: { in: 'policy', pointer: '/answers/constraints/name/minLength', text: 'minLength: 4' },
    },
  ]);
  await mock.close();
  const refusing = { 'undeclared-properties': 'refuse' } as const;
  expect(await problemsOf('{"id":1,"name":"Ann","x/y":1}', { policy: refusing })).toMatchObject([
    { pointer: '/x~1y', clause: { in: 'policy', pointer: '/answers/undeclared-properties' } },
  ]);
});

test('says where a body is no JSON', async () => {
  expect(await problemsOf('{"id":1,\n "name":x}')).toEqual([
    { position: 17, reason: expect.stringContaining('x') },
  ]);
});

test('names the parameter or the field that is wrong', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}', {}, '/orders?dry=perhaps');
  await post('{"id":1,"name":"Ann"}', { 'content-type': 'text/plain' });
  await post('{"id":1,"name":"Ann"}', { authorization: 'Basic x' });
  await mock.fetch('/orders', { method: 'POST', headers: { authorization: 'Bearer s3cret-token' } });
  expect(mock.requests.list().map(({ problems }) => problems)).toMatchObject([
    [
      {
        parameter: { in: 'query', name: 'dry' },
        clause: { pointer: '/paths/~1orders/post/parameters/0/schema/type', text: 'type: boolean' },
      },
    ],
    [
      {
        parameter: { in: 'header', name: 'Content-Type' },
        clause: { pointer: '/paths/~1orders/post/requestBody/content', text: 'content: [application/json]' },
      },
    ],
    [
      {
        parameter: { in: 'header', name: 'Authorization' },
        clause: { pointer: '/paths/~1orders/post/security', text: 'security: [bearer]' },
      },
    ],
    [{ clause: { pointer: '/paths/~1orders/post/requestBody/required', text: 'required: true' } }],
  ]);
});

test('holds no credentials, wherever they stand', async () => {
  await open();
  const secrets = ['s3cret-token', 'other-token', 'dXNlcjpwYXNz', 'c00kie-value', 'k3y-value'];
  await post('{"id":1,"name":"s3cret-token"}', { cookie: 'sid=c00kie-value; b=1', 'x-copy': 's3cret-token' });
  await post('{"id":2,"name":"other-token"}', { authorization: 'Bearer other-token' });
  await post('{"id":3,"name":"A"}', { authorization: 'Basic dXNlcjpwYXNz' });
  await post('{}', { authorization: 'other-token' });
  await mock.fetch('/shops/1?key=k3y-value&a=b', { headers: { 'x-copy': 'k3y-value' } });
  await mock.fetch('/s3cret-token/x');
  const text = JSON.stringify(mock.requests.list());
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
  }
  const [first, , , , keyed] = mock.requests.list();
  expect(first?.request.headers).toContainEqual(['authorization', 'Bearer ***']);
  expect(first?.request.headers).toContainEqual(['cookie', 'sid=***; b=***']);
  expect(first?.request.body).toBe('{"id":1,"name":"***"}');
  expect(keyed?.target).toBe('/shops/1?key=***&a=b');
  expect(mock.requests.list({ search: 's3cret' })).toEqual([]);
});

test('holds no credentials of bodies, and the command line has variables for them', async () => {
  await open();
  await post('{"id":1,"name":"A","password":"Passw0rd-1","refresh_token":"T0ken-2"}');
  await post('{"id":"Passw0rd-3","name":"A","password":"Passw0rd-3"}');
  const [first, second] = mock.requests.list();
  expect(JSON.stringify([first, second])).not.toMatch(/Passw0rd-\d|T0ken-\d/u);
  expect(first?.request.body).toBe('{"id":1,"name":"A","password":"***","refresh_token":"***"}');
  expect(first?.request.bytes).toBe(69);
  expect(first?.curl).toContain(
    `'{"id":1,"name":"A","password":"'"$CLOCHE_TOKEN_2"'","refresh_token":"'"$CLOCHE_TOKEN_3"'"}'`,
  );
});

test('writes a command line that sends the request again', async () => {
  await open({ tokens: ['t', 'other-token'] });
  await post('{"id":1,"name":"t"}', { authorization: 'Bearer t' });
  expect(mock.requests.list()[0]?.curl).toBe(
    `curl -sSi 'http://127.0.0.1:4010/orders' -H "authorization: Bearer $CLOCHE_TOKEN" -H 'content-type: application/json' -H 'Accept:' --data-binary '{"id":1,"name":"t"}'`,
  );
  await mock.send({
    method: 'GET',
    target: '/shops/1?key=t',
    headers: [['Host', 'localhost:1234']],
    body: undefined,
  });
  expect(mock.requests.list()[1]?.curl).toContain('"http://localhost:1234/shops/1?key=$CLOCHE_TOKEN"');
  await post('{"id":1,"name":"other-token"}', { authorization: 'Bearer other-token' });
  expect(mock.requests.list()[2]?.curl).toMatch(
    /"authorization: Bearer \$CLOCHE_TOKEN" .* '\{"id":1,"name":"'"\$CLOCHE_TOKEN"'"\}'$/u,
  );
});
