import type { CommandModule } from 'yargs';
import { addTexts, toModule, toYargs } from '../command.ts';
import {
  type ArgumentsOf,
  argumentsOf,
  type Command,
  type Given,
  optionsOf,
} from '../../config/command-options.ts';
import type { ActionResult, MockClient } from './client.ts';

interface ControlGroup {
  /** `state` */
  readonly name: string;
  readonly describe: string;
  readonly about: string;
  /** The first action is the default. */
  readonly actions: readonly [Command, ...Command[]];
  readonly examples: NonNullable<Command['examples']>;
}

/** Acts on a running mock. Throws CONTROL_FAILED, or OPTION_INVALID for arguments that it cannot read. */
export type OperationHandler<Arguments> = (client: MockClient, given: Arguments) => Promise<ActionResult>;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;

/** The actions of a group, by the words after its name. */
export type ActsOf<Group extends ControlGroup> = {
  readonly [Action in Group['actions'][number] as FirstWord<Action['usage']>]: OperationHandler<
    ArgumentsOf<Action>
  >;
};

/** `cloche reset`: restores the initial state of a running mock. */
export const resetCommand = {
  usage: 'reset',
  describe: 'Restore the initial state of a running mock',
  about: ['Restores the initial data. Snapshots stay. Meant for use between tests.'],
  options: { Options: ['only'] },
  examples: [
    ['reset', 'everything'],
    ['reset --only state,requests', 'what was created, and the log'],
  ],
} as const;

/** `cloche webhook`: sends a webhook of the document. */
export const webhookCommand = {
  usage: 'webhook <name>',
  describe: 'Send a webhook of the document from a running mock',
  about: [
    'The receiver is on the machine of the mock, or anywhere with mock --callbacks any. Exit code 1 if it does not answer 2xx.',
  ],
  options: { Options: ['to', 'body'] },
  own: {
    name: { describe: 'The name of the webhook in the document' },
    body: {
      describe: 'The body, as JSON, or a file with it',
      defaultDescription: 'the example of the document, or a generated one',
    },
  },
  examples: [['webhook orderShipped --to http://127.0.0.1:9000/hooks', 'with the example of the document']],
} as const;

/** The commands of `cloche clock`. */
export const clockGroup = {
  name: 'clock',
  describe: 'Show and set the clock of a running mock',
  about: 'The time that a running mock goes by: its rate limits, its log and the Date of its answers.',
  actions: [
    { usage: 'show', describe: 'What time it is there' },
    { usage: 'set <time>', describe: 'Go on from another time, 2026-03-01T08:00:00Z' },
    { usage: 'advance <duration>', describe: 'Go on from later: 500ms, 90s, 5m, 2h, 1d' },
    { usage: 'freeze', describe: 'Stand still' },
    { usage: 'resume', describe: 'Go on from where it stands' },
  ],
  examples: [
    ['clock freeze', 'so that a test always meets the same time'],
    ['clock advance 1h', 'so that whatever lasts an hour is over'],
  ],
} as const;

/** The commands of `cloche faults`. */
export const faultsGroup = {
  name: 'faults',
  describe: 'Make responses of a running mock slow or wrong',
  about:
    'Rules that make responses of a running mock fail or slow. The first rule that matches a request counts.',
  actions: [
    { usage: 'list', describe: 'The rules, and what came of each' },
    {
      usage: 'add <fault..>',
      describe:
        'Add a rule: delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate',
      options: { Options: ['operation', 'method', 'path', 'times', 'share', 'body', 'id'] },
      own: {
        operation: { describe: 'For this operation', defaultDescription: 'all' },
        method: { describe: 'For this method', defaultDescription: 'all' },
        path: {
          describe: 'For this path, as it is sent or as the document has it',
          defaultDescription: 'all',
        },
        times: { describe: 'Only the next this many', defaultDescription: 'all' },
        body: { describe: 'With status: what the answer holds, as JSON, or a file with it' },
        id: {
          kind: 'text',
          describe: 'What the rule is called; it takes the place of one of that name',
        },
      },
    },
    {
      usage: 'delete <id>',
      describe: 'Remove a rule',
      own: { id: { describe: 'Which rule, as list names it' } },
    },
    { usage: 'clear', describe: 'Remove all rules' },
  ],
  examples: [
    ['faults add delay=200..400', 'every answer comes later'],
    ['faults add status=503 --operation createOrder --times 3', 'the next three creates fail'],
    ['faults add drop --share 0.1', 'one connection in ten ends without an answer'],
    ['faults clear', 'all is well again'],
  ],
} as const;

