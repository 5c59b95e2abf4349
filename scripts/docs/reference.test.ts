import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationKey } from '../../src/config/keys.ts';
import { listSections } from '../../src/cli/commands/sections.ts';
import {
  commands,
  controlCommands,
  renderCommandReference,
  renderConfigurationReference,
} from './reference.ts';

const page = (name: string): string => new URL(`../../docs/reference/${name}`, import.meta.url).pathname;

// `npx vitest run --project quick scripts/docs -u` writes the pages.
test('docs/reference/commands.md derives from the declarations of the commands', async () => {
  await expect(renderCommandReference()).toMatchFileSnapshot(page('commands.md'));
});

test('docs/reference/configuration.md derives from the table of options', async () => {
  await expect(renderConfigurationReference()).toMatchFileSnapshot(page('configuration.md'));
});

test('the page has each command that src/cli/command-line.ts registers', () => {
  const main = readFileSync(new URL('../../src/cli/command-line.ts', import.meta.url), 'utf8');
  const registered = [...main.matchAll(/toModule\(\s*(\w+)Command/gu)].map(([, name = '']) => name);
  const names = commands.map(({ usage }) => usage.split(' ', 1)[0]);
  expect(registered.length).toBeGreaterThan(5);
  expect(registered.filter((name) => !names.includes(name))).toEqual([]);
  expect(controlCommands.filter(({ usage }) => !renderCommandReference().includes(usage))).toEqual([]);
});

test('the page of keys has each key of each section', () => {
  const text = renderConfigurationReference();
  const keys = Object.values(listSections()).flatMap((options) =>
    Object.entries(options).flatMap(([name, option]) => configurationKey(name, option) ?? []),
  );
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.filter((key) => !text.includes(`| \`${key}\` |`))).toEqual([]);
});
