import { readdirSync } from 'node:fs';
import { listSections } from '../../src/cli/commands/sections.ts';
import { controlGroups, resetCommand, webhookCommand } from '../../src/cli/control/commands.ts';
import { argumentsOf, type Command, optionsOf } from '../../src/config/command-options.ts';
import {
  configurationKey,
  environmentName,
  type OptionsByName,
  sharedOptions,
} from '../../src/config/keys.ts';
import type { Option } from '../../src/config/option.ts';
import { options as table } from '../../src/config/options.ts';

const sections = listSections();
const folder = new URL('../../src/cli/commands/', import.meta.url);

/** The commands that read documents and reports, in the order of their names: each is a literal in a file of its own. */
export const commands: readonly Command[] = await loadCommands();

/** The commands for a running mock, with the actions of a group as commands. */
export const controlCommands: readonly Command[] = [
  resetCommand,
  webhookCommand,
  ...controlGroups.flatMap(({ name, actions }) =>
    actions.map((action): Command => ({ ...action, usage: `${name} ${action.usage}` })),
  ),
];

async function loadCommands(): Promise<readonly Command[]> {
  const files = readdirSync(folder).filter((name) => /^(?!run-|sections)[\w-]+\.ts$/u.test(name));
  const modules = await Promise.all(
    // `as`: whatever such a file exports under the name of a command is one.
    files.toSorted().map((name) => import(new URL(name, folder).href) as Promise<Record<string, Command>>),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, command]) => (name.endsWith('Command') ? [command] : [])),
  );
}

/** Escapes a help text for a cell of a table. */
function asCell(text: string): string {
  return text
    .replaceAll(/[|*_\\]/gu, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll(/https?:\/\/[^\s,;]+/gu, '`$&`');
}

function asCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return rows.length === 0 ? [] : ['', ...lines];
}

function valueName({ kind, choices, isPath, pairs }: Option): string {
  if (kind === 'switch') return '';
  if (choices !== undefined) return ` ${choices.join('|')}`;
  if (kind === 'whole' || kind === 'number') return ' N';
  if (pairs !== undefined) return ` NAME${pairs.between}VALUE`;
  return isPath === true ? ' FILE' : ' VALUE';
}

function describeDefault({ kind, default: usual, defaultDescription }: Option): string {
  const words = defaultDescription ?? (usual === undefined ? '' : String(usual));
  return words === '' && kind === 'switch' ? 'off' : asCell(words);
}

function renderOptions(entries: readonly (readonly [string, Option])[]): readonly string[] {
  const rows = entries
    .filter(([, { kind }]) => kind !== 'setting')
    .map(([name, option]) => {
      const short = option.alias === undefined ? [] : [asCode(`-${option.alias}`)];
      const long = asCode(`--${name}${valueName(option)}`);
      return [[...short, long].join(', '), asCell(option.describe), describeDefault(option)];
    });
  return renderTable(['option', 'effect', 'default'], rows);
}

function renderExamples(examples: NonNullable<Command['examples']>): readonly string[] {
  const lines = examples.flatMap(([line, ...effect]) => [`# ${effect.join(' ')}`, `cloche ${line}`]);
  return lines.length === 0 ? [] : ['', '```sh', ...lines, '```'];
}

/** Renders the options of a command by the groups of its help, those of a configuration with them. */
function renderGroups(command: Command): readonly string[] {
  const options: OptionsByName = optionsOf(command);
  const entriesOf = (names: readonly string[]): readonly (readonly [string, Option])[] =>
    names.flatMap((name) => {
      const option = options[name];
      return option === undefined ? [] : [[name, option] as const];
    });
  const positional = entriesOf(argumentsOf(command.usage)).map(([name, option]) => [
    asCode(name),
    asCell(option.describe),
    describeDefault(option),
  ]);
  const groups = Object.entries(command.options ?? {}).flatMap(([title, names]) => [
    ...(title.endsWith(':') ? ['', `**${title.slice(0, -1)}**`] : []),
    ...renderOptions(entriesOf(names)),
  ]);
  return [...renderTable(['argument', 'meaning', 'default'], positional), ...groups];
}

