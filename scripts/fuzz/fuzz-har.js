import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPlaces, mutateBytes } from './mutate.js';
import { ask, startReader } from './reader.js';
import { observe, stallReporter } from './start-command.js';

const reader = fileURLToPath(new URL('read-recordings.js', import.meta.url));
const recordings = fileURLToPath(new URL('../../fixtures/traffic/', import.meta.url));
const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));
/** After this many recordings of a process, its code is compiled, and the memory in use is the measure of growth. */
const warmAfter = 500;
/** A repeated part has at most this many characters, so that it takes no time that would be taken for a stall. */
const mostRepeated = 30_000;

/** Reads, creates and deletes a project. */
function createRecording() {
  const project = '{"id":"7","name":"Ada","status":"open"}';
  const headers = [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'Authorization', value: 'Bearer the-token-of-the-recording' },
    { name: 'Cookie', value: 'sid=the-session; theme=dark' },
  ];
  const steps = [
    ['POST', '', project, 201, project],
    ['GET', '/7', undefined, 200, project],
    ['GET', '?limit=2&status=open&token=the-key', undefined, 200, `{"items":[${project}],"total":1}`],
    ['PATCH', '/7', '{"name":null}', 400, '{"error":"no"}'],
    ['DELETE', '/7', undefined, 204, ''],
    ['GET', '/7', undefined, 404, '{"error":"no"}'],
  ];
  const entries = steps.map(([method, rest, sent, status, text], index) => ({
    startedDateTime: new Date(index * 1_000).toISOString(),
    time: 9,
    request: {
      method,
      url: `https://a.example/v1/projects${rest}`,
      headers,
      bodySize: sent?.length ?? 0,
      ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      status,
      headers: [...headers.slice(0, 1), { name: 'Set-Cookie', value: 'sid=the-session; Path=/' }],
      content: { size: text.length, mimeType: 'application/json', text },
      bodySize: text.length,
    },
  }));
  return { log: { version: '1.2', entries } };
}

const words = [
  '\\u0000',
  '\\ud800',
  '\\r\\n',
  '\\n'.repeat(500),
  '%',
  '%2F',
  '/..',
  '"',
  '[[[[',
  '1e999',
  '__proto__',
  'constructor',
  '[secret]',
  'the-token-of-the-recording',
  '\xff\xfe',
  '9007199254740993',
];
const values = [
  null,
  true,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\0',
  '\uD800',
  '[secret]',
  '%',
  '%00',
  '{"id":1',
  '[[[[[',
  '1e400',
  '-0',
  'Basic !!!',
  'Bearer ',
  'a=b;'.repeat(2_000),
  'x'.repeat(20_000),
  '?a=b&'.repeat(2_000),
  ' '.repeat(20_000),
  ','.repeat(20_000),
  'a\n'.repeat(2_000),
  'https://[::1',
  'https://a.example/v1/projects/%E0%A4',
  'file:///etc/hosts',
  'PROPFIND',
  'application/json; charset="',
  'multipart/form-data; boundary=a',
  'base64',
  'bytes=0-,1-',
  '9999-99-99',
  '+275760-09-13T00:00:00.001Z',
  [],
  {},
  [[]],
  [null],
  { name: 'X-Api-Key', value: 'the-token-of-the-recording' },
];

/** Changes some places of a recording. */
function mutateTree(root, random) {
  const changed = structuredClone(root);
  for (let often = 1 + random.below(4); often > 0; often -= 1) {
    const places = listPlaces(changed);
    if (places.length === 0) break;
    const { holder, key } = random.pick(places);
    const other = random.pick(places);
    const copy = structuredClone(other.holder[other.key]);
    random.pick([
      () => (holder[key] = structuredClone(random.pick(values))),
      () => (holder[key] = copy),
      () => delete holder[key],
      () => (holder[`${key}2`] = copy),
      () => {
        if (!Array.isArray(holder)) return;
        const length = 1 + (JSON.stringify(holder[key])?.length ?? 0);
        const part = Array.from({ length: random.below(mostRepeated / length) }, () => holder[key]);
        holder.splice(Number(key), 0, ...structuredClone(part));
      },
    ])();
  }
  return JSON.stringify(changed);
}

/**
 * Has a process judge mutated recordings.
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong, with the file that holds the recording
 */
export async function fuzzHar({ random, isOver }) {
  const shared = readdirSync(recordings)
    .filter((name) => name.endsWith('.har'))
    .map((name) => ({ text: readFileSync(join(recordings, name)) }));
  const seeds = [...shared, { text: Buffer.from(JSON.stringify(createRecording())), document }];
  const folder = mkdtempSync(join(tmpdir(), 'cloche-fuzz-'));
  const problems = new Map();
  const counts = { checked: 0, refused: 0, wrong: 0 };
  let [reading, observed, read, readBefore] = [undefined, undefined, 0, 0];
  while (!isOver()) {
    if (reading === undefined) {
      reading = startReader(reader, ['--import', stallReporter]);
      observed = observe(reading.child);
      await ask(reading);
      readBefore = read;
    }
    read += 1;
    const seed = random.pick(seeds);
    const path = join(folder, `${read % 1_000}.har`);
    const isText = random.below(4) === 0;
    writeFileSync(
      path,
      isText ? mutateBytes(seed.text, random, words) : mutateTree(JSON.parse(seed.text), random),
    );
    const report = random.pick([
      'json',
      'html',
      'har',
      'junit',
      'github',
      'gitlab',
      'sarif',
      'markdown',
      'ctrf',
    ]);
    const said = await ask(reading, {
      files: [path],
      document: seed.document,
      'base-url': random.pick([undefined, undefined, 'https://a.example/v1']),
      token: random.pick([[], ['the-token-of-the-recording']]),
      report: [`${report}=${join(folder, `report.${report}`)}`],
    });
    if (read - readBefore === warmAfter) observed.markWarm();
    const stalls = read - readBefore < warmAfter ? [] : observed.findProblems();
    if (said === 'checked' || said === 'refused') {
      counts[said] += 1;
      if (stalls.length === 0) continue;
    }
    counts.wrong += 1;
    const what = [said, ...stalls].join('; ');
    // The same fault of many recordings is told once.
    const cause = what.split('\n').slice(0, 3).join(' ').replaceAll(/\d+/gu, '…');
    const kept = join(folder, `wrong-${counts.wrong}.har`);
    if (!problems.has(cause)) {
      writeFileSync(kept, readFileSync(path));
      problems.set(cause, `${kept}: ${what.slice(0, 600)}`);
    }
    if (said.startsWith('failed') && stalls.length === 0) continue;
    reading.child.kill('SIGKILL');
    reading = undefined;
  }
  process.stdout.write(
    `${read} recordings: ${counts.checked} judged, ${counts.refused} refused, ${counts.wrong} otherwise; ${observed?.describe()}\n`,
  );
  reading?.child.kill();
  return [...problems.values()];
}
