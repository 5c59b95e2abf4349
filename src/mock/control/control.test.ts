import { expect, test } from 'vitest';
import { askControl } from '../../../fixtures/ask-control.ts';
import { contract, create, open, read } from '../../../fixtures/plant-store-control.ts';
import { createMock } from '../create-mock.ts';
import type { MockResponse } from '../message.ts';

test('says what is mocked, and how', async () => {
  const mock = await open({ clock: () => 0 });
  mock.notices = ['The document cannot be used.'];
  expect(await read(mock, 'GET /service')).toEqual({
    title: mock.contract.title,
    version: mock.contract.version,
    source: mock.contract.source,
    cloche: expect.stringMatching(/^\d+\.\d+\.\d+/u),
    startedAt: '1970-01-01T00:00:00.000Z',
    store: 'memory',
    operations: [
      {
        id: 'createPlant',
        method: 'POST',
        path: '/plants',
        kind: 'create',
        collection: '/plants',
        key: 'id',
      },
    ],
    resources: [{ kind: 'collection', collection: '/plants', key: 'id', relations: [] }],
    webhooks: [],
    hasCallbacks: false,
    notices: ['The document cannot be used.'],
  });
});

test('gives the parts of a request that the mock accepts, without secrets', async () => {
  const mock = await open({ tokens: ['a-secret-token'] });
  expect(await read(mock, 'GET /operations/createPlant')).toEqual({
    method: 'POST',
    path: '/plants',
    parameters: [{ name: 'Authorization', in: 'header', required: true, value: 'Bearer any' }],
    body: { mediaType: 'application/json', text: expect.stringContaining('"name"') },
  });
  expect((await askControl(mock, 'GET /operations/nothing')).status).toBe(404);
});

test('shows what was created, every digit of it', async () => {
  const mock = await open();
  await create(mock, '{"id":9007199254740993,"name":"Basil"}');
  const resource = '{"key":"9007199254740993","value":{"id":9007199254740993,"name":"Basil"}}';
  expect(await askControl(mock, 'GET /state/resources?collection=/plants')).toEqual({
    status: 200,
    text: `{"total":1,"resources":[${resource}]}`,
  });
  expect(await askControl(mock, 'GET /state/resource?collection=/plants&key=9007199254740993')).toEqual({
    status: 200,
    text: resource,
  });
  expect((await askControl(mock, 'GET /state/export')).text).toBe(
    '{"/plants":[{"id":9007199254740993,"name":"Basil"}]}',
  );
});

test('keeps, replaces and forgets a resource', async () => {
  const mock = await open();
  const put = (body: string): ReturnType<typeof askControl> =>
    askControl(mock, 'PUT /state/resources?collection=/plants', body);
  expect((await put('{"id":9007199254740993,"name":"Basil"}')).status).toBe(200);
  await put('{"id":9007199254740993,"name":"Thyme"}');
  expect((await askControl(mock, 'GET /state')).text).toBe(
    '{"collections":[{"name":"/plants","count":1,"kind":"collection","key":"id","isKept":true}]}',
  );
  expect((await create(mock, '{"id":9007199254740993,"name":"Mint"}')).status).toBe(400);
  const place = '/state/resource?collection=/plants&key=9007199254740993';
  expect((await askControl(mock, `GET ${place}`)).text).toContain('Thyme');
  expect(await askControl(mock, `DELETE ${place}`)).toEqual({ status: 204, text: '' });
  expect((await askControl(mock, `DELETE ${place}`)).status).toBe(404);
  expect((await create(mock, '{"id":9007199254740993,"name":"Mint"}')).status).toBe(200);
});

test('names each bad row of an import, and takes none of it', async () => {
  const mock = await open();
  await create(mock, '{"id":1,"name":"Basil"}');
  const rows = '{"/plants":[{"id":2,"name":"Thyme"},{"id":3},{"id":"4","name":"Mint"}]}';
  expect(await read(mock, 'POST /state/import', rows)).toMatchObject({
    code: 422,
    rows: [
      { collection: '/plants', index: 1 },
      { collection: '/plants', index: 2 },
    ],
  });
  expect((await askControl(mock, 'GET /state/export')).text).toBe('{"/plants":[{"id":1,"name":"Basil"}]}');
});

test('brings in what an export gave, into a mock that holds something', async () => {
  const mock = await open();
  await create(mock, '{"id":1,"name":"Basil"}');
  await create(mock, '{"id":9007199254740993,"name":"Thyme"}');
  const { text } = await askControl(mock, 'GET /state/export');
  const other = await open();
  await create(other, '{"id":1,"name":"Mint"}');
  await create(other, '{"id":2,"name":"Sage"}');
  expect((await askControl(other, 'POST /state/import?mode=merge', text)).text).toBe(
    '{"added":1,"replaced":1}',
  );
  expect((await askControl(other, 'POST /state/import', text)).status).toBe(200);
  expect((await askControl(other, 'GET /state/export')).text).toBe(text);
});

