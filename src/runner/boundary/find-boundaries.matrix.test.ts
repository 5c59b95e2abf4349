import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { judgeService } from '../../../fixtures/judge-service.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import { loadCatalogue } from '../../../fixtures/services/catalogue.js';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../../mock/create-mock.ts';
import { createPolicy } from '../../policy/policy.ts';
import { renderBoundary } from '../../report/view/boundary.ts';
import type { RunFinding } from '../../events/events.ts';
import { allSuites } from '../../../suites/all-suites.ts';
import { validBodies } from '../../../suites/valid-bodies.ts';

const token = 'the-token-of-the-tests';
const { constrained } = await loadCatalogue();

function describeFinding({ finding }: RunFinding): string {
  const { boundary, level, check, cause, trigger = '' } = finding;
  return boundary === undefined ? `${level} ${check}: ${cause} ${trigger}` : renderBoundary(boundary);
}

describe.concurrent('a constraint that the document does not name', () => {
  test.each(drawCases(constrained, 2))(
    'is told with its boundary where a service $title ($id)',
    async (service) => {
      // The others send little that could be refused for its values, and take most of the time.
      const { findings } = await judgeService({
        service,
        suites: service.id === 'three-limits' ? allSuites : [validBodies],
      });
      expect(findings.map(describeFinding).toSorted()).toEqual([...service.expects].toSorted());
    },
  );
});

test('the boundaries of a service for another document are found in lists, in inner objects and for fractions', async () => {
  const document = fileURLToPath(new URL('../../../fixtures/documents/lists.yaml', import.meta.url));
  const mock = await createMock(await loadContract(document, { followReferences: false }), {
    tokens: [mockToken],
    policy: createPolicy({
      constraints: {
        lines: {
          minItems: 1,
          maxItems: 50,
          items: { properties: { article: { maxLength: 64 }, note: { minLength: 3 } } },
        },
        labels: { maxItems: 12 },
        weight: { maximum: 1_000 },
      },
    }),
  });
  const { findings } = await runOnMock({ mock, enforced: false, suites: [validBodies], runs: 100 });
  expect(findings.map(describeFinding).toSorted()).toEqual([
    'labels with more than 12 items',
    'lines with fewer than 1 item',
    'lines with more than 50 items',
    'lines[].article longer than 64 characters',
    'lines[].note shorter than 3 characters',
    'weight above 1000',
  ]);
});

test('a constraint fails a strict run, and no other', async () => {
  const [server] = constrained.flatMap((service) =>
    service.id === 'tag-32-characters' ? [service.create({ token })] : [],
  );
  if (server === undefined) throw new Error('there is no such service');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const words = ['test', `http://127.0.0.1:${port}`, '--token', token, '--seed', '1'];
  const folder = fileURLToPath(new URL('../../..', import.meta.url));
  const usual = await runCloche(words, { folder });
  const strict = await runCloche([...words, '--strict'], { folder });
  server.closeAllConnections();
  server.close();
  expect(usual.stdout).toContain('tag longer than 32 characters');
  // What is pasted shows the smallest value that is refused.
  expect(usual.stdout).toContain(`"tag":"${'a'.repeat(33)}"`);
  expect([usual.code, strict.code]).toEqual([0, 1]);
});
