import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { optionsOf } from '../../src/config/command-options.ts';
import { commands, controlCommands } from './reference.ts';

const root = new URL('../../', import.meta.url);
const pages = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Options of every command, of every configured command, and of every command for a running mock. */
const everywhere = ['help', 'help-all', 'version', 'config', 'service', 'mock', 'control-token', 'json'];

/** The options of a command by its first words; an action of a group has two. */
const known = new Map(
  [...commands, ...controlCommands].flatMap((command) => {
    const [name = ''] = command.usage.split(/ [<[]/u);
    return [[name, [...Object.keys(optionsOf(command)), ...everywhere]] as const];
  }),
);
const groups = new Set(controlCommands.map(({ usage }) => usage.split(' ', 1)[0]));

/** Returns the command lines of a page: in fences and indented blocks, and code that starts with the name of the program. */
function linesOf(page: string): readonly string[] {
  return page
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => [
      ...(/^\s*(?:\$ )?(?:npx )?(cloche [a-z].*)$/u.exec(line)?.slice(1) ?? []),
      ...[...line.matchAll(/`(?:npx )?(cloche [a-z][^`]*)`/gu)].map(([, text = '']) => text),
    ])
    .flatMap((line) => line.split(/ && | \| |; /u))
    .flatMap((part) => /^(?:npx )?cloche (.*)$/u.exec(part)?.[1] ?? []);
}

function findUnknown(line: string): readonly string[] {
  const [command = '', action = ''] = line.replace(/\s+#.*$/u, '').split(/\s+/u);
  if (command === 'completion') return [];
  const options =
    known.get(`${command} ${action}`) ??
    known.get(command) ??
    known.get(`${command} list`) ??
    known.get(`${command} show`);
  if (options === undefined) return groups.has(command) ? [] : [`there is no cloche ${command}`];
  const bare = line.replaceAll(/'[^']*'|"[^"]*"/gu, '').replace(/\s+#.*$/u, '');
  return [...bare.matchAll(/\s--([a-z][a-z-]*)/gu)]
    .map(([, name = '']) => name)
    .filter((name) => !options.includes(name) && !options.includes(name.replace(/^no-/u, '')))
    .map((name) => `cloche ${command} has no --${name}`);
}

test('every command line of the pages has a command and options that exist', () => {
  const lines = pages.flatMap((file) =>
    linesOf(readFileSync(new URL(file, root), 'utf8')).map((line) => ({ file, line })),
  );
  const unknown = lines.flatMap(({ file, line }) =>
    findUnknown(line).map((problem) => `${file}: ${problem}: ${line}`),
  );
  expect(lines.length).toBeGreaterThan(200);
  expect(unknown).toEqual([]);
});

test.each([
  ['mock api.yaml --dat data.yaml', ['cloche mock has no --dat']],
  ['mocks api.yaml', ['there is no cloche mocks']],
  ['faults add drop --only all', ['cloche faults has no --only']],
  ["test --path 'a --b' --no-config # with --comment", []],
])('finds what is unknown in %s', (line, expected) => {
  expect(findUnknown(line)).toEqual(expected);
});
