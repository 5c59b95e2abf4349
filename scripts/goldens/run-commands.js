import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withService } from './judge.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const main = `${root}dist/src/cli/main.js`;
const groups = ['state', 'faults', 'requests', 'snapshot', 'policy', 'clock'];

function run(words) {
  const env = { PATH: process.env.PATH, CLOCHE_TOKEN: '', COLUMNS: '' };
  return new Promise((resolve) => {
    const options = { cwd: root, env, maxBuffer: 2 ** 28 };
    execFile(process.execPath, [main, ...words], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

/** Without what is another in each run: times, ports, and where the project lies. */
function mask(text) {
  return text
    .replaceAll(root, '')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/gu, 'DATE')
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT')
    .replaceAll(/\b\d+\.\d s\b/gu, 'N s')
    .replaceAll(/\b\d+(?:\.\d+)? ms\b/gu, 'N ms')
    .replaceAll(/"(?:durationMs|startedAt|timestamp|time)": ?[^,\n]+/gu, '"TIME"');
}

function show(words, { code, stdout, stderr }) {
  return mask([`$ cloche ${words.join(' ')}`, stdout, stderr, `exit code ${code}`, '', ''].join('\n'));
}

/** Every page of help. */
export async function listHelp() {
  const pages = [];
  const one = async (words) => {
    const ended = await run([...words, '--help']);
    pages.push(show([...words, '--help'], ended));
    return ended.stdout;
  };
  await one([]);
  for (const command of ['mock', 'test', 'explain', 'learn', 'check', 'proxy', 'bundle', 'reset'])
    await one([command]);
  for (const group of groups) {
    const page = await one([group]);
    const actions = [...page.matchAll(new RegExp(`^ +\\S* ?${group} ([a-z]+)\\b`, 'gmu'))].map(
      ([, name]) => name,
    );
    for (const action of new Set(actions)) await one([group, action]);
  }
  return pages.join('');
}

const seeded = ['--seed', '7', '--runs', '30', '--connections', '1', '--ids', '1000-2000000'];

/** Runs with a seed: of the mock in process, of services of the catalogue, of other documents and commands. */
export async function listRuns() {
  const shown = [];
  const add = async (words) => shown.push(show(words, await run(words)));
  const documents = readdirSync(`${root}fixtures/documents`)
    .filter((name) => /\.(?:yaml|json)$/u.test(name))
    .map((name) => `fixtures/documents/${name}`);
  await add(['test', ...seeded, '--coverage']);
  for (const document of documents) {
    await add(['test', '-d', document, ...seeded]);
    await add(['explain', document]);
    await add(['bundle', document]);
  }
  for (const har of readdirSync(`${root}fixtures/traffic`).filter((name) => name.endsWith('.har'))) {
    await add(['check', `fixtures/traffic/${har}`]);
  }
  await add([
    'learn',
    'http://127.0.0.1:1',
    '--token',
    'the-token-of-the-goldens',
    '--ids',
    '1000-2000000',
    '--dry-run',
  ]);
  const services = [
    'plant-store',
    '500-on-empty-tag',
    'tag-dropped',
    'ids-past-int64-taken',
    'name-and-tag-swapped',
    '401-without-www-authenticate',
    'keeps-last-twenty',
    'html-for-long-body',
    'tag-leaked',
    'chunks-unread',
  ];
  for (const id of services) {
    await withService(id, async (url) => {
      const service = [url, '--token', 'the-token-of-the-goldens'];
      await add(['test', ...service, ...seeded]);
      await add(['test', ...service, ...seeded, '--suite', 'valid-bodies', '--report', 'json']);
    });
  }
  return shown.join('');
}

/** How large what is built is, a file a line, and the whole. */
export function listSizes() {
  const files = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  // The names of chunks follow from what is in them.
  const size = (name) => statSync(`${root}dist/${name}`).size;
  const rounded = (bytes) => `${Math.round(bytes / 1_024)} KiB`;
  const entries = files.filter((name) => !name.startsWith('chunks/')).toSorted();
  const all = files.reduce((sum, name) => sum + size(name), 0);
  return [...entries.map((name) => `${name} ${rounded(size(name))}`), `all ${rounded(all)}`, ''].join('\n');
}
