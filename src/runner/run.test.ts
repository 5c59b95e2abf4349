import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import type { RunEvent, RunResult } from '../events/events.ts';
import type { Answer, HttpRequest, Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** Runs every suite on the mock, with something between the two that changes some answers. */
async function run(
  change: (request: HttpRequest, send: Send) => Answer | undefined | Promise<Answer | undefined>,
  input: { readonly policy?: Partial<Policy>; readonly emit?: (event: RunEvent) => void } = {},
): Promise<RunResult> {
  const policy = createPolicy({ 'accepted-tokens': 'listed', ...input.policy });
  const mock = await createMock(contract, { tokens: [mockToken], policy });
  const send: Send = async (request, options) =>
    (await change(request, mock.send)) ?? mock.send(request, options);
  return runOnMock({ mock, send, enforced: false, runs: 30, emit: input.emit ?? (() => undefined) });
}

function bodyOf({ body }: HttpRequest): string {
  return new TextDecoder().decode(body);
}

function respond(status: number, text: string): Extract<Answer, { kind: 'response' }> {
  const body = new TextEncoder().encode(text);
  return { kind: 'response', response: { status, headers: [['Content-Type', 'application/json']], body } };
}

/** Whether it is sent as JSON and is none. */
function isMalformed(request: HttpRequest): boolean {
  if (!request.headers.some(([name, value]) => name === 'Content-Type' && /json/iu.test(value))) return false;
  try {
    JSON.parse(bodyOf(request));
    return false;
  } catch {
    return true;
  }
}

const failure = respond(500, '{"error":500,"message":"it broke"}');
const dropped: Answer = { kind: 'dropped', reason: 'it was reset', received: new Uint8Array() };
const gone: Answer = { kind: 'unreachable', reason: 'connection refused' };

function tell({ findings }: RunResult): readonly string[] {
  return findings.map(({ finding: { check, trigger } }) => `${check} ${trigger ?? ''}`.trim());
}

function verdictOf({ properties }: RunResult, id: string): string | undefined {
  return properties.find(({ property }) => property.endsWith(`.${id}`))?.verdict;
}

test('finds one cause on a service that fails whatever it is sent', async () => {
  const result = await run(({ method }) =>
    method === 'HEAD' ? { ...failure, response: { ...failure.response, body: new Uint8Array() } } : failure,
  );
  expect(result.findings.map(({ finding }) => `${finding.check} ${finding.operation}`)).toEqual([
    'server-error createPlant',
    'server-error undeclared operations',
  ]);
  expect(result.findings.reduce((sum, { count }) => sum + count, 0)).toBe(result.requests);
});

test('says of a property what its own answers came to, whoever showed it first', async () => {
  const result = await run((request) => (isMalformed(request) ? failure : undefined));
  expect(tell(result)).toEqual(['server-error a body that is not JSON']);
  expect(verdictOf(result, 'plain')).toBe('held');
  expect(verdictOf(result, 'not-json')).toBe('broken');
  expect(verdictOf(result, 'truncated')).toBe('broken');
});

test('cannot judge a service that answers nothing', async () => {
  let sent = 0;
  const hang: Answer = { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() };
  const running = run(() => {
    sent += 1;
    return hang;
  });
  await expect(running).rejects.toThrow('does not answer POST /plants, a plain request, in time');
  expect(sent).toBe(2);
});

test.each(['accept', 'replace', 'keep-first'] as const)(
  'says that twins cannot be judged where a key that exists is answered by %s',
  async (answer) => {
    const result = await run(() => undefined, { policy: { 'duplicate-key': answer } });
    expect(verdictOf(result, 'double-twins')).toBe('unjudged');
    expect(result.notChecked).toContainEqual({
      what: expect.stringContaining('twin-keys/') as string,
      reason: expect.stringContaining('the service accepts an id that exists already') as string,
    });
  },
);

test('says that twins cannot be judged where such keys are refused', async () => {
  const result = await run((request) =>
    /\d{16}/u.test(bodyOf(request)) ? respond(400, '{"error":400,"message":"too large"}') : undefined,
  );
  expect(verdictOf(result, 'double-twins')).toBe('unjudged');
  expect(verdictOf(result, 'int32-twins')).toBe('held');
});

test('finds one cause on a service that takes twins for one', async () => {
  const keys = new Set<number>();
  const result = await run((request) => {
    const key = Number(/"id":(\d+)/u.exec(bodyOf(request))?.[1]);
    const wasAccepted = keys.has(key);
    keys.add(key);
    return wasAccepted && key > 2 ** 53 ? respond(400, '{"error":400,"message":"exists"}') : undefined;
  });
  expect(tell(result)).toEqual(['twin-keys']);
  // Two in one order, two in the other, and one key twice, which shows that the service refuses what exists.
  expect(result.findings[0]?.outcomes).toEqual(['200', '400', '200', '400', '200', '400']);
});

test('tells what it found before the service went', async () => {
  const events: RunEvent[] = [];
  let isGone = false;
  const running = run(
    (request) => {
      if (isGone) return gone;
      isGone = request.headers.some(([name, value]) => name === 'Accept' && value === 'text');
      return isGone ? dropped : isMalformed(request) ? failure : undefined;
    },
    { emit: (event) => events.push(event) },
  );
  await expect(running).rejects.toThrow('connection refused');
  const finished = events.find((event) => event.kind === 'run-finished');
  expect(finished?.result.findings.map(({ finding }) => finding.check)).toEqual(['server-error']);
  const [suspect] = finished?.result.brokenOff ?? [];
  expect(suspect?.exchange.request.headers).toContainEqual(['Accept', 'text']);
});

test('sends what may bring a service down after everything else', async () => {
  const accepts: string[] = [];
  await run((request) => {
    accepts.push(request.headers.find(([name]) => name === 'Accept')?.[1] ?? 'none');
    return undefined;
  });
  expect(accepts.slice(-2)).toEqual(['text', '']);
  expect(accepts.slice(0, -2)).not.toContain('text');
});

test('takes hangs of several properties at once for each other’s confirmation', async () => {
  let hangs = 0;
  const result = await run(async (request) => {
    if (!isMalformed(request)) return undefined;
    hangs += 1;
    // All hang as long as one time-out takes, side by side.
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    return { kind: 'timed-out', afterMs: 50, received: new Uint8Array() };
  });
  expect(tell(result)).toEqual(['timed-out a body that is not JSON']);
  // None was sent again to confirm it.
  expect(hangs).toBe(result.properties.filter(({ verdict }) => verdict === 'broken').length);
  // One came without credentials too, which may as well be what does it.
  expect(result.findings[0]?.count).toBe(hangs - 1);
  expect(verdictOf(result, 'truncated')).toBe('broken');
  expect(result.notChecked.map(({ what }) => what)).toContain('malformed-bodies/createPlant.truncated');
});

test('tells apart what fails for different reasons, each by what triggers it', async () => {
  const result = await run((request) => {
    const { name } = /"name":"(?<name>(?:[^"\\]|\\.)*)"/u.exec(bodyOf(request))?.groups ?? {};
    return name !== undefined && (name === '' || /\\u0000|\P{ASCII}/u.test(name)) ? failure : undefined;
  });
  const triggers = result.findings
    .filter(({ finding }) => finding.check === 'server-error')
    .map(({ finding }) => finding.trigger ?? 'plain')
    .filter((trigger) => trigger.startsWith('a valid body with'));
  expect(triggers.toSorted()).toEqual([
    'a valid body with NUL at /name',
    'a valid body with an empty text at /name',
    'a valid body with characters past ASCII at /name',
  ]);
});

