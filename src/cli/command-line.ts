import yargs, { type Argv, type CommandModule } from 'yargs';
import { readVersion } from '../document/package-manifest.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { addTexts, toModule } from './command.ts';
import { bundleCommand } from './commands/bundle.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { diffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { initCommand } from './commands/init.ts';
import { learnCommand } from './commands/learn.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mergeCommand } from './commands/merge.ts';
import { mockCommand } from './commands/mock.ts';
import { proxyCommand } from './commands/proxy.ts';
import { listSections } from './commands/sections.ts';
import { testCommand } from './commands/test.ts';
import { workerCommand } from './commands/worker.ts';
import {
  clockGroup,
  controlGroups,
  faultsGroup,
  policyGroup,
  requestsGroup,
  resetCommand,
  snapshotGroup,
  stateGroup,
  toActionModule,
  toGroupModule,
  webhookCommand,
} from './control/commands.ts';
import { describeThrown, invalidOption } from './process.ts';
import { printText, terminalWidth, watchOutput } from './terminal.ts';

/** For commands that have a section in a configuration. */
const configured = { sections: listSections };

/** The commands. Their code is loaded when they run. */
const modules: readonly CommandModule[] = [
  toModule(mockCommand, async (given) => (await import('./commands/run-mock.ts')).runMock(given), configured),
  toModule(
    testCommand,
    async (given, all) => (await import('./commands/run-test.ts')).runTest(given, all),
    configured,
  ),
  toModule(workerCommand, async (given) => (await import('./commands/run-worker.ts')).runWorker(given)),
  toModule(mergeCommand, async (given) => (await import('./commands/run-merge.ts')).runMerge(given)),
  toModule(
    explainCommand,
    async (given) => (await import('./commands/run-explain.ts')).runExplain(given),
    configured,
  ),
  toModule(
    learnCommand,
    async (given) => (await import('./commands/run-learn.ts')).runLearn(given),
    configured,
  ),
  toModule(
    checkCommand,
    async (given) => (await import('./commands/run-check.ts')).runCheck(given),
    configured,
  ),
  toModule(
    proxyCommand,
    async (given) => (await import('./commands/run-proxy.ts')).runProxy(given),
    configured,
  ),
  toModule(diffCommand, async (given) => (await import('./commands/run-diff.ts')).runDiff(given)),
  toActionModule(resetCommand, async () => (await import('./control/state.ts')).resetMock),
  toGroupModule(stateGroup, async () => (await import('./control/state.ts')).stateActions),
  toGroupModule(snapshotGroup, async () => (await import('./control/state.ts')).snapshotActions),
  toGroupModule(requestsGroup, async () => (await import('./control/requests.ts')).requestsActions),
  toGroupModule(faultsGroup, async () => (await import('./control/faults.ts')).faultsActions),
  toGroupModule(policyGroup, async () => (await import('./control/policy-and-clock.ts')).policyActions),
  toGroupModule(clockGroup, async () => (await import('./control/policy-and-clock.ts')).clockActions),
  toActionModule(webhookCommand, async () => (await import('./control/webhook.ts')).sendWebhook),
  toModule(initCommand, async (given) => (await import('./commands/run-init.ts')).runInit(given)),
  toModule(configCommand, async (given) => (await import('./commands/run-config.ts')).runConfig(given)),
  toModule(
    bundleCommand,
    async (given) => (await import('./commands/run-bundle.ts')).runBundle(given),
    configured,
  ),
  toModule(mcpCommand, async (given) => (await import('./commands/run-mcp.ts')).runMcp(given), {
    ...configured,
    section: 'test',
  }),
  toModule(completionCommand, async (given) =>
    (await import('./commands/run-completion.ts')).runCompletion(given),
  ),
];

function firstWord(usage: unknown): string {
  return String(usage).split(' ', 1)[0] ?? '';
}

const commands = modules.map(({ command }) => firstWord(command));