test('keeps the state under a name, and brings it back', async () => {
  const mock = await open();
  await create(mock, '{"id":1,"name":"Basil"}');
  expect((await askControl(mock, 'PUT /snapshots/one%20plant')).status).toBe(204);
  await create(mock, '{"id":2,"name":"Thyme"}');
  expect(await read(mock, 'GET /snapshots')).toEqual({ snapshots: [{ name: 'one plant', count: 1 }] });
  expect((await askControl(mock, 'POST /snapshots/one%20plant/restore')).status).toBe(204);
  expect((await askControl(mock, 'GET /state/export')).text).toBe('{"/plants":[{"id":1,"name":"Basil"}]}');
  expect((await askControl(mock, 'DELETE /snapshots/one%20plant')).status).toBe(204);
  expect((await askControl(mock, 'POST /snapshots/one%20plant/restore')).status).toBe(404);
});

test('makes requests go wrong, and lets them be again', async () => {
  const mock = await open();
  const rule = '{"id":"down","answer":{"status":503,"body":{"until":9007199254740993}},"times":1.0}';
  const made = await askControl(mock, 'POST /faults', rule);
  expect([made.status, made.location]).toEqual([201, '/__cloche/faults/down']);
  const response = await create(mock, '{"id":1,"name":"Basil"}');
  expect([response.status, response.text]).toEqual([503, '{"until":9007199254740993}']);
  expect((await create(mock, '{"id":1,"name":"Basil"}')).status).toBe(200);
  expect(await read(mock, 'GET /faults')).toMatchObject({ faults: [{ id: 'down', times: 1, applied: 1 }] });
  await askControl(mock, 'PUT /faults/down', '{"id":"other","connection":"drop","enabled":false}');
  expect(await read(mock, 'GET /faults')).toMatchObject({ faults: [{ id: 'down', enabled: false }] });
  expect((await askControl(mock, 'DELETE /faults/down')).status).toBe(204);
  expect((await askControl(mock, 'DELETE /faults/down')).status).toBe(404);
  expect((await askControl(mock, 'DELETE /faults')).status).toBe(204);
});

test('shows what the mock was asked, but not what it was asked itself', async () => {
  const mock = await open();
  await create(mock, '{"id":1,"name":"Basil"}');
  await create(mock, '{"id":1}');
  await askControl(mock, 'GET /state');
  expect(await read(mock, 'GET /requests')).toMatchObject({
    requests: [{ id: 1 }, { id: 2 }],
    first: 1,
    last: 2,
  });
  expect(await read(mock, 'GET /requests?status=400&wait=1000')).toMatchObject({
    requests: [{ id: 2, verdict: 'refused' }],
    last: 2,
  });
  expect(await read(mock, 'GET /requests?wait=1&times=3')).toMatchObject({
    requests: [{ id: 1 }, { id: 2 }],
  });
  const location = { file: expect.stringContaining('plant-store.yaml'), line: expect.any(Number) };
  expect(await read(mock, 'GET /requests/2')).toMatchObject({
    id: 2,
    condition: 'invalid-body',
    problems: [{ pointer: '/name', clause: { text: 'required: [name]', location } }],
  });
  expect((await askControl(mock, 'GET /requests/3')).status).toBe(404);
  const filter = '{"operation":"createPlant","body":{"id":1.0}}';
  expect(await read(mock, 'POST /requests/verify', `{"filter":${filter},"times":2}`)).toMatchObject({
    verified: true,
    count: 2,
  });
  expect(
    await read(mock, 'POST /requests/verify', `{"filter":${filter},"times":{"atMost":1}}`),
  ).toMatchObject({
    verified: false,
  });
  expect((await askControl(mock, 'DELETE /requests')).status).toBe(204);
  expect(await read(mock, 'GET /requests')).toMatchObject({ requests: [] });
});

test('waits for a request that comes later', async () => {
  const mock = await open();
  const later = read(mock, 'GET /requests?operation=createPlant&wait=2000');
  await create(mock, '{"id":1,"name":"Basil"}');
  expect(await later).toMatchObject({ requests: [{ id: 1 }] });
});

test('sets, stops and advances the clock', async () => {
  const mock = await open({ clock: () => 0 });
  expect(
    (await askControl(mock, 'PUT /clock', '{"now":"2030-01-01T01:00:00+01:00","frozen":true}')).text,
  ).toBe('{"now":"2030-01-01T00:00:00.000Z","frozen":true}');
  expect((await askControl(mock, 'POST /clock/advance', '{"ms":1.5e3}')).text).toContain('00:00:01.500Z');
  expect(mock.clock.now()).toBe(Date.UTC(2030, 0, 1, 0, 0, 1, 500));
});

