import type { CommandModule, Options } from 'yargs';
import type { Action } from './client.ts';

/** The options of every command that drives a running mock. */
const controlOptions: Readonly<Record<'mock' | 'control-token' | 'json', Options>> = {
  mock: {
    type: 'string',
    requiresArg: true,
    describe: 'Where the mock listens',
    defaultDescription: '$CLOCHE_MOCK, or http://127.0.0.1:4010',
  },
  'control-token': {
    type: 'string',
    requiresArg: true,
    describe: 'Its control token, where it listens for other machines',
    defaultDescription: '$CLOCHE_CONTROL_TOKEN',
  },
  json: { type: 'boolean', describe: 'Print what the mock answers, for programs' },
};

/** One thing that a command does, loaded when it is asked for. */
interface GroupedAction {
  /** Behind the name of the command, with its arguments: `get <collection> <key>`. */
  readonly usage: string;
  readonly describe: string;
  readonly load: () => Promise<Action>;
}

/** A command that drives a running mock, with what it does. */
interface ControlGroup {
  /** `state` */
  readonly name: string;
  readonly describe: string;
  /** What its help says first. */
  readonly about: string;
  /** The first one is what it does where it is not said what to do. */
  readonly actions: readonly [GroupedAction, ...GroupedAction[]];
  /** Lines of its help, each a command without the name of the program, and what that does. */
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

/** The names of the arguments of a command: `<key>`, `[key]`, `<keys..>`. */
function argumentsOf(usage: string): readonly string[] {
  return [...usage.matchAll(/[<[]([\w-]+)(?:\.\.)?[\]>]/gu)].map(([, name = '']) => name);
}

function toModule({ usage, describe, load }: GroupedAction): CommandModule {
  return {
    command: usage,
    describe,
    async builder(command) {
      const { options = {} } = await load();
      const names = argumentsOf(usage);
      for (const name of names) {
        command.positional(name, { type: 'string', describe: options[name]?.describe ?? '' });
      }
      const others = Object.entries(options).filter(([name]) => !names.includes(name));
      return command.options({ ...Object.fromEntries(others), ...controlOptions });
    },
    handler: (input) => run(load, input),
  };
}

async function run(load: () => Promise<Action>, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { runAction } = await import('./client.ts');
  await runAction(await load(), input);
}

/** Options that what stands behind the command does not take over: each action has its own. */
function own(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, global: false }]),
  );
}

/** Makes the command of a group; without a word behind it, it does what the first of its actions does. */
function controlGroup({ name, describe, about, actions, examples }: ControlGroup): CommandModule {
  const [first] = actions;
  return {
    command: name,
    describe,
    async builder(command) {
      const { options = {} } = await first.load();
      const names = argumentsOf(first.usage);
      const others = Object.entries(options).filter(([option]) => !names.includes(option));
      for (const action of actions) {
        command.command(toModule(action));
      }
      return command
        .options(own({ ...Object.fromEntries(others), ...controlOptions }))
        .usage(`$0 ${name} [action]\n\n${about}`)
        .epilogue(
          ['Examples:', ...examples.flatMap(([line, effect]) => [`  $0 ${line}`, `      ${effect}`])].join(
            '\n',
          ),
        );
    },
    handler: (input) => run(first.load, input),
  };
}

