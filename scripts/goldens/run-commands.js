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
  return (
    text
      .replaceAll(root, '')
      // A slow machine says how long a run will take.
      .replaceAll(/^[\d,]+ of up to [\d,]+ requests in \d+ s: .*\n/gmu, '')
      .replaceAll(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/gu, 'DATE')
      .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT')
      .replaceAll(/\b\d+\.\d s\b/gu, 'N s')
      .replaceAll(/\b\d+(?:\.\d+)? ms\b/gu, 'N ms')
      .replaceAll(/"(?:durationMs|startedAt|timestamp|time|p50|p95|p99|max)": ?[^,\n]+/gu, '"TIME"')
  );
}

async function show(words) {
  const { code, stdout, stderr } = await run(words);
  return mask([stdout, stderr, `exit code ${code}`].join('\n'));
}

/** A block whose name is the command. */
const toBlock = (words, use = (then) => then('')) => [
  `$ cloche ${words.join(' ')}`,
  () => use((url) => show(words.map((word) => word.replace('URL', url)))),
];

const commands = ['mock', 'test', 'explain', 'learn', 'check', 'proxy', 'bundle', 'reset'];

/** Every page of help. */
export async function listHelp() {
  const actionsOf = async (group) => {
    const { stdout } = await run([group, '--help']);
    const actions = [...stdout.matchAll(new RegExp(`^ +\\S* ?${group} ([a-z]+)\\b`, 'gmu'))];
    return [[group], ...new Set(actions.map(([, name]) => name))].map((name) => [group, name].flat());
  };
  const ofGroups = (await Promise.all(groups.map(actionsOf))).flat();
  const pages = [[], ...commands.map((command) => [command]), ...ofGroups];
  return pages.map((words) => toBlock([...words, '--help']));
}

const seeded = ['--seed', '7', '--runs', '30', '--connections', '1', '--ids', '1000-2000000'];

/** Some of the services of the catalogue, of each kind of fault one. */
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

/** Runs with a seed: of the mock in process, of services of the catalogue, of other documents and commands. */
export function listRuns() {
  const documents = readdirSync(`${root}fixtures/documents`)
    .filter((name) => /\.(?:yaml|json)$/u.test(name))
    .map((name) => `fixtures/documents/${name}`);
  const recordings = readdirSync(`${root}fixtures/traffic`).filter((name) => name.endsWith('.har'));
  const token = ['--token', 'the-token-of-the-goldens'];
  return [
    toBlock(['test', ...seeded, '--coverage']),
    ...documents.flatMap((document) => [
      toBlock(['test', '-d', document, ...seeded]),
      toBlock(['explain', document]),
      toBlock(['bundle', document]),
    ]),
    ...recordings.map((har) => toBlock(['check', `fixtures/traffic/${har}`])),
    toBlock(['learn', 'http://127.0.0.1:1', ...token, '--ids', '1000-2000000', '--dry-run']),
    ...services.flatMap((id) =>
      [[], ['--suite', 'valid-bodies', '--report', 'json']].map((more) => {
        const [, make] = toBlock(['test', 'URL', ...token, ...seeded, ...more], (then) =>
          withService(id, then),
        );
        return [`$ cloche test ${id} ${more.join(' ')}`.trimEnd(), make];
      }),
    ),
  ];
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
  return [['all', () => rounded(all)], ...entries.map((name) => [name, () => rounded(size(name))])];
}