/** The commands of `cloche policy`. */
export const policyGroup = {
  name: 'policy',
  describe: "Show and change a running mock's policy",
  about: 'How a running mock behaves where its document does not specify it.',
  actions: [
    { usage: 'show', describe: 'The answer to each question' },
    {
      usage: 'set <answer..>',
      describe: 'Change answers: QUESTION=ANSWER or OPERATION:QUESTION=ANSWER',
      own: {
        answer: { describe: 'QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; several go together' },
      },
    },
    { usage: 'reset', describe: 'Restore the initial policy' },
  ],
  examples: [
    ['policy set duplicate-key=conflict', '409 for an id that exists'],
    ['policy set createOrder:echo=none', 'for one operation'],
  ],
} as const;

/** The commands of `cloche requests`. */
export const requestsGroup = {
  name: 'requests',
  describe: 'Show, await and verify requests to a running mock',
  about: 'What a running mock was asked, and why it answered as it did.',
  actions: [
    {
      usage: 'list',
      describe: 'The requests, a line each, the newest last',
      options: {
        Filter: ['operation', 'method', 'path', 'item', 'status', 'verdict', 'condition', 'search', 'after'],
        Options: ['limit', 'wait', 'times'],
      },
      own: {
        path: { describe: 'The path as it was sent, or as the document has it: /orders/{id}' },
        times: { describe: 'With --wait: until so many are there', defaultDescription: '1' },
      },
    },
    { usage: 'show <id>', describe: 'One request in full: what was wrong, what was sent, what came back' },
    {
      usage: 'verify',
      describe: 'Check how often requests came; exit code 1 where not',
      options: {
        Filter: ['operation', 'method', 'path', 'item', 'status', 'verdict', 'condition', 'search', 'after'],
        Options: ['body', 'times', 'at-least', 'at-most'],
      },
      own: {
        path: { describe: 'The path as it was sent, or as the document has it: /orders/{id}' },
        times: { conflicts: ['at-least', 'at-most'] },
      },
    },
    { usage: 'clear', describe: 'Forget them' },
  ],
  examples: [
    ['requests --verdict refused', 'what was refused, and why'],
    ['requests --operation createOrder --wait 5000', 'waits for one; exit code 1 where none comes'],
    ['requests verify --operation createOrder --times 2', 'for a script of tests'],
  ],
} as const;

/** The commands of `cloche snapshot`. */
export const snapshotGroup = {
  name: 'snapshot',
  describe: "Save and restore a running mock's state",
  about:
    'The state of a running mock, kept under names. What a changed document no longer takes is in "set-aside".',
  actions: [
    { usage: 'list', describe: 'The snapshots, and how many resources each holds' },
    {
      usage: 'save <name>',
      describe: 'Keep the state as it is, in place of an earlier snapshot of the name',
    },
    { usage: 'restore <name>', describe: 'Bring the state back that was kept' },
    { usage: 'delete <name>', describe: 'Delete a snapshot' },
  ],
  examples: [
    ['snapshot save full', 'before a test'],
    ['snapshot restore full', 'after it'],
  ],
} as const;

