import type { CommandModule, Options } from 'yargs';
import type { Action } from './action.ts';
import { controlOptions } from './control-options.ts';

/** One thing that a command does, loaded when it is asked for. */
export interface GroupedAction {
  /** Behind the name of the command, with its arguments: `get <collection> <key>`. */
  readonly usage: string;
  readonly describe: string;
  readonly load: () => Promise<Action>;
}

/** A command that drives a running mock, with what it does. */
export interface ControlGroup {
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
  const { runAction } = await import('./run-action.ts');
  await runAction(await load(), input);
}

/** Options that what stands behind the command does not take over: each action has its own. */
function own(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, global: false }]),
  );
}

/** Makes the command of a group; without a word behind it, it does what the first of its actions does. */
export function controlGroup({ name, describe, about, actions, examples }: ControlGroup): CommandModule {
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