test('goes no further than a text can name the time', async () => {
  let now = 0;
  const mock = await open({ clock: () => now });
  const century = '{"ms":3155760000000}';
  await askControl(mock, 'PUT /clock', '{"now":"9999-12-31T23:59:59Z"}');
  expect((await askControl(mock, 'POST /clock/advance', century)).status).toBe(422);
  now += 2_000;
  expect((await askControl(mock, 'GET /clock')).text).toContain('"9999-12-31T23:59:59.999Z"');
  await askControl(mock, 'PUT /clock', '{"now":"0000-01-01T00:00:00+01:00"}');
  expect((await askControl(mock, 'GET /clock')).text).toContain('"0000-01-01T00:00:00.000Z"');
  expect((await askControl(mock, 'POST /clock/advance', '{"ms":-1}')).status).toBe(422);
});

test('brings everything back, or some parts', async () => {
  const mock = await open();
  await create(mock, '{"id":1,"name":"Basil"}');
  await askControl(mock, 'POST /faults', '{"delay":0}');
  await askControl(mock, 'PATCH /policy', '{"answers":{"duplicate-key":"conflict"}}');
  await askControl(mock, 'PUT /clock', '{"frozen":true}');
  expect((await askControl(mock, 'POST /reset', '{"parts":["state","clock"]}')).status).toBe(204);
  expect(await mock.state.export()).toEqual({});
  expect([mock.clock.isFrozen, mock.faults.list().length, mock.requests.list().length]).toEqual([
    false,
    1,
    1,
  ]);
  expect(mock.policy['duplicate-key']).toBe('conflict');
  expect((await askControl(mock, 'POST /reset')).status).toBe(204);
  expect([mock.faults.list().length, mock.requests.list().length]).toEqual([0, 0]);
  expect(mock.policy['duplicate-key']).toBe('refuse');
});

test('refuses content of another type', async () => {
  const mock = await open();
  const response = await mock.fetch('/__cloche/faults', { method: 'POST', body: 'delay=1' });
  expect(response.status).toBe(415);
});

