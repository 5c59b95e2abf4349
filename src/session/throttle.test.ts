import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Answer, HeaderList } from '../http/message.ts';
import { createThrottle, runSideBySide } from './throttle.ts';

const request = { method: 'GET', target: '/', headers: [], body: undefined };

function answer(status: number, headers: HeaderList = []): Answer {
  return { kind: 'response', response: { status, headers, body: new Uint8Array() } };
}

afterEach(() => {
  vi.useRealTimers();
});

function open(answers: Answer[], rateWaitMs = 10_000) {
  const waits: [number, number][] = [];
  let sent = 0;
  const throttled = createThrottle({
    target: 'a service',
    rate: undefined,
    rateWaitMs,
    onWait: (status, ms) => waits.push([status, ms]),
  });
  const send = throttled(
    () => {
      sent += 1;
      return Promise.resolve(answers.shift() ?? answer(200));
    },
    { waits: true },
  );
  return { send, waits, sent: () => sent };
}

test('gives the event loop turns although every request is answered at once', async () => {
  const { send, sent } = open([]);
  const interruption = new AbortController();
  void setImmediate().then(() => interruption.abort());
  const sendMany = async (): Promise<void> => {
    for (let tried = 0; tried < 1_000 && !interruption.signal.aborted; tried += 1) await send(request);
  };
  await Promise.all([sendMany(), sendMany()]);
  expect(sent()).toBeLessThan(500);
});

test('sends again at once what Retry-After puts off by nothing', async () => {
  const { send, waits, sent } = open([
    answer(429, [['Retry-After', '0']]),
    answer(503, [['retry-after', '0']]),
  ]);
  expect(await send(request)).toEqual(answer(200));
  expect(sent()).toBe(3);
  expect(waits).toEqual([]);
});

test.each(['0', '-5', 'Wed, 21 Oct 2015 07:28:00 GMT'])(
  'backs off from a service that puts off by nothing (%s) without end',
  async (value) => {
    const { send, waits, sent } = open(
      Array.from({ length: 100 }, () => answer(429, [['Retry-After', value]])),
      1_000,
    );
    await expect(send(request)).rejects.toThrow('it still answers 429 after 1 s of waiting');
    expect(waits).toEqual([
      [429, 250],
      [429, 500],
    ]);
    expect(sent()).toBe(5);
  },
);

test('backs off where the service names no time', async () => {
  const { send, waits } = open([answer(503), answer(503)]);
  await send(request);
  expect(waits).toEqual([
    [503, 250],
    [503, 500],
  ]);
});

test('cannot judge a service that never stops putting requests off', async () => {
  const { send } = open(
    Array.from({ length: 9 }, () => answer(429, [['Retry-After', '2']])),
    1_000,
  );
  await expect(send(request)).rejects.toThrow(
    'Failed to judge "a service": it still answers 429 after 0 s of waiting. Slow the run down with --rate or --connections, or wait longer with --rate-wait.',
  );
});

test('hands any other answer over as it came', async () => {
  const { send, waits } = open([answer(500)]);
  expect(await send(request)).toEqual(answer(500));
  expect(waits).toEqual([]);
});

test('keeps the time that all the sends together have waited', async () => {
  const throttled = createThrottle({
    target: 'a service',
    rate: undefined,
    rateWaitMs: 300,
    onWait: () => undefined,
  });
  const busy = [answer(503), answer(200), answer(503)];
  const send = () => Promise.resolve(busy.shift() ?? answer(200));
  const [first, second] = [throttled(send, { waits: true }), throttled(send, { waits: true })];
  expect(await first(request)).toEqual(answer(200));
  await expect(second(request)).rejects.toThrow('it still answers 503');
});

test('takes a 429 for the answer where it is told not to wait', async () => {
  const throttled = createThrottle({
    target: 'a service',
    rate: undefined,
    rateWaitMs: 0,
    onWait: () => {
      throw new Error('nothing is waited for');
    },
  });
  const send = throttled(() => Promise.resolve(answer(429)), { waits: false });
  expect(await send(request)).toEqual(answer(429));
});

test('waits up to the date that Retry-After names', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00Z') });
  const { send, waits, sent } = open([
    answer(503, [['Retry-After', 'Sat, 21 Nov 2026 10:00:03 GMT']]),
    answer(429, [['Retry-After', '2']]),
  ]);
  const answered = send(request);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(sent()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toBe(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await answered).toEqual(answer(200));
  expect(waits).toEqual([
    [503, 3_000],
    [429, 2_000],
  ]);
});