test('takes a refusal of undeclared properties for an answer to an open question', async () => {
  const result = await run((request) => {
    const isJson = request.headers.some(([, value]) => value === 'application/json');
    const body: unknown = isJson && !isMalformed(request) ? JSON.parse(bodyOf(request)) : {};
    const isExtra = Object.keys(Object(body)).some((name) => !['id', 'name', 'tag'].includes(name));
    return isExtra ? respond(400, '{"error":400,"message":"unknown property"}') : undefined;
  });
  expect(tell(result)).toEqual([]);
});

test('lets a service close the connection on a body in chunks, which it may not understand', async () => {
  const mock = await createMock(contract, { tokens: [mockToken] });
  const send: Send = (request, options) =>
    options?.framing === 'chunked' ? Promise.resolve(dropped) : mock.send(request, options);
  const { findings } = await runOnMock({ mock, send, enforced: false, runs: 30 });
  expect(findings).toEqual([]);
});

test('gives no warnings on spellings where nothing is ever taken, and says that the token may not be good', async () => {
  const result = await run(({ method }) =>
    method === 'POST' ? respond(400, '{"error":400,"message":"who are you?"}') : undefined,
  );
  expect(tell(result)).toEqual(['never-succeeds']);
  expect(result.findings[0]?.finding.received).toContain('the token may not be good');
});