function renderCommand(command: Command): readonly string[] {
  const { usage, describe, about = [`${describe}.`], examples = [], exitCodes = [] } = command;
  const [name = ''] = usage.split(/ [<[]/u);
  const { config, service } = table;
  return [
    '',
    `## ${name}`,
    '',
    `\`cloche ${usage}\``,
    '',
    asCell(about.join(' ')),
    ...renderExamples(examples),
    ...renderGroups(command),
    ...(name in sections ? renderOptions(Object.entries({ config, service })) : []),
    ...(exitCodes.length === 0 ? [] : ['', '```text', ...exitCodes, '```']),
  ];
}

function renderControlGroup({
  name,
  about,
  actions,
  examples,
}: (typeof controlGroups)[number]): readonly string[] {
  const rows = actions.map(({ usage, describe }) => [asCode(`cloche ${name} ${usage}`), asCell(describe)]);
  const options = new Map(actions.flatMap((action) => Object.entries<Option>(optionsOf(action))));
  const own = [...options].filter(([option]) =>
    actions.some(({ options: groups = {} }) => isIn(option, groups)),
  );
  return [
    '',
    `## ${name}`,
    '',
    about,
    ...renderTable(['command', 'effect'], rows),
    ...renderOptions(own),
    ...renderExamples(examples),
  ];
}

function isIn(option: string, groups: NonNullable<Command['options']>): boolean {
  return Object.values(groups).some((names) => names.some((name) => name === option));
}

/** Renders docs/reference/commands.md: usage, options, examples and exit codes of each command. */
export function renderCommandReference(): string {
  const { mock, json, 'control-token': token } = table;
  const head = `# Commands

\`cloche <command> --help\` shows the usual options of a command, \`--help-all\` all of them. \`cloche completion\` prints a script that completes
commands in a shell. Most options can also be set in a [configuration](configuration.md) or a variable: \`CLOCHE_MAX_TIME=60\` is
\`--max-time 60\`. \`--no-NAME\` switches an option off.`;
  const running = [
    '',
    '## Commands for a running mock',
    '',
    'These commands show and change a mock that runs. Each of them accepts:',
    ...renderOptions(Object.entries({ mock, 'control-token': token, json })),
    '',
    'Without an action, a command runs the first of its table. [The control interface](../control.md) does the same over HTTP.',
  ];
  return `${[
    head,
    ...commands.flatMap((command) => renderCommand(command)),
    ...running,
    ...renderCommand(resetCommand),
    ...renderCommand(webhookCommand),
    ...controlGroups.flatMap((group) => renderControlGroup(group)),
  ].join('\n')}\n`;
}

const kinds: Readonly<Record<Option['kind'], string>> = {
  switch: 'true or false',
  text: 'text',
  word: 'text',
  token: 'text',
  argument: 'text',
  number: 'number',
  whole: 'integer',
  texts: 'list of texts',
  tokens: 'list of texts',
  setting: 'object',
};

function describeType({ kind, choices, pairs, from = 0, to }: Option): string {
  if (choices !== undefined) return choices.map((choice) => asCode(choice)).join(', ');
  if (pairs !== undefined) return 'object';
  const isBounded = (kind === 'whole' || kind === 'number') && to !== undefined;
  return isBounded
    ? `${kinds[kind]}, ${from.toLocaleString('en')} to ${to.toLocaleString('en')}`
    : kinds[kind];
}

function renderKeys(options: OptionsByName): readonly string[] {
  const rows = Object.entries(options).flatMap(([name, option]) => {
    const key = configurationKey(name, option);
    const variable = environmentName(name, option);
    return key === undefined
      ? []
      : [
          [
            asCode(key),
            describeType(option),
            asCell(option.describe),
            describeDefault(option),
            variable === undefined ? '' : asCode(variable),
          ],
        ];
  });
  return renderTable(['key', 'value', 'effect', 'default', 'variable'], rows);
}

/** Renders docs/reference/configuration.md: each key of a configuration with its type, default and variable. */
export function renderConfigurationReference(): string {
  const shared = sharedOptions(sections);
  const sharedKeys = new Set(Object.entries(shared).map(([name, option]) => configurationKey(name, option)));
  const isShared = (name: string, option: Option): boolean => sharedKeys.has(configurationKey(name, option));
  const parts = Object.entries(sections).flatMap(([name, options]) => [
    '',
    `## ${name}`,
    '',
    `Options of [\`cloche ${name}\`](commands.md#${name}). The section also accepts each key of the top level that is an option of the command.`,
    ...renderKeys(
      Object.fromEntries(Object.entries(options).filter(([option, entry]) => !isShared(option, entry))),
    ),
  ]);
  return `${[
    `# Configuration keys

[Configuration](../configuration.md) says where Cloche finds the file, and how variables and several services work.
\`cloche/config.schema.json\` is the JSON Schema of the file.

## Top level

These keys apply to all commands that have the option. \`services\` has a name for each service, with the same keys and \`prefix\`.`,
    ...renderKeys(shared),
    ...parts,
  ].join('\n')}\n`;
}
