import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { DocumentError } from '../document/document.ts';
import { escapeLine } from '../errors/console-text.ts';
import { ClocheError } from '../errors/cloche-error.ts';

/** The most characters of a result: more would fill the context of a model. */
const mostCharacters = 20_000;
const longestLine = 4_000;

/**
 * Returns the lines that fit into a result. If there are more, the last line says how to see them.
 *
 * @param note - how to see the others, without a full stop
 */
export function fitLines(
  lines: readonly string[],
  note: string,
  room: number = mostCharacters,
): readonly string[] {
  const shown = lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  let size = 0;
  const end = shown.findIndex((line) => (size += line.length + 1) > room);
  return end === -1 ? shown : [...shown.slice(0, end), `… ${shown.length - end} more lines; ${note}.`];
}

const ofToken =
  'The token of cloche mcp ($CLOCHE_TOKEN) goes only to the service that cloche mcp was started with: check it, or start cloche mcp with the URL of this service';

/** The remedies of a client by the option of the command line that a message advises. */
const remedies: Readonly<Record<string, string>> = {
  'allow-references': 'Move what it names into the folder in which cloche mcp runs',
  credential: ofToken,
  list: 'The tool explain lists the operations',
  'max-time': 'Give a larger max_time',
  port: 'Give another port, or 0 for any free one',
  token: ofToken,
  'wait-for-service': 'Start the service, or correct its URL',
};

/** Replaces a remedy that names an option of the command line, which a client cannot give. */
function fitRemedy(remedy: string): string {
  const [, option] = /--([a-z][\w-]*)/u.exec(remedy) ?? [];
  if (option === undefined) return remedy;
  return remedies[option] ?? `No tool can do this, but the command cloche test can with --${option}`;
}

/** Returns an error with the remedies of a client. */
function fitError(error: unknown): unknown {
  if (error instanceof DocumentError) {
    const problems = error.problems.map((each) => ({ ...each, remedy: fitRemedy(each.remedy) }));
    return new DocumentError(error.code, { source: error.subject, problems });
  }
  if (!(error instanceof ClocheError)) return error;
  const { code, attempt, subject, reason, remedy, cause } = error;
  const [, pattern] = /^--include-operation (.+)$/su.exec(subject) ?? [];
  return new ClocheError(code, {
    attempt: pattern === undefined ? attempt : 'read the argument',
    subject: pattern === undefined ? subject : `operations ${pattern}`,
    reason,
    remedy: fitRemedy(remedy),
    cause,
  });
}

/** Escapes each line of a text, which may be that of a service or a document. */
export function renderText(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

/** Turns the work of a tool into its result. */
export type Answer = (work: () => Promise<string> | string) => Promise<CallToolResult>;

/**
 * Creates the function that turns the work of a tool into its result. An error becomes a result with its message.
 *
 * @param describe - returns the message for a thrown value
 */
export function createAnswer(describe: (error: unknown) => string): Answer {
  return async (work) => {
    try {
      return { content: [{ type: 'text', text: await work() }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: renderText(describe(fitError(error))) }] };
    }
  };
}
