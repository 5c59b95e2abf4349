import { expect, test } from 'vitest';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { buildRequest } from '../arbitrary/request.ts';
import { loadContract } from '../contract/load.ts';
import { createFindingLedger } from '../events/ledger.ts';
import type { Answer } from '../http/message.ts';
import { Sender } from '../session/send-case.ts';
import { confirmFinding, triesAgainstChance } from './confirm.ts';
import { type PropertyRun, runCase } from './search.ts';
import type { Property } from './suite.ts';

const contract = await loadContract(undefined, { followReferences: false });
const [operation] = contract.operations;

interface Plant {
  readonly id: number;
  readonly name: string;
}

function respond(status: number, value: object): Answer {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: 'response', response: { status, headers: [['Content-Type', 'application/json']], body } };
}

const refused = respond(400, { error: 400, message: 'no' });

/** Whether a store holds a key since last week: one in four. */
function isHeld({ id }: Plant): boolean {
  return Math.imul(id, 0x9e_37_79_b1) >>> 30 === 0;
}

/** A property whose one case is plants that are created side by side, on a service that is a function. */
function createRun(answer: (plant: Plant, underWay: number) => Answer) {
  const sent: Plant[] = [];
  let underWay = 0;
  async function send({ body }: { readonly body?: Uint8Array | undefined }): Promise<Answer> {
    // `as`: nothing else is sent here.
    const plant = JSON.parse(new TextDecoder().decode(body)) as Plant;
    sent.push(plant);
    underWay += 1;
    await Promise.resolve();
    const answered = answer(plant, underWay);
    await Promise.resolve();
    underWay -= 1;
    return answered;
  }
  const service = createOpenService(contract, send);
  const property: Property<readonly string[]> = {
    id: 'creates',
    title: 'Plants are created',
    examples: [],
    arbitrary: undefined,
    run: (names, opened) =>
      Promise.all(
        names.map((name) => {
          expect.assert(operation !== undefined);
          const key = { slot: 0, class: 'plain', variant: 'itself' } as const;
          const body = ['{"id":', key, `,"name":${JSON.stringify(name)}}`];
          return opened.send(buildRequest(operation, { body }), opened.openIdContext());
        }),
      ),
    traceChecks: [],
  };
  const run: PropertyRun = {
    property,
    sender: new Sender(service),
    context: service.context,
    seed: 1,
    runs: 1,
    path: undefined,
    isStopped: () => false,
    onGivenUp: () => undefined,
    ledger: createFindingLedger(),
    memory: service.memory,
    onFinding: () => undefined,
  };
  return { run, sent };
}

/** Runs a case of so many creates on a service, and confirms the first finding that it shows. */
async function confirm(creates: number, service: Parameters<typeof createRun>[0]) {
  const { run, sent } = createRun(service);
  const testCase = Array.from({ length: creates }, (_, index) => `fern of ${index} leaves`);
  const { findings, recordsOf } = await runCase(run, testCase, { far: false });
  const [finding] = findings;
  expect.assert(finding !== undefined);
  const before = sent.length;
  const confirmation = await confirmFinding(run, {
    finding,
    testCase,
    path: '0',
    records: recordsOf(finding),
    isExplained: false,
    besides: [],
  });
  const { seen, tried, records } = confirmation;
  return { check: finding.check, seen, tried, shownBy: records.length, again: sent.slice(before) };
}

test.each([
  ['undeclared-constraint', refused],
  ['undeclared-status', respond(422, { error: 422, message: 'no' })],
  ['echo', respond(200, { name: 'moss' })],
])('does not confirm %s by a case of which a live store holds one key each time', async (check, answer) => {
  const found = await confirm(25, (plant) => (isHeld(plant) ? answer : respond(200, { name: plant.name })));
  expect(found.check).toBe(check);
  expect(found.seen).toBeLessThan(found.tried);
});

test.each([
  ['undeclared-constraint', refused],
  ['echo', respond(200, { name: 'moss' })],
])('confirms %s by the one request where it comes back for every key', async (check, answer) => {
  const found = await confirm(8, ({ name }) => (name.includes('3') ? answer : respond(200, { name })));
  expect(found).toMatchObject({ check, shownBy: 1 });
  expect(found.seen).toBeGreaterThanOrEqual(3);
  expect(found.seen).toBe(found.tried);
  expect(new Set(found.again.map(({ name }) => name))).toEqual(new Set(['fern of 3 leaves']));
  expect(new Set(found.again.map(({ id }) => id)).size).toBe(found.tried);
});

test.each([
  ['undeclared-constraint', refused],
  ['echo', respond(200, { name: 'moss' })],
])('confirms %s by the whole case where it shows only among other requests', async (check, answer) => {
  const found = await confirm(8, ({ name }, underWay) => (underWay > 1 ? answer : respond(200, { name })));
  expect(found).toMatchObject({ check, shownBy: 8 });
  expect(found.seen).toBeGreaterThanOrEqual(3);
  expect(found.seen).toBe(found.tried);
});

test('confirms an echo by the whole case where its key, sent again, is refused as one that was created', async () => {
  const created = new Set<number>();
  const found = await confirm(8, ({ id, name }, underWay) => {
    if (created.has(id)) return refused;
    created.add(id);
    return respond(200, { name: underWay > 1 ? 'moss' : name });
  });
  expect(found).toMatchObject({ check: 'echo', shownBy: 8 });
  expect(found.seen).toBe(found.tried);
});

const limits = { least: 3, most: 16 };

test('asks for the least where every plain body was taken, or none was sent', () => {
  expect(triesAgainstChance({ sent: 400, accepted: 400 }, limits)).toBe(3);
  expect(triesAgainstChance({ sent: 0, accepted: 0 }, limits)).toBe(3);
});

test('asks for more the more keys a store holds already', () => {
  expect(triesAgainstChance({ sent: 400, accepted: 396 }, limits)).toBe(3);
  expect(triesAgainstChance({ sent: 400, accepted: 280 }, limits)).toBe(10);
  expect(triesAgainstChance({ sent: 400, accepted: 200 }, limits)).toBe(16);
});

test('asks for more while few were sent, though all of them were taken', () => {
  expect(triesAgainstChance({ sent: 1, accepted: 1 }, limits)).toBe(11);
  expect(triesAgainstChance({ sent: 8, accepted: 8 }, limits)).toBe(6);
  expect(triesAgainstChance({ sent: 20, accepted: 20 }, limits)).toBe(3);
});

test('keeps to the most where nothing was taken', () => {
  expect(triesAgainstChance({ sent: 4, accepted: 0 }, limits)).toBe(16);
});
