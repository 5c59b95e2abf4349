import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mutateBytes } from './mutate.js';
import { startCommand } from './start-command.js';

const document = fileURLToPath(new URL('../../fixtures/documents/baskets.yaml', import.meta.url));
/** Requests between two checks, and rounds until logs are full and code is compiled. */
const [perRound, warmRounds] = [40, 8];
/** A request may take this long on a busy machine. */
const answeredMs = 30_000;
/** A stall is reported this long after a response, at the latest. */
const reportedMs = 30;

const [jsonPatch, mergePatch] = ['application/json-patch+json', 'application/merge-patch+json'];
const [json, form] = ['application/json', 'application/x-www-form-urlencoded'];
const boundary = 'cloche-fuzz';
const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const membersOf = (count, value) => Object.fromEntries(repeat(count, (index) => [`k${index}`, value]));
/** The items at the start of each round. The last one is for plain requests. */
const items = [
  { name: 'list', list: repeat(300_000, () => 0), tags: [], map: {}, a: {} },
  { name: 'map', list: [[]], tags: ['a'], map: membersOf(40_000, 1), a: { b: {} } },
  {
    name: 'x'.repeat(20_000),
    list: repeat(2_000, (index) => ({ index })),
    tags: repeat(1_000, String),
    map: {},
    a: {},
  },
  { name: 'plain', price: 1 },
];
const places = [
  '', '/', '/list', '/list/0', '/list/-', '/list/1', '/list/299999', '/list/01', '/list/-1', '/list/4294967295',
  '/list/99999999999999999999', '/list/1e3', '/map', '/map/k1', '/map/__proto__', '/map/4294967294', '/map/~0~1', '/~2',
  '/a~', 'a', '/a', '/a/b', '/tags', '/tags/-', '/name', '/id', '/__proto__', '/constructor/prototype', '/missing/b',
  '/list/0/index', `/a${'/b'.repeat(600)}`, '/\ud800',
]; // prettier-ignore
const words = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '~2',
  '%',
  '%5B',
  '&',
  '=',
  '1e999',
  '1.0',
  '-0',
  '__proto__',
  '"\\ud800"',
  '\0',
  'null',
];

/** A nest of arrays or objects, as text: JSON.stringify would fail on the deepest. */
const nest = (levels, [open, close]) => open.repeat(levels) + close.repeat(levels);

/** @param {import('./mutate.js').Random} random */
function createValues(random) {
  const count = () => random.pick([1, 2, 5, 30, 500, 5_000, 24_000]);
  const value = () =>
    random.pick([
      () => null,
      () => 0,
      () => 1.5,
      () => 'x'.repeat(random.pick([0, 1, 50, 5_000])),
      () => [],
      () => ({}),
      () => repeat(random.below(30), () => ({ a: [] })),
      () => membersOf(random.below(30), ''),
      () => JSON.parse('{"__proto__":{"polluted":1},"toString":1}'),
      () => JSON.parse(nest(random.below(400), '[]') || '0'),
    ])();
  return { count, value };
}

/** @param {import('./mutate.js').Random} random */
function createPatches(random) {
  const { count, value } = createValues(random);
  const operation = () => ({
    op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'toString']),
    path: random.pick(places),
    from: random.pick(places),
    value: value(),
  });
  const patch = () => JSON.stringify(random.pick([
    // One operation again and again, then some in turn, then copies that grow.
    () => repeat(count(), operation).slice(0, 2_000),
    () => ((each) => repeat(count(), () => each))({ ...operation(), value: random.below(9) }),
    () => repeat(count(), (index) => ({ op: 'copy', from: random.pick(['', '/a', '/map', '/list', '/name']), path: `/a/${index}` })),
    () => repeat(count(), (index) => ({ op: random.pick(['add', 'replace']), path: random.pick([`/map/k${index}`, `/list/${index * 7}`, `/map/${index * 999}`]), value: 1 })),
    () => repeat(count(), (index) => ({ op: 'move', from: `/map/k${index}`, path: `/map/k${index + 1}` })),
    () => repeat(count(), () => ({ op: 'test', path: random.pick(['/map', '/list', '/tags']), value: items[random.below(3)].tags })),
  ])()); // prettier-ignore
  const merge = () => random.pick([
    () => JSON.stringify(membersOf(count() * 2, random.pick([null, 0, '', {}]))),
    () => JSON.stringify({ map: membersOf(count() * 2, random.pick([null, 0, 'x', {}])) }),
    () => JSON.stringify({ list: repeat(count() * 10, () => 0), a: value() }),
    () => `{"a":${nest(random.below(700), ['{"b":', '}']).replace('}', '0}')}}`,
    () => JSON.stringify({ a: { [`x${random.below(1e9)}`]: 'x'.repeat(random.below(300_000)) } }),
    () => `{"list":[1.0${',0'.repeat(random.below(400_000))}]}`,
    () => JSON.stringify({ name: value(), price: value(), tags: value(), list: value(), map: value(), a: value() }),
  ])(); // prettier-ignore
  return { patch, merge };
}

