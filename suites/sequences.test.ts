import { parseJson } from '../src/json/parse.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { KeyPlaceholder, RequestCase } from '../src/arbitrary/request-case.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunFinding, RunResult } from '../src/events/events.ts';
import type { Answer, HttpRequest, Send } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { createPolicy, defaultPolicy } from '../src/policy/policy.ts';
import type { Suite } from '../src/runner/suite.ts';
import { concurrency } from './concurrency.ts';
import { sequences, type StoreSteps } from './sequences.ts';

const contract = await loadContract(undefined, { followReferences: false });

function textOf(body: Uint8Array | undefined): string {
  return new TextDecoder().decode(body);
}

function keyOf(request: HttpRequest): string {
  return /"id":(\d+)/u.exec(textOf(request.body))?.[1] ?? '';
}

function respond(status: number, text: string): Answer {
  const body = new TextEncoder().encode(text);
  return { kind: 'response', response: { status, headers: [['Content-Type', 'application/json']], body } };
}

const refused = respond(400, '{"error":400,"message":"no"}');

function wasAccepted(answer: Answer): boolean {
  return answer.kind === 'response' && answer.response.status === 200;
}

/** A turn of the event loop, in which other requests come. */
function phase(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Runs suites on the mock, with something between the two that changes some answers. */
async function run(
  suites: readonly Suite[],
  change: (request: HttpRequest, mock: () => Promise<Answer>) => Answer | Promise<Answer>,
): Promise<RunResult> {
  const mock = await createMock(contract, {
    tokens: [mockToken],
    policy: createPolicy({ 'accepted-tokens': 'listed' }),
  });
  const send: Send = async (request, options) => {
    await phase();
    return change(request, async () => mock.send(request, options));
  };
  return runOnMock({ mock, send, suites, enforced: false, runs: 100 });
}

function tell({ findings }: RunResult): readonly string[] {
  return findings.map(({ finding: { level, check, cause } }) => `${level} ${check}: ${cause}`);
}

/** The bodies of the requests of a finding, keys numbered in the order in which they come. */
function show({ requests }: RunFinding): readonly string[] {
  const keys = [...new Set(requests.map(keyOf))];
  return requests.map((request) =>
    textOf(request.body).replace(/"id":\d+/u, `"id":${keys.indexOf(keyOf(request)) + 1}`),
  );
}

test('finds a service that answers every second plain create otherwise, with one request twice', async () => {
  let count = 0;
  const result = await run([sequences], (request, mock) => {
    count += 1;
    return count % 2 === 0 && /"name":"\w+","id":\d+\}$/u.test(textOf(request.body)) ? refused : mock();
  });
  const found = result.findings.find(({ finding }) => finding.check === 'equal-requests');
  expect(found?.finding.level).toBe('violation');
  expect(found && show(found).slice(-2)).toEqual(
    Array.from({ length: 2 }, () => found && show(found).at(-1)),
  );
});

test('finds a service that refuses whatever comes after a key that existed', async () => {
  const keys = new Set<string>();
  let isAborted = false;
  const result = await run([sequences], async (request, mock) => {
    if (isAborted) {
      isAborted = false;
      return refused;
    }
    const answer = await mock();
    isAborted = keys.has(keyOf(request)) && !wasAccepted(answer);
    if (wasAccepted(answer)) {
      keys.add(keyOf(request));
    }
    return answer;
  });
  const found = result.findings.find(({ finding }) => finding.check === 'equal-requests');
  expect(found?.confirmed.seen).toBe(found?.confirmed.tried);
  expect(found?.requests.length).toBeLessThan(6);
});

test('warns of a service that forgets the oldest of what it keeps, with few requests', async () => {
  const kept: string[] = [];
  const result = await run([sequences], (request) => {
    const key = keyOf(request);
    const { kind } = parseJson(textOf(request.body));
    if (kind !== 'json' || !request.headers.some(([name]) => name === 'Authorization')) return refused;
    if (kept.includes(key)) return refused;
    kept.push(key);
    kept.splice(0, kept.length - 10);
    const { name, tag } = JSON.parse(textOf(request.body)) as { name: string; tag?: string };
    return respond(200, JSON.stringify({ name, tag }));
  });
  const found = result.findings.find(({ finding }) => finding.check === 'forgotten-key');
  expect(found?.finding.level).toBe('warning');
  expect(found?.requests.length).toBeLessThan(20);
  const shown = found === undefined ? [] : show(found);
  expect(shown.at(-1)).toBe(shown[0]);
});