test('opens nothing to other origins, caches and sniffers', async () => {
  const mock = await open();
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'PUT' };
  for (const method of ['GET', 'OPTIONS']) {
    const response = await mock.fetch('/__cloche/state', { method, headers });
    const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('takes nothing from the contract but its prefix', async () => {
  const mock = await open();
  for (const path of ['/__cloch', '/__clochette', '/plants/__cloche', '/__cloche.json']) {
    const response = await mock.fetch(path);
    expect([path, await response.text()]).toEqual([path, expect.stringContaining('There is nothing at')]);
  }
  expect(mock.requests.list()).toHaveLength(4);
});

test('is not there where it is switched off', async () => {
  const mock = await open({ control: false });
  expect((await askControl(mock, 'GET /service')).status).toBe(404);
  expect(mock.requests.list()).toHaveLength(1);
});

test('points to its document where there is no inspector', async () => {
  const mock = await open();
  expect(await read(mock, 'GET /')).toMatchObject({ document: '/__cloche/openapi.json' });
  expect(await read(mock, 'GET /openapi.json')).toMatchObject({ openapi: '3.1.0' });
  expect((await askControl(mock, 'GET /inspector/page.js')).status).toBe(404);
});

test('serves the pages of the inspector', async () => {
  const page = (body: string): MockResponse => ({ status: 200, headers: [], body, note: {} });
  const pages = new Map([
    ['/', page('<p>Here</p>')],
    ['/inspector/a.js', page('1')],
    ['/state', page('no')],
  ]);
  const mock = await open({ inspector: () => Promise.resolve((path) => pages.get(path)) });
  expect(await askControl(mock, 'GET /?theme=dark')).toEqual({ status: 200, text: '<p>Here</p>' });
  expect(await askControl(mock, 'HEAD /')).toEqual({ status: 200, text: '' });
  expect((await askControl(mock, 'GET /inspector/a.js')).text).toBe('1');
  expect((await askControl(mock, 'GET /inspector/b.js')).status).toBe(404);
  expect((await askControl(mock, 'GET /state')).text).toContain('collections');
  const bare = await mock.fetch('/__cloche');
  expect([bare.status, bare.headers.get('location')]).toEqual([308, '/__cloche/']);
});

test('loads its parts again after they could not be loaded', async () => {
  let isBroken = true;
  const inspector = (): Promise<() => undefined> =>
    isBroken ? Promise.reject(new Error('no page')) : Promise.resolve(() => undefined);
  const mock = await open({ inspector });
  await expect(askControl(mock, 'GET /service')).rejects.toThrow('no page');
  isBroken = false;
  expect((await askControl(mock, 'GET /service')).status).toBe(200);
});

test.each(['', 'two words', 'umläut', 'line\nbreak'])('refuses %j as a control token', async (token) => {
  await expect(open({ control: { token } })).rejects.toThrow('Failed to use as a control token');
});

test.each([
  [
    'GET /state?colection=/plants',
    undefined,
    400,
    'There is no query parameter "colection" here: it takes none.',
  ],
  [
    'GET /state/resources?collection=/plants&collection=/shops',
    undefined,
    400,
    'The query parameter "collection" is there twice',
  ],
  ['GET /requests?serch=a', undefined, 400, 'did you mean "search"?'],
  ['GET /requests?wait=5000', undefined, 400, 'the query parameter "wait" must be at most 2000'],
  ['GET /state/resources', undefined, 400, 'the query parameter "collection" is required'],
  ['PUT /state/resources?collection=/plants', '{"id":1}', 422, '/name is required'],
  ['PUT /state/resources?collection=/plnats', '{"id":1,"name":"Basil"}', 422, '/plnats'],
  ['PUT /state/resources?collection=/plants', '[]', 400, 'must be an object'],
  ['PUT /state/resources?collection=/plants', '{"id":1,"id":2,"name":"Basil"}', 400, 'twice'],
  ['POST /state/import', '{"/plants":[{"id":1}]}', 422, 'row 1'],
  ['POST /state/import?mode=both', '{}', 400, 'mode'],
  ['POST /state/import', '', 400, 'no body'],
  ['POST /state/import', '{', 400, 'not JSON'],
  ['PUT /snapshots/%2e%2e%2fetc', undefined, 400, 'name'],
  ['PUT /snapshots/set-aside', undefined, 422, 'Choose another name'],
  ['POST /snapshots/set-aside/restore', undefined, 422, 'Choose another name'],
  ['PATCH /policy', '{"answers":{"dupe-key":"refuse"}}', 400, 'dupe-key'],
  ['PATCH /policy', '{"answers":{"duplicate-key":"explode"}}', 400, 'duplicate-key'],
  ['PATCH /policy', '{"operations":{"createPlnt":{"echo":"none"}}}', 422, 'createPlnt'],
  ['PATCH /policy', '{"answers":{"accepted-tokens":"listed"}}', 422, 'reject every request'],
  [
    'PATCH /policy',
    '{"operations":{"createPlant":{"accepted-tokens":"listed"}}}',
    422,
    'reject every request',
  ],
  ['POST /faults', '{}', 400, 'delay'],
  ['POST /faults', '{"connection":"drop","answer":{"status":500}}', 400, '/answer'],
  ['POST /faults', '{"answer":{"status":500,"example":"a","body":1}}', 400, '/answer/example'],
  ['POST /faults', '{"answer":{"status":204,"body":1}}', 400, '/answer/body'],
  ['POST /faults', '{"answer":{"status":500,"headers":{"Content-Length":"1"}}}', 400, '/answer/headers'],
  ['POST /faults', '{"operation":"createPlnt","delay":1}', 422, 'createPlnt'],
  ['POST /faults', '{"operation":"x","answer":{"status":500,"body":9007199254740993}}', 422, '"x"'],
  ['POST /faults', '{"answer":{"status":99}}', 400, 'status'],
  ['POST /requests/verify', '{"filter":{"pth":"/plants"}}', 400, 'pth'],
  ['POST /faults', '{"operation":"createPlant","method":"GET","delay":1}', 422, 'createPlant is POST'],
  ['PUT /clock', '{"now":"yesterday"}', 400, 'now'],
  ['PUT /clock', '{"now":"2030-02-30T00:00:00Z"}', 400, 'now'],
  ['POST /clock/advance', '{"ms":1e300}', 400, 'ms'],
  ['POST /reset', '{"parts":["sate"]}', 400, 'parts'],
  ['GET /nothing', undefined, 404, 'There is nothing at /__cloche/nothing'],
  ['PUT /state', '{}', 405, 'it takes GET'],
])('%s %s is answered with %i and a sentence, and nothing changes', async (line, body, status, words) => {
  const mock = await createMock(contract, { clock: () => 0 });
  await mock.state.put('/plants', { id: 7, name: 'Sage' });
  await mock.state.save('before');
  const look = async (): Promise<unknown> => [
    await mock.state.export(),
    await mock.state.snapshots(),
    mock.policy,
    mock.faults.list(),
    mock.clock.now(),
    mock.requests.list().length,
  ];
  const before = await look();
  const answered = await askControl(mock, line, body);
  // `as`: an error has these members.
  const { code, message } = JSON.parse(answered.text) as { code: number; message: string };
  expect([answered.status, code, message]).toEqual([status, status, expect.stringContaining(words)]);
  expect(await look()).toEqual(before);
});