test('keeps what was broken off as a service went down, whatever was answered on its way', async () => {
  let hasBroken = false;
  let late = 0;
  const events: RunEvent[] = [];
  const running = run(
    (request, send) => {
      if (hasBroken) {
        late += 1;
        return late < 4 ? send(request) : gone;
      }
      hasBroken = bodyOf(request).includes('null');
      return hasBroken ? dropped : undefined;
    },
    { emit: (event) => events.push(event) },
  );
  await expect(running).rejects.toThrow('it went down during the run');
  expect(events.some((event) => event.kind === 'run-finished')).toBe(true);
});

test('does not blame a service for the keys that it holds since last week', async () => {
  // One in eight, whatever the keys have in common.
  const isHeld = (text: string): boolean =>
    [...(/"id":(-?\d+)/u.exec(text)?.[1] ?? '')].reduce(
      (hash, digit) => Math.imul(hash ^ digit.charCodeAt(0), 0x01_00_01_93),
      0x81_1c_9d_c5,
    ) >>>
      29 ===
    0;
  const result = await run(async (request, send) => {
    const answer = await send(request);
    return answer.kind === 'response' && answer.response.status === 200 && isHeld(bodyOf(request))
      ? respond(409, '{"error":409,"message":"it exists"}')
      : answer;
  });
  expect(tell(result)).toEqual([]);
});

test('does not blame a service that takes every second key for what it left behind', async () => {
  const result = await run((request) => {
    const key = Number(/"id":(\d+)/u.exec(bodyOf(request))?.[1] ?? 0);
    return key % 2 === 1 ? respond(400, '{"error":400,"message":"an even number, please"}') : undefined;
  });
  expect(tell(result)).not.toContain('refused-leaves-trace after a body that breaks its schema');
  expect(result.findings.filter(({ finding }) => finding.level === 'violation')).toEqual([]);
});

test('blames a service that answers 409 to every key', async () => {
  const result = await run(({ method }) =>
    method === 'POST' ? respond(409, '{"error":409,"message":"it exists"}') : undefined,
  );
  expect(tell(result)).toContain('undeclared-status');
});

test('does not find again, under another name, what something else in the same text is known to bring about', async () => {
  const result = await run((request) => {
    const { name } = /"name":"(?<name>(?:[^"\\]|\\.)*)"/u.exec(bodyOf(request))?.groups ?? {};
    return name !== undefined && /\P{ASCII}/u.test(name) ? failure : undefined;
  });
  const triggers = result.findings
    .map(({ finding }) => finding.trigger ?? 'plain')
    .filter((trigger) => trigger.startsWith('a valid body with'));
  expect(triggers).toEqual(['a valid body with characters past ASCII at /name']);
});

test('does not blame a service in which names must be unique', async () => {
  const names = new Set<string>();
  const result = await run(async (request, send) => {
    const answer = await send(request);
    const name = /"name":"(?<name>[^"]*)"/u.exec(bodyOf(request))?.[1];
    if (answer.kind !== 'response' || answer.response.status !== 200 || name === undefined) return answer;
    const isHeld = names.has(name);
    names.add(name);
    return isHeld ? respond(409, '{"error":409,"message":"the name is taken"}') : answer;
  });
  expect(result.findings.filter(({ finding }) => finding.level === 'violation')).toEqual([]);
});

test('says that a service went down only where it did', async () => {
  const events: RunEvent[] = [];
  const running = run(
    (request) => {
      if (bodyOf(request).includes('null')) throw new TypeError('the tool itself is wrong');
      return isMalformed(request) ? dropped : undefined;
    },
    { emit: (event) => events.push(event) },
  );
  await expect(running).rejects.toThrow('the tool itself is wrong');
  const finished = events.find((event) => event.kind === 'run-finished');
  expect(finished?.result.brokenOff).toEqual([]);
});