const usages = [
  ...modules.map(({ command }) => String(command)),
  ...controlGroups.flatMap(({ name, actions }) => actions.map(({ usage }) => `${name} ${usage}`)),
];

/** The help that names no command. */
const overview = {
  usage: '<command>',
  about: ['Mocks an HTTP API from its OpenAPI document, and tests services against it.'],
  examples: [
    ['test', 'the conformance suites on the in-process mock'],
    ['test http://127.0.0.1:8080 --token secret', 'the same on your own service'],
    [
      'learn http://127.0.0.1:8080 --token secret -o policy.json',
      'find out what the document does not specify',
    ],
    ['explain api.yaml', 'what a document says, and what it does not specify'],
    ['mock --token secret', 'the mock for an app, on http://127.0.0.1:4010'],
    ['reset', 'restore a running mock, for example between two tests'],
    ['check session.har', 'judge what a browser recorded'],
    ['proxy http://127.0.0.1:8080', 'judge the traffic between an app and a service'],
  ],
  exitCodes: ['$0 <command> --help describes a command.'],
} as const;

function createCommandLine(words: readonly string[]): Argv {
  const commandLine = yargs([...words]);
  return (
    // The rest of the output is English.
    addTexts(commandLine.scriptName('cloche').locale('en'), overview)
      .command([...modules])
      .option('help-all', { type: 'boolean', describe: 'Show help with all options' })
      .demandCommand(1, 'no command is given')
      .strict()
      .version(readVersion())
      .alias({ help: 'h', version: 'v' })
      // Longer lines are hard to read. Help that is not printed to a terminal must fit any terminal.
      .wrap(Math.min(100, terminalWidth() ?? 80))
      .middleware(() => leaveHelp(commandLine))
      .middleware(() => checkSwitches(words, listOptions(commandLine, 'boolean')))
      .exitProcess(false)
      .fail((message, error) => {
        // yargs passes its complaints as a message, and the errors of a command as an error.
        if (error instanceof Error && error.name !== 'YError') throw error;
        throw explainComplaint(message || String(error), words, listOptions(commandLine, 'key'));
      })
  );
}

function listOptions(commandLine: Argv, which: 'key' | 'boolean'): readonly string[] {
  // `as`: yargs has the method, and its types leave it out.
  const { getOptions } = commandLine as Argv & {
    readonly getOptions: () => {
      readonly key: Readonly<Record<string, unknown>>;
      readonly boolean: readonly string[];
    };
  };
  const options = getOptions.call(commandLine);
  return which === 'key' ? Object.keys(options.key) : options.boolean;
}

/** Prevents yargs from rendering an unused help text before a command runs: that takes a tenth of a start. */
function leaveHelp(commandLine: Argv): void {
  // `as`: yargs has the method, and its types leave it out.
  const { getInternalMethods } = commandLine as Argv & {
    readonly getInternalMethods: () => {
      readonly getUsageInstance: () => { cacheHelpMessage: () => void };
    };
  };
  getInternalMethods.call(commandLine).getUsageInstance().cacheHelpMessage = () => undefined;
}

/**
 * Checks the values that are given to `switches`: yargs reads every value except `true` as `false`.
 *
 * @throws ClocheError OPTION_INVALID for a value that is neither `true` nor `false`
 */
export function checkSwitches(words: readonly string[], switches: readonly string[]): void {
  const end = words.indexOf('--');
  for (const word of words.slice(0, end === -1 ? words.length : end)) {
    const [, name = '', value = ''] = /^--?([^=-][^=]*)=(.*)$/su.exec(word) ?? [];
    if (switches.includes(name) && value !== 'true' && value !== 'false') {
      const isShort = name.length === 1;
      const option = isShort ? `-${name}` : `--${name}`;
      throw invalidOption(
        `${option}${value === '' ? '' : ` ${value}`}`,
        'it is a switch, and takes no value but true and false',
        `Write ${option}, or ${isShort ? 'leave it out' : `--no-${name}`}`,
      );
    }
  }
}