/** What `cloche clock` does. */
const clockGroup: ControlGroup = {
  name: 'clock',
  describe: 'Show and set the clock of a running mock',
  about: 'The time that a running mock goes by: its rate limits, its log and the Date of its answers.',
  actions: [
    {
      usage: 'show',
      describe: 'What time it is there',
      load: async () => (await import('./policy-and-clock.ts')).showClock,
    },
    {
      usage: 'set <time>',
      describe: 'Go on from another time, 2026-03-01T08:00:00Z',
      load: async () => (await import('./policy-and-clock.ts')).setClock,
    },
    {
      usage: 'advance <duration>',
      describe: 'Go on from later: 500ms, 90s, 5m, 2h, 1d',
      load: async () => (await import('./policy-and-clock.ts')).advanceClock,
    },
    {
      usage: 'freeze',
      describe: 'Stand still',
      load: async () => (await import('./policy-and-clock.ts')).freezeClock,
    },
    {
      usage: 'resume',
      describe: 'Go on from where it stands',
      load: async () => (await import('./policy-and-clock.ts')).resumeClock,
    },
  ],
  examples: [
    ['clock freeze', 'so that a test always meets the same time'],
    ['clock advance 1h', 'so that whatever lasts an hour is over'],
  ],
};

/** What `cloche faults` does. */
const faultsGroup: ControlGroup = {
  name: 'faults',
  describe: "Make a running mock's answers slow or wrong",
  about:
    'The rules by which answers of a running mock go wrong. Of several that are for a request, the first one counts.',
  actions: [
    {
      usage: 'list',
      describe: 'The rules, and what came of each',
      load: async () => (await import('./faults.ts')).listFaults,
    },
    {
      usage: 'add <fault..>',
      describe:
        'Add a rule: delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate',
      load: async () => (await import('./faults.ts')).addFault,
    },
    {
      usage: 'delete <id>',
      describe: 'Take a rule away',
      load: async () => (await import('./faults.ts')).deleteFault,
    },
    {
      usage: 'clear',
      describe: 'Take all rules away',
      load: async () => (await import('./faults.ts')).clearFaults,
    },
  ],
  examples: [
    ['faults add delay=200..400', 'every answer comes later'],
    ['faults add status=503 --operation createOrder --times 3', 'the next three creates fail'],
    ['faults add drop --share 0.1', 'one connection in ten ends without an answer'],
    ['faults clear', 'all is well again'],
  ],
};

/** What `cloche policy` does. */
const policyGroup: ControlGroup = {
  name: 'policy',
  describe: "Show and change a running mock's policy",
  about: 'How a running mock answers where its document is silent.',
  actions: [
    {
      usage: 'show',
      describe: 'The answer to each question',
      load: async () => (await import('./policy-and-clock.ts')).showPolicy,
    },
    {
      usage: 'set <answer..>',
      describe: 'Answer otherwise: QUESTION=ANSWER or OPERATION:QUESTION=ANSWER',
      load: async () => (await import('./policy-and-clock.ts')).setPolicy,
    },
    {
      usage: 'reset',
      describe: 'Answer as at the start',
      load: async () => (await import('./policy-and-clock.ts')).resetPolicy,
    },
  ],
  examples: [
    ['policy set duplicate-key=conflict', '409 for a key that is taken'],
    ['policy set createOrder:echo=none', 'for one operation'],
  ],
};

/** What `cloche requests` does. */
const requestsGroup: ControlGroup = {
  name: 'requests',
  describe: 'Show, await and verify what a mock was asked',
  about: 'What a running mock was asked, and why it answered as it did.',
  actions: [
    {
      usage: 'list',
      describe: 'The requests, a line each, the newest last',
      load: async () => (await import('./requests.ts')).listRequests,
    },
    {
      usage: 'show <id>',
      describe: 'One request in full: what was wrong, what was sent, what came back',
      load: async () => (await import('./requests.ts')).showRequest,
    },
    {
      usage: 'verify',
      describe: 'Whether requests came as often as expected; exit code 1 where not',
      load: async () => (await import('./requests.ts')).verifyRequests,
    },
    {
      usage: 'clear',
      describe: 'Forget them',
      load: async () => (await import('./requests.ts')).clearRequests,
    },
  ],
  examples: [
    ['requests --verdict refused', 'what was refused, and why'],
    ['requests --operation createOrder --wait 5000', 'waits for one; exit code 1 where none comes'],
    ['requests verify --operation createOrder --times 2', 'for a script of tests'],
  ],
};