/** @param {import('./mutate.js').Random} random */
function createGenerators(random) {
  const { count } = createValues(random);
  const { patch, merge } = createPatches(random);
  const fields = (name) =>
    repeat(Math.min(count(), 9_999), (index) => `${name(index)}=${random.below(9)}`).join('&');
  const names = () => random.pick([
    (index) => `a[${index}]${'[b]'.repeat(14)}`,
    (index) => `a${'[b]'.repeat(random.below(40))}[${index}]`,
    () => 'tags[]',
    (index) => `list[${index * 1e6}]`,
    (index) => `map[k${index}][__proto__]`,
    () => random.pick(['a[', 'a]', '[a]', 'a[]]', 'a[[', '__proto__[a]', 'map[constructor][prototype]', '']),
    (index) => `x${index}`,
  ]); // prettier-ignore
  const parts = (name) => `${repeat(Math.min(count(), 5_000), (index) => `--${boundary}\r\nContent-Disposition: form-data; name="${name(index)}"\r\n\r\n${random.below(9)}\r\n`).join('')}--${boundary}--\r\n`; // prettier-ignore
  const item = () => `/baskets/${1 + random.below(3)}`;
  const query = () => random.pick([
    () => `sort=${repeat(random.below(900), () => random.pick(['name', '-name', 'map', 'list', 'price', 'tags'])).join(',')}&limit=2`,
    () => `q=${repeat(random.below(900), (index) => index).join('&q=')}`,
    () => `price=${repeat(random.below(900), (index) => `${index}.0`).join('&price=')}`,
    () => `sort=name&limit=1&x=${'y'.repeat(random.below(9_000))}`,
  ])(); // prettier-ignore
  return [
    () => ['PATCH', item(), jsonPatch, patch()],
    () => ['PATCH', item(), jsonPatch, patch()],
    () => ['PATCH', item(), mergePatch, merge()],
    () => ['PATCH', item(), json, merge()],
    () => ['PATCH', item(), form, fields(names())],
    () => ['PUT', item(), random.pick([json, form]), random.pick([merge(), fields(names())])],
    () => ['POST', '/baskets', form, fields(names())],
    () => ['POST', '/baskets', `multipart/form-data; boundary=${boundary}`, parts(names())],
    () => ['GET', `/baskets?${query()}`],
  ];
}

/**
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong
 */
export async function fuzzPatch({ random, isOver }) {
  const command = await startCommand(['mock', document, '--port', '0', '--log', 'json']);
  const generators = createGenerators(random);
  const problems = new Set();
  const statuses = new Map();
  let [sent, rounds, what] = [0, 0, ''];
  let longest = { ms: 0, what };
  command.child.on('message', ({ stalledMs }) => {
    if (rounds >= warmRounds && stalledMs > longest.ms) longest = { ms: stalledMs, what };
  });

  const send = (method, target, type, body) =>
    fetch(`http://127.0.0.1:${command.port}${target}`, {
      method,
      body,
      headers: type === undefined ? {} : { 'Content-Type': type },
      signal: AbortSignal.timeout(answeredMs),
    }).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error) => ({ status: error.cause?.code ?? error.name, text: '' }),
    );

  while (!isOver() && command.isRunning() && problems.size === 0) {
    await send('POST', '/__cloche/reset');
    for (const item of items) await send('POST', '/baskets', json, JSON.stringify(item));
    for (let left = perRound; left > 0 && !isOver(); left -= 1) {
      const [method, target, type, body] = random.pick(generators)();
      const isMutated = body !== undefined && random.below(4) === 0;
      const content = isMutated ? mutateBytes(Buffer.from(body), random, words) : body;
      what = `${method} ${target.slice(0, 60)} ${type ?? ''} ${String(content ?? '').slice(0, 160)}`;
      const { status } = await send(method, target, type, content);
      await sleep(reportedMs);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      if (typeof status === 'string' || status >= 500) problems.add(`${status} for ${what}`);
    }
    const plain = await send('GET', '/baskets/4');
    const listed = await send('GET', '/baskets?name=plain&limit=1');
    if (
      plain.status !== 200 ||
      JSON.parse(plain.text).name !== 'plain' ||
      listed.text !== `[${plain.text}]`
    ) {
      problems.add(`after ${sent} requests plain ones were answered ${plain.status} and ${listed.status}`);
    }
    rounds += 1;
    if (rounds >= warmRounds) command.markWarm();
  }
  for (const problem of command.findProblems()) problems.add(problem);
  const table = [...statuses].map(([status, count]) => `${status}: ${count}`).toSorted();
  process.stdout.write(
    `${sent} requests (${table.join(', ')}); the longest stall ${longest.ms} ms (${longest.what}); ${command.describe()}\n`,
  );
  command.child.kill();
  return [...problems];
}
