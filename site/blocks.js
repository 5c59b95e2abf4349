// Runs the blocks of pages that are marked in the first line of their fence, each page in an empty folder of its own:
//
//   ```yaml file=openapi.yaml   writes a file
//   ```sh run                   runs the lines in a shell; `run exit=1` expects that exit code
//   ```sh background            starts a command that runs until the page ends, or until it is started again
//   ```yaml file=… workflow     runs the npx lines of a GitHub workflow, and expects the files that it uploads
//   ```html file=index.html browser   opens the written file in Chromium, if there is one; the output is the text of the page
//   ```text output              the output of the command before: `…` matches any text, alone on a line for any lines
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from './chromium.js';

const secondsForStep = 180;

/** Returns the fenced blocks of a page, each with its line and the words after its language. */
function listBlocks(page) {
  return [...page.matchAll(/^```(\w+) ?(.*)\n([^]*?)^```$/gmu)].map(({ 2: info, 3: text, index }) => ({
    words: info.split(' '),
    text,
    line: page.slice(0, index).split('\n').length,
  }));
}

/** Returns whether a page has blocks to run. */
export function isRunnable(page) {
  return listBlocks(page).some(({ words }) => words[0] === 'run' || words[0] === 'background');
}

/**
 * Runs the blocks of a page in `folder`, which must not exist, with the packages of `modules`.
 *
 * @returns the failures, each with its line
 */
export async function runPage({ page, folder, modules }) {
  const ports = await choosePorts(page);
  const translate = (text) => text.replaceAll(/\b\d{4}\b/gu, (port) => ports.get(port) ?? port);
  mkdirSync(folder, { recursive: true });
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  // The type is the one that `npm init -y` writes.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }\n');
  const home = `${folder}.home`;
  mkdirSync(home);
  // The output of curl is no terminal, so that it would show its progress.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n');
  const mock = ports.get('4010');
  const shell = {
    folder,
    env: {
      ...withoutCloche(process.env),
      NO_COLOR: '1',
      CURL_HOME: home,
      CLOCHE_PORT: mock,
      CLOCHE_MOCK: `http://127.0.0.1:${mock}`,
    },
  };
  const running = [];
  try {
    return await runBlocks({ blocks: listBlocks(translate(page)), shell, running });
  } finally {
    await Promise.all(running.map((each) => stop(each)));
  }
}

function withoutCloche(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:CLOCHE_|npm_)/u.test(name)));
}

/** Chooses a free port for each port of a page, so that pages run side by side and beside other servers. */
async function choosePorts(page) {
  const used = [...page.matchAll(/(?:127\.0\.0\.1|localhost):(\d{4})\b/gu)].map(([, port]) => port);
  const names = [...new Set(['4010', ...used])];
  const servers = await Promise.all(
    names.map(async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const free = servers.map((server) => String(server.address().port));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return new Map(names.map((name, index) => [name, free[index]]));
}

async function runBlocks({ blocks, shell, running }) {
  for (const [index, block] of blocks.entries()) {
    const [word] = block.words;
    const next = blocks[index + 1];
    const expected = next?.words[0] === 'output' ? toPattern(next.text) : undefined;
    const file = block.words.find((each) => each.startsWith('file='))?.slice('file='.length);
    if (file !== undefined) {
      mkdirSync(dirname(join(shell.folder, file)), { recursive: true });
      writeFileSync(join(shell.folder, file), block.text);
    }
    if (block.words.includes('browser')) {
      const shown = await openInBrowser(join(shell.folder, file));
      if (shown !== undefined && !expected.test(shown)) {
        return [
          { line: block.line, failure: 'page shows something else', expected: next.text, output: shown },
        ];
      }
    }
    const isWorkflow = block.words.includes('workflow');
    if (word !== 'run' && word !== 'background' && !isWorkflow) continue;
    if (word === 'background') await stopEarlier(block.text, running);
    const command = start(isWorkflow ? toScript(block.text) : block.text, shell);
    if (word === 'background') running.push(command);
    const failure =
      word === 'background'
        ? await expectStart(command, expected ?? /\n/u)
        : await expectEnd(command, block, expected);
    if (failure !== undefined) {
      if (word !== 'background') running.push(command);
      return [{ line: block.line, failure, expected: next?.text, output: command.output }];
    }
  }
  return [];
}

function toScript(workflow) {
  const commands = [...workflow.matchAll(/- run: (npx .+)/gu)].map(([, command]) => command);
  const files = [...workflow.matchAll(/path: ([\w.]+)/gu)].map(([, file]) => file);
  return [...files.map((file) => `rm -f ${file}`), ...commands, ...files.map((file) => `ls ${file}`)].join(
    '\n',
  );
}

/** A command that is started again takes the place of the one that runs. */
async function stopEarlier(script, running) {
  for (const command of running) if (command.script === script) await stop(command);
}

/** Returns the text of a page once it has loaded everything; undefined without a browser. */
async function openInBrowser(file) {
  const browser = await launchChromium();
  try {
    const page = await browser?.newPage();
    await page?.goto(pathToFileURL(file).href, { waitUntil: 'networkidle' });
    return (await page?.innerText('body'))?.replaceAll(/^ +/gmu, '');
  } finally {
    await browser?.close();
  }
}

function toPattern(text) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\n)*?.*'
        : line.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`).replaceAll('…', '.*?'),
    );
  return new RegExp(`^\\s*${lines.join('\n')}\\s*$`, 'u');
}

function start(script, { folder, env }) {
  // A group of its own, so that what the shell starts ends with it.
  const child = spawn('bash', ['-e', '-c', script], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const command = { child, script, output: '', changed: () => undefined };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      command.output += text;
      command.changed();
    });
  }
  command.ended = once(child, 'close').then(([code]) => code ?? 1);
  return command;
}

async function expectEnd(command, { words }, expected) {
  const wanted = Number(words.find((word) => word.startsWith('exit='))?.slice('exit='.length) ?? 0);
  const code = await Promise.race([command.ended, timeOut()]);
  if (code === undefined) return `command did not end within ${secondsForStep} seconds`;
  if (code !== wanted) return `command ended with exit code ${code} instead of ${wanted}`;
  return expected === undefined || expected.test(command.output)
    ? undefined
    : 'command printed something else';
}

/** Waits until a command has printed what it prints once it is ready. */
async function expectStart(command, expected) {
  const ready = new Promise((resolve) => {
    command.changed = () => {
      if (expected.test(command.output)) resolve(undefined);
    };
    command.changed();
  });
  return Promise.race([
    ready,
    command.ended.then((code) => `command ended with exit code ${code}`),
    timeOut().then(() => `command did not print this within ${secondsForStep} seconds`),
  ]);
}

function timeOut() {
  return new Promise((resolve) => {
    setTimeout(resolve, secondsForStep * 1_000).unref();
  });
}

async function stop({ child, ended }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
  await ended;
}