/** `cloche reset`: brings a running mock back to how it was at its start. */
const resetCommand: CommandModule = {
  command: 'reset',
  describe: 'Bring a running mock back to its start',
  builder: (command) =>
    command
      .option('only', {
        type: 'string',
        requiresArg: true,
        describe: 'Only these parts, with commas between: state, faults, requests, clock, policy',
        defaultDescription: 'all',
      })
      .options(controlOptions)
      .usage(
        [
          '$0 reset',
          '',
          'The state is that of the data that the mock started from again; snapshots stay. As between two tests.',
        ].join('\n'),
      )
      .epilogue(
        [
          'Examples:',
          '  $0 reset',
          '      everything',
          '  $0 reset --only state,requests',
          '      what was created, and the log',
        ].join('\n'),
      ),
  handler: async (input) => {
    const { runAction } = await import('./client.ts');
    const { resetMock } = await import('./state.ts');
    await runAction(resetMock, input);
  },
};

/** What `cloche snapshot` does. */
const snapshotGroup: ControlGroup = {
  name: 'snapshot',
  describe: "Save and restore a running mock's state",
  about:
    'The state of a running mock, kept under names. What a changed document no longer takes is in "set-aside".',
  actions: [
    {
      usage: 'list',
      describe: 'The snapshots, and how many resources each holds',
      load: async () => (await import('./state.ts')).listSnapshots,
    },
    {
      usage: 'save <name>',
      describe: 'Keep the state as it is, in place of an earlier snapshot of the name',
      load: async () => (await import('./state.ts')).saveSnapshot,
    },
    {
      usage: 'restore <name>',
      describe: 'Bring the state back that was kept',
      load: async () => (await import('./state.ts')).restoreSnapshot,
    },
    {
      usage: 'delete <name>',
      describe: 'Forget a snapshot',
      load: async () => (await import('./state.ts')).deleteSnapshot,
    },
  ],
  examples: [
    ['snapshot save full', 'before a test'],
    ['snapshot restore full', 'after it'],
  ],
};

/** What `cloche state` does. */
const stateGroup: ControlGroup = {
  name: 'state',
  describe: 'Show and change what a running mock remembers',
  about: 'What a running mock remembers: its collections, named by their paths, and their resources.',
  actions: [
    {
      usage: 'list [collection]',
      describe: 'The collections, or the resources of one, a line each',
      load: async () => (await import('./state.ts')).listState,
    },
    {
      usage: 'get <collection> <key>',
      describe: 'One resource',
      load: async () => (await import('./state.ts')).getResource,
    },
    {
      usage: 'put <collection> <resource>',
      describe: 'Keep a resource, in place of one that has its key',
      load: async () => (await import('./state.ts')).putResource,
    },
    {
      usage: 'delete <collection> <key>',
      describe: 'Forget one resource',
      load: async () => (await import('./state.ts')).deleteResource,
    },
    {
      usage: 'export',
      describe: 'Everything, so that import and mock --data take it',
      load: async () => (await import('./state.ts')).exportState,
    },
    {
      usage: 'import <file>',
      describe: 'Bring resources in: all of them, or where one cannot be taken, none',
      load: async () => (await import('./state.ts')).importState,
    },
  ],
  examples: [
    ['state', 'which collections there are, and how much each holds'],
    ['state list /orders --search urgent', 'the resources that hold a text'],
    ['state put /orders \'{"id":1}\'', 'one resource; from a file with its name, from standard input with -'],
    ['state export -o orders.json', 'everything, into a file'],
  ],
};

/** What drives a running mock by words behind a command. */
export const controlGroups: readonly ControlGroup[] = [
  stateGroup,
  snapshotGroup,
  requestsGroup,
  faultsGroup,
  policyGroup,
  clockGroup,
];

/** The commands that drive a running mock. */
export const controlCommands: readonly CommandModule[] = [resetCommand, ...controlGroups.map(controlGroup)];