/** Converts a complaint of yargs to an error of Cloche, which shows no value of an option. */
function explainComplaint(
  message: string,
  words: readonly string[],
  options: readonly string[],
): ClocheError {
  const [command = '', action = ''] = words;
  const help = commands.includes(command)
    ? `cloche ${command} --help lists what it takes`
    : 'cloche --help lists what there is';
  const [, names] = /^Unknown (?:argument|command)s?: (.+)$/u.exec(message) ?? [];
  const [unknown] = names?.split(', ') ?? [];
  if (unknown !== undefined) return explainUnknown(unknown, words, { options, help });
  const [, option] = /^Not enough arguments following: (.+)$/u.exec(message) ?? [];
  if (option !== undefined) {
    const spelled = option.length === 1 ? `-${option}` : `--${option}`;
    return invalidOption(spelled, 'its value is missing', `Write it as ${spelled} VALUE; ${help}`);
  }
  const usage = usages.find(
    (each) =>
      each.includes('<') && (each.startsWith(`${command} <`) || each.startsWith(`${command} ${action} `)),
  );
  if (usage !== undefined && message.startsWith('Not enough non-option arguments')) {
    const start = usage.search(/ [<[]/u);
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the command',
      subject: `cloche ${usage.slice(0, start)}`,
      reason: `${usage.slice(start + 1)} is missing`,
      remedy: `Write it as cloche ${usage}; ${help}`,
    });
  }
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the command',
    // Only the command: the text after it may be a secret.
    subject: commands.includes(command) ? `cloche ${command}` : 'cloche',
    // A message that lists choices has several lines.
    reason: message.replace(/\.$/u, '').replaceAll(/\s*\n\s*/gu, ' '),
    remedy: 'Run cloche --help, or cloche <command> --help, to see what there is',
  });
}

function explainUnknown(
  word: string,
  words: readonly string[],
  { options, help }: { readonly options: readonly string[]; readonly help: string },
): ClocheError {
  function suggest(known: readonly string[], lead: string): string {
    const near = closestWord(word, known);
    return near === undefined ? help : `Perhaps ${lead}${near} was meant`;
  }
  const spelled = words
    .map((given) => given.split('=', 1)[0] ?? '')
    .find(
      (given) =>
        given !== word && [given.replace(/^-{1,2}/u, ''), given.replace(/^--no-/u, '')].includes(word),
    );
  if (spelled !== undefined) {
    const long = options.filter(({ length }) => length > 1);
    return invalidOption(spelled, 'there is none of that name', suggest(long, '--'));
  }
  const [command, action] = words.filter((given) => !given.startsWith('-'));
  if (command === word) {
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find the command',
      subject: word,
      reason: 'there is none of that name',
      remedy: suggest(commands, 'cloche '),
    });
  }
  const group = controlGroups.find(({ name }) => name === words[0]);
  if (group !== undefined && action === word) {
    const actions = group.actions.map(({ usage }) => firstWord(usage));
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find what to do',
      subject: `cloche ${group.name} ${word}`,
      reason: `there are ${actions.join(', ')}`,
      remedy: suggest(actions, `cloche ${group.name} `),
    });
  }
  // An unquoted value of these options splits into words, which may be a secret.
  const isMock = /^https?:\/\//iu.test(word) && options.includes('mock');
  const mayBeSecret = words.some((given) => /^(?:-H|--(?:header|token|control-token))(?:=|$)/u.test(given));
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the argument',
    subject: mayBeSecret ? '***' : word,
    reason: 'it is one too many',
    remedy: isMock
      ? 'Name the mock with --mock and its URL'
      : 'Quote a value that has spaces in it, as in --header "Name: value"',
  });
}

watchOutput();
try {
  const words = process.argv.slice(2);
  if (words.length === 0) (await import('./first-choices.ts')).printChoices();
  else await createCommandLine(words.includes('--help-all') ? [...words, '--help'] : words).parseAsync();
} catch (error) {
  const { code, text } = describeThrown(error);
  printText(process.stderr, text);
  process.exitCode = code;
}