test('shows a failure that takes a history with that history', async () => {
  const refusals = new Map<string, number>();
  const result = await run([sequences], async (request, mock) => {
    const answer = await mock();
    const count = (refusals.get(keyOf(request)) ?? 0) + (wasAccepted(answer) ? 0 : 1);
    refusals.set(keyOf(request), count);
    return count === 4 ? respond(500, '{"error":500,"message":"no"}') : answer;
  });
  const [found] = result.findings;
  expect(found?.finding.check).toBe('server-error');
  expect(found && show(found)).toEqual(Array.from({ length: 5 }, () => '{"name":"aaa","id":1}'));
});

test('warns of a service that asks for a key and creates it a moment later, with requests side by side', async () => {
  const keys = new Set<string>();
  const result = await run([concurrency], async (request) => {
    const key = keyOf(request);
    if (keys.has(key)) return refused;
    await phase();
    keys.add(key);
    const { name, tag } = JSON.parse(textOf(request.body)) as { name: string; tag?: string };
    return respond(200, JSON.stringify({ name, tag }));
  });
  expect(tell(result)).toEqual(['warning race: taken twice']);
  const [found] = result.findings;
  expect(found?.sideBySide).toBe(true);
  expect(new Set(found?.requests.map(keyOf)).size).toBe(1);
  expect(found?.requests).toHaveLength(2);
});

test('finds answers that are given to the wrong request, with that request and the other', async () => {
  let saving: Promise<Answer> | undefined;
  const result = await run([concurrency], async (_request, mock) => {
    saving ??= phase().then(() => {
      saving = undefined;
      return mock();
    });
    return saving;
  });
  const found = result.findings.find(({ finding }) => finding.check === 'cross-talk');
  expect(found?.finding.level).toBe('violation');
  expect(found?.requests).toHaveLength(2);
  expect(found?.sideBySide).toBe(true);
});

test.each(['refuse', 'conflict', 'replace', 'keep-first', 'accept'] as const)(
  'says nothing of a service that answers out of order, and a repeated key by %s',
  async (answer) => {
    const mock = await createMock(contract, {
      tokens: [mockToken],
      policy: createPolicy({ 'accepted-tokens': 'listed', 'duplicate-key': answer }),
    });
    let sent = 0;
    const send: Send = async (request, options) => {
      sent += 1;
      const mutex = sent % 5;
      const got = await mock.send(request, options);
      for (let waited = 0; waited < mutex; waited += 1) {
        await phase();
      }
      return got;
    };
    const result = await runOnMock({
      mock,
      send,
      suites: [sequences, concurrency],
      enforced: false,
      runs: 100,
    });
    expect(tell(result)).toEqual([]);
    const race = result.properties.find(({ property }) => property.endsWith('.race'));
    expect(race?.verdict).toBe(answer === 'refuse' || answer === 'conflict' ? 'held' : 'unjudged');
  },
);

test('does not race where names have to be unique, and takes no refusal for a difference', async () => {
  const names = new Set<string>();
  const result = await run([sequences], async (request, mock) => {
    const name = /"name":"([^"]*)"/u.exec(textOf(request.body))?.[1] ?? '';
    const answer = names.has(name) ? refused : await mock();
    if (wasAccepted(answer)) {
      names.add(name);
    }
    return answer;
  });
  expect(tell(result).filter((text) => text.startsWith('violation'))).toEqual([]);
});

test('makes random sequences of many commands, each key its own', () => {
  const plan = sequences.plan({ contract, policy: defaultPolicy, unsafeMethods: false });
  const [property] = plan.kind === 'properties' ? plan.properties : [];
  // `as`: the property runs steps.
  const made = fc.sample(property?.arbitrary ?? fc.constant([]), { seed: 5, numRuns: 40 }) as StoreSteps[];
  const classes = new Set(
    made
      .flat()
      .flatMap(({ request }) =>
        (request.body ?? []).flatMap((part) =>
          typeof part === 'object' && 'slot' in part ? [part.variant] : [],
        ),
      ),
  );
  expect(classes).toEqual(
    new Set<KeyPlaceholder['variant']>(['itself', 'double-collision', 'int32-collision']),
  );
  expect(Math.min(...made.map((steps) => steps.length))).toBeGreaterThan(5);
  expect(Math.max(...made.map((steps) => steps.length))).toBeLessThan(120);
  const isRefused = ({ credentials }: RequestCase): boolean => credentials.kind !== 'good';
  expect(made.flat().some(({ request }) => isRefused(request))).toBe(true);
});
