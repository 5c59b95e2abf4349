import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOpenService } from '../../fixtures/create-open-service.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { repeatedKeys } from '../../suites/repeated-keys.ts';
import { sequences } from '../../suites/sequences.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { buildRequest } from '../arbitrary/request.ts';
import { findingId } from '../check/finding.ts';
import { loadContract } from '../contract/load.ts';
import { createFindingLedger } from '../events/ledger.ts';
import type { Answer, HttpRequest, Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { Sender } from '../session/send-case.ts';
import { PropertySearch } from './property.ts';
import type { PropertyFinding } from './search.ts';
import type { Property } from './suite.ts';

/** How often a mock that hangs on keys that it knows was sent one, and what a run on it found. */
async function runOnHang(suites: Parameters<typeof runOnMock>[0]['suites']) {
  const mock = await createMock(undefined, { tokens: [mockToken] });
  let hangs = 0;
  const send: Send = async (request, options) => {
    const answer = await mock.send(request, options);
    const isKnown = answer.kind === 'response' && answer.response.status === 400;
    hangs += isKnown ? 1 : 0;
    return isKnown ? { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() } : answer;
  };
  const result = await runOnMock({ mock, send, enforced: false, suites: suites ?? [], runs: 30 });
  return { hangs, result };
}

test('a sequence ends at its first request that is never answered', async () => {
  const { hangs, result } = await runOnHang([sequences]);
  // Once to find it and once to confirm it.
  expect(hangs).toBe(2);
  expect(result.findings.map(({ finding }) => finding.check)).toEqual(['timed-out']);
});

test('long sequences are left out where the service is known to hang', async () => {
  const { result } = await runOnHang([validBodies, repeatedKeys, sequences]);
  expect(result.properties.at(-1)).toMatchObject({ suite: 'sequences', cases: 0, verdict: 'given-up' });
  expect(result.notChecked).toContainEqual({
    what: expect.stringMatching(/^sequences\//u),
    reason: expect.stringMatching(/^not tried, as the service hangs/u),
  });
});

const contract = await loadContract(undefined, { followReferences: false });
const [operation] = contract.operations;
const utf8 = new TextEncoder();

function respond(status: number, body: string): Answer {
  return {
    kind: 'response',
    response: { status, headers: [['Content-Type', 'application/json']], body: utf8.encode(body) },
  };
}

function echo(request: HttpRequest): Answer {
  const { name } = JSON.parse(new TextDecoder().decode(request.body)) as { name: string };
  return respond(200, JSON.stringify({ name }));
}

/** A property whose cases are names, on a service that is a function. */
async function run(input: {
  readonly service: (request: HttpRequest, name: string) => Answer;
  readonly examples?: readonly string[];
  readonly path?: string;
  readonly runs?: number;
  readonly simplify?: (name: string) => readonly string[];
}) {
  const sent: string[] = [];
  const names: string[] = [];
  const ledger = createFindingLedger();
  const service = createOpenService(contract, (request) => {
    const body = new TextDecoder().decode(request.body);
    sent.push(body);
    return Promise.resolve(input.service(request, (JSON.parse(body) as { name: string }).name));
  });
  const sender = new Sender(service, {
    onJudged: (judged) => judged.findings.forEach((finding) => ledger.count(finding)),
  });
  const property: Property<string> = {
    id: 'names',
    title: 'Names come back',
    examples: input.examples ?? [],
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 3, maxLength: 12 }),
    async run(name, opened) {
      if (operation === undefined) throw new Error('the document that ships has an operation');
      names.push(name);
      const body = [
        '{"id":',
        { slot: 0, class: 'plain', variant: 'itself' } as const,
        `,"name":${JSON.stringify(name)}}`,
      ];
      return [await opened.send(buildRequest(operation, { body }), opened.openIdContext())];
    },
    traceChecks: [],
    ...(input.simplify === undefined ? {} : { simplify: input.simplify }),
  };
  const found: PropertyFinding[] = [];
  let hangs = 0;
  const search = new PropertySearch({
    property,
    sender,
    context: service.context,
    seed: 1,
    runs: input.runs ?? 60,
    path: input.path,
    isStopped: () => hangs > 0,
    onGivenUp: () => {
      hangs += 1;
    },
    ledger,
    memory: service.memory,
    onFinding(finding) {
      found.push(finding);
      const [record] = finding.records;
      if (record !== undefined) {
        ledger.add({
          ...finding,
          id: findingId(finding.finding),
          suite: 's',
          property: 'p',
          exchange: record.judged,
          requests: [],
          replay: { seed: 1, path: finding.path },
        });
      }
    },
  });
  await search.goOnTo('all');
  const checks = found.map(({ finding }) => finding.check);
  return { found, checks, sent, names, hangs };
}

