import { expect, test } from 'vitest';
import { askControl } from '../../../fixtures/ask-control.ts';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../create-mock.ts';

const contract = await loadContract(undefined, { followReferences: false });

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
  ['PATCH /policy', '{"answers":{"accepted-tokens":"listed"}}', 422, 'turn everybody away'],
  [
    'PATCH /policy',
    '{"operations":{"createPlant":{"accepted-tokens":"listed"}}}',
    422,
    'turn everybody away',
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
