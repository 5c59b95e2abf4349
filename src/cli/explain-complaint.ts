import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/closest-word.ts';

/** What the command line knows when it complains. */
export interface Complaint {
  /** In the words of yargs. */
  readonly message: string;
  /** What stands behind the program's name. */
  readonly words: readonly string[];
  readonly commands: readonly string[];
  /** How the command that was given is written, `learn <base-url>`; undefined where none was given. */
  readonly usage: string | undefined;
  /** What the command that was given does, where it is told so with a word behind it: `list`. */
  readonly actions: readonly string[];
  /** The options of the command that was given, without hyphens. */
  readonly options: readonly string[];
}

function toHelp([command = '']: readonly string[], commands: readonly string[]): string {
  return commands.includes(command)
    ? `cloche ${command} --help lists what it takes`
    : 'cloche --help lists what there is';
}

function unknown(word: string, { words, commands, options, actions }: Complaint): ClocheError {
  const option = words.find(
    (given) => given.split('=', 1)[0]?.replace(/^-{1,2}/u, '') === word && given !== word,
  );
  const spelled = option?.split('=', 1)[0] ?? word;
  if (option !== undefined) {
    const near = closestWord(
      word,
      options.filter(({ length }) => length > 1),
    );
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: spelled,
      reason: 'there is none of that name',
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps --${near} was meant`,
    });
  }
  const isCommand = words.find((given) => !given.startsWith('-')) === word;
  if (isCommand) {
    const near = closestWord(word, commands);
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find the command',
      subject: word,
      reason: 'there is none of that name',
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps cloche ${near} was meant`,
    });
  }
  if (actions.length > 0 && words.filter((given) => !given.startsWith('-'))[1] === word) {
    const near = closestWord(word, actions);
    return new ClocheError('OPTION_INVALID', {
      attempt: 'find what to do',
      subject: `cloche ${words[0]} ${word}`,
      reason: `there are ${actions.join(', ')}`,
      remedy: near === undefined ? toHelp(words, commands) : `Perhaps cloche ${words[0]} ${near} was meant`,
    });
  }
  // A value that stands unquoted behind such an option falls into words, and they may be a secret.
  const mayBeSecret = words.some((given) => /^(?:-H|--(?:header|token|control-token))(?:=|$)/u.test(given));
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the argument',
    subject: mayBeSecret ? '***' : word,
    reason: 'it is one too many',
    remedy: 'Quote a value that has spaces in it, as in --header "Name: value"',
  });
}

/** Turns a complaint of yargs into the sentence of ours; no value of an option is shown in it. */
export function explainComplaint(complaint: Complaint): ClocheError {
  const { message, words, commands, usage } = complaint;
  const [, names] = /^Unknown (?:argument|command)s?: (.+)$/u.exec(message) ?? [];
  const [first] = names?.split(', ') ?? [];
  if (first !== undefined) {
    return unknown(first, complaint);
  }
  const [, option] = /^Not enough arguments following: (.+)$/u.exec(message) ?? [];
  if (option !== undefined) {
    const spelled = option.length === 1 ? `-${option}` : `--${option}`;
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: spelled,
      reason: 'its value is missing',
      remedy: `Write it as ${spelled} VALUE; ${toHelp(words, commands)}`,
    });
  }
  if (usage !== undefined && message.startsWith('Not enough non-option arguments')) {
    const start = usage.search(/ [<[]/u);
    const [name, wanted] = [usage.slice(0, start), usage.slice(start + 1)];
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the command',
      subject: `cloche ${name}`,
      reason: `${wanted} is missing`,
      remedy: `Write it as cloche ${usage}; ${toHelp(words, commands)}`,
    });
  }
  return new ClocheError('OPTION_INVALID', {
    attempt: 'read the command',
    // Only the command: what stands behind it may be a secret.
    subject: ['cloche', ...words.slice(0, 1).filter((word) => commands.includes(word))].join(' '),
    // It is laid out over lines where it lists choices.
    reason: message.replace(/\.$/u, '').replaceAll(/\s*\n\s*/gu, ' '),
    remedy: 'Run cloche --help, or cloche <command> --help, to see what there is',
  });
}