/** The commands of `cloche state`. */
export const stateGroup = {
  name: 'state',
  describe: 'Show and change the state of a running mock',
  about: 'What a running mock remembers: its collections, named by their paths, and their resources.',
  actions: [
    {
      usage: 'list [collection]',
      describe: 'List the collections, or the resources of one',
      options: { Options: ['search', 'offset', 'limit'] },
      own: {
        collection: { kind: 'text', describe: 'The path of a collection, /shops/7/orders' },
        search: { describe: 'Resources that contain this text, ignoring case' },
        limit: { default: 100, defaultDescription: '100', describe: 'At most this many' },
      },
    },
    {
      usage: 'get <collection> [key]',
      describe: 'One resource; a singleton has no key',
      own: { key: { kind: 'text', describe: 'Its id; a singleton has none' } },
    },
    { usage: 'put <collection> <resource>', describe: 'Store a resource, replacing one with the same id' },
    {
      usage: 'delete <collection> [key]',
      describe: 'Delete one resource, and what lies below it',
      own: { key: { kind: 'text', describe: 'Its id; a singleton has none' } },
    },
    {
      usage: 'export',
      describe: 'Export everything, for import and mock --data',
      options: { Options: ['output'] },
    },
    {
      usage: 'import <file>',
      describe: 'Import resources: all of them, or none if one is invalid',
      options: { Options: ['merge'] },
    },
  ],
  examples: [
    ['state', 'which collections there are, and how much each holds'],
    ['state list /orders --search urgent', 'the resources that hold a text'],
    ['state put /orders \'{"id":1}\'', 'one resource; from a file with its name, from standard input with -'],
    ['state export -o orders.json', 'everything, into a file'],
  ],
} as const;

/** The groups of commands for a running mock. */
export const controlGroups: readonly ControlGroup[] = [
  stateGroup,
  snapshotGroup,
  requestsGroup,
  faultsGroup,
  policyGroup,
  clockGroup,
];

/** The options of every command for a running mock. */
const reach = {
  usage: '',
  describe: '',
  options: { Options: ['mock', 'control-token', 'json'] },
  own: {
    'control-token': {
      describe: "The mock's control token, when it listens for other machines",
      defaultDescription: '$CLOCHE_CONTROL_TOKEN',
    },
    json: { describe: "Print the mock's JSON" },
  },
} as const;

const besides = { options: optionsOf(reach) };

/** Runs an action, whose code is loaded only now. */
async function run(
  action: Command,
  load: () => Promise<OperationHandler<never>>,
  values: Given<unknown>['values'],
): Promise<void> {
  const { runAction } = await import('./client.ts');
  await runAction(await load(), { options: { ...optionsOf(action), ...optionsOf(reach) }, values });
}

/** Creates the command of an action. */
export function toActionModule<const Action extends Command>(
  action: Action,
  load: () => Promise<OperationHandler<ArgumentsOf<Action>>>,
): CommandModule {
  return toModule(action, ({ values }) => run(action, load, values), besides);
}

/** Creates the command of a group. Without the name of an action, it runs the first one. */
export function toGroupModule<const Group extends ControlGroup>(
  group: Group,
  load: () => Promise<ActsOf<Group>>,
): CommandModule {
  const { name, describe, about, actions, examples } = group;
  const [first] = actions;
  async function loadAction({ usage }: Command): Promise<OperationHandler<never>> {
    // `as`: the names of the actions are the first words of their usages.
    return (await load())[usage.split(' ', 1)[0] as keyof ActsOf<Group>] as OperationHandler<never>;
  }
  return {
    command: name,
    describe,
    builder(argv) {
      const behind = argumentsOf(first.usage);
      for (const [option, entry] of Object.entries({ ...optionsOf(first), ...optionsOf(reach) })) {
        if (!behind.includes(option)) {
          // The actions do not inherit these options: each declares them.
          argv.option(option, { ...toYargs(option, entry), global: false });
        }
      }
      const modules = actions.map((action) =>
        toModule(action, ({ values }) => run(action, () => loadAction(action), values), besides),
      );
      argv.command(modules);
      return addTexts(argv, { usage: `${name} [action]`, about: [about], examples });
    },
    handler: (values) => run(first, () => loadAction(first), values),
  };
}
