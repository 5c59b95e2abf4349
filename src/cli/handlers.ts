import { resolve } from 'node:path';
import { loadModule } from '../config/load-module.ts';
import type { Contract } from '../contract/contract.ts';
import { readLocatedFile } from '../document/settings-file.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Handlers } from '../mock/user-handlers/handler.ts';
import { describeThrown } from './process.ts';
import { printLines } from './terminal.ts';

/** A file with handlers. */
export interface HandlerFile {
  /** Returns the absolute paths of the files that the handlers were read from. */
  readonly files: () => readonly string[];
  /**
   * Reads the handlers again.
   *
   * @throws ClocheError OPTION_INVALID for a file that cannot be loaded or that exports something else
   * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every unusable rule at its line
   */
  readonly read: (contract: Pick<Contract, 'operations'>) => Promise<Handlers>;
}

/**
 * Opens the file with the handlers of a mock: a module of JavaScript or TypeScript that exports them, or rules in YAML or
 * JSON. An error that a handler throws after it answered, for example in a timer, is printed and does not end the process.
 */
export function openHandlerFile(file: string): HandlerFile {
  const path = resolve(file);
  const files = new Set([path]);
  const isRules = /\.(?:ya?ml|json)$/iu.test(file);
  if (!isRules) surviveLateErrors(files);
  return {
    files: () => [...files],
    read: (contract) => (isRules ? readRuleFile(file, contract) : loadHandlers(file, files)),
  };
}

async function loadHandlers(file: string, files: Set<string>): Promise<Handlers> {
  const exported = await loadModule({
    file,
    what: 'the handlers',
    code: 'OPTION_INVALID',
    onRead: (read) => files.add(read),
  });
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'load the handlers',
      subject: file,
      reason: 'its default export is no object of handlers',
      remedy: 'Write export default { getOrder: ({ respond }) => respond(200, {}) }',
    });
  }
  // `as`: the mock checks each of them.
  return exported as Handlers;
}

async function readRuleFile(file: string, { operations }: Pick<Contract, 'operations'>): Promise<Handlers> {
  const read = await readLocatedFile({
    file,
    what: 'the handlers',
    code: 'OPTION_INVALID',
    remedyOfNone: 'Name a file that there is',
    mayBeMissing: false,
  });
  const fail = (problems: Parameters<typeof read.toError>[1]): Error =>
    read.toError('OPTION_INVALID', problems);
  if (!Array.isArray(read.root)) {
    const remedy = 'Begin with - operation: …, or name a module of JavaScript or TypeScript';
    throw fail([{ pointer: '', reason: 'must be a list of rules', remedy }]);
  }
  const { readRules } = await import('../mock/user-handlers/rules.ts');
  const { handlers, problems } = readRules(
    read.root,
    operations.map(({ id }) => id),
  );
  if (problems.length > 0) throw fail(problems);
  return handlers;
}

function surviveLateErrors(files: ReadonlySet<string>): void {
  const onError = (error: unknown): void => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if ([...files].some((file) => stack.includes(file))) {
      printLines(process.stderr, ['A handler failed after it had answered:', ...stack.split('\n')]);
      return;
    }
    const { code, text } = describeThrown(error);
    printLines(process.stderr, text.split('\n'));
    process.exit(code);
  };
  process.on('unhandledRejection', onError).on('uncaughtException', onError);
}