test('finds nothing on a service that is right, and tries every case', async () => {
  const { found, names } = await run({ service: echo, examples: ['abc', 'abb'] });
  expect(found).toEqual([]);
  expect(names.slice(0, 2)).toEqual(['abc', 'abb']);
  expect(names).toHaveLength(60);
});

test('makes a failing case small, and confirms it with keys that were never sent', async () => {
  const { found, sent } = await run({
    service: (request, name) => (name.includes('é') ? respond(500, '{}') : echo(request)),
  });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ finding: { check: 'server-error' }, confirmed: { seen: 1, tried: 1 } });
  const body = new TextDecoder().decode(found[0]?.records[0]?.judged.exchange.request.body);
  expect(body).toMatch(/"name":"(aaé|aéa|éaa)"/u);
  const ids = sent.map((text) => /"id":(\d+)/u.exec(text)?.[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('goes on behind a cause and finds the next', async () => {
  const { checks } = await run({
    service: (request, name) =>
      name.includes('é') ? respond(500, '{}') : name.includes('b') ? respond(201, '{}') : echo(request),
  });
  expect(checks.toSorted()).toEqual(['server-error', 'undeclared-status']);
});

test('tells of what only a smaller case shows, and of how to come back to it', async () => {
  const service = (request: HttpRequest, name: string): Answer =>
    name.length === 6 ? respond(201, '{}') : name.length === 5 ? respond(500, '{}') : echo(request);
  const examples = ['abbbba'];
  const simplify = (name: string): readonly string[] => [name.slice(2), name.slice(1)];
  const { found, checks } = await run({ service, examples, simplify, runs: 1 });
  expect(checks).toEqual(['undeclared-status', 'server-error']);
  expect(found.map(({ path }) => path)).toEqual(['0', '0:1']);
  const again = await run({ service, examples, simplify, runs: 1, path: '0:1' });
  expect(again.checks).toEqual(['server-error']);
});

test('a path replays the very case', async () => {
  const service = (request: HttpRequest, name: string): Answer =>
    name.includes('é') ? respond(500, '{}') : echo(request);
  const { found, names: all } = await run({ service });
  const { names, found: again } = await run({ service, path: found[0]?.path ?? '' });
  expect(all).toContain(names[0]);
  expect(again).toMatchObject([{ finding: { check: 'server-error' } }]);
});

test('a path replays every finding of its case', async () => {
  // An undeclared status, and no Allow beside it.
  const service = (request: HttpRequest, name: string): Answer =>
    name.includes('é') ? respond(405, '{}') : echo(request);
  const { found, checks } = await run({ service });
  expect(checks.toSorted()).toEqual(['allow', 'undeclared-status']);
  for (const { path } of found) {
    expect((await run({ service, path })).checks.toSorted()).toEqual(['allow', 'undeclared-status']);
  }
});

test('says how often a fault came back that does not always come', async () => {
  let count = 0;
  const { found } = await run({
    service: (request) => {
      count += 1;
      return count === 5 ? respond(500, '{}') : echo(request);
    },
  });
  expect(found).toMatchObject([
    { finding: { check: 'server-error', level: 'violation' }, confirmed: { seen: 0, tried: 3 } },
  ]);
});

test('a hang is sent twice, once to confirm it, and the property is given up', async () => {
  const { found, names, hangs } = await run({
    service: (request, name) =>
      name.includes('é') ? { kind: 'timed-out', afterMs: 1_000, received: new Uint8Array() } : echo(request),
  });
  expect(found).toMatchObject([{ finding: { check: 'timed-out' } }]);
  expect(names.filter((name) => name.includes('é')).length).toBe(2);
  expect(hangs).toBe(1);
});