test('keeps to the rate, however many requests are ready at once, and saves up nothing', async () => {
  vi.useFakeTimers({ now: 0 });
  const times: number[] = [];
  const send = createThrottle({ target: 'a service', rate: 10, rateWaitMs: 0, onWait: () => {} })(
    () => {
      times.push(Date.now());
      return Promise.resolve(answer(200));
    },
    { waits: true },
  );
  const first = Array.from({ length: 4 }, () => send(request));
  await vi.advanceTimersByTimeAsync(5_000);
  const second = Array.from({ length: 3 }, () => send(request));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([...first, ...second]);
  expect(times).toEqual([0, 100, 200, 300, 5_000, 5_100, 5_200]);
});

test('a request that waits for its slot waits out a pause that the service asks for meanwhile, and keeps to the rate then', async () => {
  vi.useFakeTimers({ now: 0 });
  const times: number[] = [];
  const answers = [answer(503, [['Retry-After', '2']])];
  const send = createThrottle({ target: 'a service', rate: 10, rateWaitMs: 10_000, onWait: () => {} })(
    () => {
      times.push(Date.now());
      return Promise.resolve(answers.shift() ?? answer(200));
    },
    { waits: true },
  );
  const all = Array.from({ length: 3 }, () => send(request));
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all(all);
  expect(times[0]).toBe(0);
  expect(times.slice(1).every((time) => time >= 2_000)).toBe(true);
  expect(times.slice(2).every((time, index) => time - (times[index + 1] ?? 0) >= 100)).toBe(true);
});

test('never runs two tasks of one group at the same time, and others beside them', async () => {
  const under: string[] = [];
  const together: string[] = [];
  await runSideBySide({
    tasks: ['a1', 'a2', 'b1', 'a3', 'b2'],
    atOnce: 4,
    isStopped: () => false,
    groupOf: (task) => task.slice(0, 1),
    async run(task) {
      under.push(task);
      together.push(under.toSorted().join(' '));
      await setImmediate();
      under.splice(under.indexOf(task), 1);
    },
  });
  expect(together).toEqual(['a1', 'a1 b1', 'a2 b1', 'a2 b2', 'a3 b2']);
});

test('delays one operation alone while others are answered, and gives it up', async () => {
  vi.useFakeTimers({ now: 0 });
  const sent: string[] = [];
  const throttled = createThrottle({
    target: 'a service',
    rate: undefined,
    rateWaitMs: 60_000,
    onWait: () => undefined,
    operationOf: ({ target }) => target,
    giveUp: (operation, reason) => new Error(`${operation}: ${reason}`),
  });
  const send = throttled(
    ({ target }) => {
      sent.push(`${target} ${Date.now()}`);
      return Promise.resolve(target === '/limited' ? answer(429, [['Retry-After', '60']]) : answer(200));
    },
    { waits: true },
  );
  const at = (target: string): Promise<Answer> => send({ ...request, target });
  await at('/free');
  const limited = at('/limited').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await at('/free')).toEqual(answer(200));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(String(await limited)).toContain('/limited: it still answers 429 after 60 s of waiting');
  await expect(at('/limited')).rejects.toThrow('/limited: it still answers 429');
  expect(sent).toEqual(['/free 0', '/limited 0', '/free 1000', '/limited 60000']);
});

test('delays all operations once two are put off', async () => {
  vi.useFakeTimers({ now: 0 });
  const answers: Record<string, Answer[]> = {
    '/a': [answer(200), answer(429, [['Retry-After', '10']])],
    '/b': [answer(200), answer(429, [['Retry-After', '10']])],
  };
  const sent: string[] = [];
  const send = createThrottle({
    target: 'a service',
    rate: undefined,
    rateWaitMs: 60_000,
    onWait: () => undefined,
    operationOf: ({ target }) => target,
  })(
    ({ target }) => {
      sent.push(`${target} ${Date.now()}`);
      return Promise.resolve(answers[target]?.shift() ?? answer(200));
    },
    { waits: true },
  );
  const at = (target: string): Promise<Answer> => send({ ...request, target });
  await Promise.all([at('/a'), at('/b')]);
  const putOff = Promise.all([at('/a'), at('/b')]);
  await vi.advanceTimersByTimeAsync(1_000);
  const other = at('/c');
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all([putOff, other]);
  expect(sent.at(-1)).toBe('/c 10000');
});
