import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverlay } from '../../../fixtures/apply-overlay.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { renderYaml } from '../../document/yaml.ts';
import type { HeaderList, Send } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import { learn } from '../../learn/learn.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { Policy } from '../policy.ts';
import { createOverlay } from './overlay.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-own-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function overlaid(before: Contract, policy: Partial<Policy>): Promise<Contract> {
  const { overlay } = createOverlay({ contract: before, policy });
  const file = join(folder, `${Math.random()}.json`);
  // `as`: an overlay is JSON; it is only not written to.
  await writeFile(file, await applyOverlay(plantStore, renderYaml(overlay as unknown as JsonValue)));
  return loadContract(file, { followReferences: false });
}

/** A service that turns credentials away with a content. */
function turningAway(send: Send, content: { readonly headers: HeaderList; readonly body: string }): Send {
  return async (request, options) => {
    const answer = await send(request, options);
    if (answer.kind !== 'response' || answer.response.status !== 401) return answer;
    const headers: HeaderList = [['WWW-Authenticate', 'Bearer'], ...content.headers];
    const body = new TextEncoder().encode(request.method === 'HEAD' ? '' : content.body);
    return { ...answer, response: { status: 401, headers, body } };
  };
}

const own = { status: 401, body: 'other' } as const;

test.each<[string, string | undefined, string]>([
  ['JSON that is no error of the document', 'application/json', '{"error":"unauthorized"}'],
  ['a page', 'text/html', '<h1>Unauthorized</h1>'],
  ['a problem whose status is a text', 'application/problem+json', '{"status":"401"}'],
  ['a text without a media type', undefined, 'Unauthorized'],
])(
  'a service that turns credentials away with %s keeps to what is learnt of it and declared',
  async (_name, type, body) => {
    const before = await loadContract(plantStore, { followReferences: false });
    const service = await createMock(before, { tokens: [mockToken] });
    const send = turningAway(service.send, {
      headers: type === undefined ? [] : [['Content-Type', type]],
      body,
    });
    const { answers } = await learn({
      contract: before,
      send,
      token: mockToken,
      keys: [1_000, 2_000_000],
      trials: 1,
      questions: ['accepted-tokens', 'missing-credentials', 'invalid-credentials'],
    });
    expect(answers).toMatchObject({ 'missing-credentials': own, 'invalid-credentials': own });

    const after = await overlaid(before, answers);
    const [operation] = after.operations;
    expect(operation?.responses.map(({ media }) => media.map(({ range }) => range))).toContainEqual(['*/*']);
    // Nothing of it is left to be said in other words than OpenAPI's.
    expect(JSON.stringify(after.root)).not.toContain('credentials"');

    const mock = await createMock(after, { tokens: [mockToken] });
    const { findings } = await runOnMock({ mock, send, enforced: false, runs: 5 });
    const violations = findings.filter(({ finding }) => finding.level === 'violation');
    expect(violations.map(({ finding }) => `${finding.check} ${finding.received}`)).toEqual([]);
  },
);

test('an empty 401 breaks a document that declares some content of its own', async () => {
  const before = await loadContract(plantStore, { followReferences: false });
  const after = await overlaid(before, { 'missing-credentials': own, 'invalid-credentials': own });
  const service = await createMock(before, { tokens: [mockToken] });
  const send = turningAway(service.send, { headers: [], body: '' });
  const mock = await createMock(after, { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, send, enforced: false, runs: 1 });
  expect(findings.map(({ finding }) => `${finding.level} ${finding.check}`)).toContain(
    'violation response-media-type',
  );
});
