import { parse } from '@humanwhocodes/momoa';

/** Why a text is no JSON, in words, and where. */
export interface JsonSyntaxProblem {
  readonly kind: 'syntax';
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** What a parser says of a text, in its own words. */
interface Complaint {
  readonly message: string;
  readonly offset: number;
}

const tokenWords: Record<string, string> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Comma: ',',
  Colon: ':',
};

/** A character that JSON has no place for outside its strings (RFC 8259 §2). */
const stopper = '\0';

function complain(text: string): Complaint | undefined {
  try {
    parse(text, { mode: 'json' });
  } catch (error) {
    if (error instanceof Error && 'offset' in error) {
      return {
        message: error.message.replace(/ found\. \(\d+:\d+\)$/u, ''),
        offset: Number(error.offset),
      };
    }
  }
  return undefined;
}

function placed(text: string, offset: number, reason: string): JsonSyntaxProblem {
  const before = text.slice(0, offset);
  return {
    kind: 'syntax',
    reason,
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
  };
}

/** Whether a word at the end of a text is the beginning of one that JSON has. */
function isBegun(word: string): boolean {
  return ['true', 'false', 'null'].some((whole) => whole.startsWith(word));
}

/** Puts a complaint about a text, with the stopper behind it, in words. */
function describe(text: string, { message, offset }: Complaint): JsonSyntaxProblem {
  const [, kind, found = ''] = /^Unexpected (\w+) '?(.*?)'?$/su.exec(message) ?? [];
  if (kind === 'token') {
    const word = tokenWords[found];
    const what = word === undefined ? `a ${found.toLowerCase()}` : `"${word}"`;
    return placed(text, offset, `${what} stands where none may`);
  }
  // Of a number that is broken the parser names its start.
  const start = kind === 'character' ? text.concat(stopper).indexOf(found, offset) : offset;
  const isCut = kind === 'identifier' && start + found.length === text.length && isBegun(found);
  return kind === 'end' || start >= text.length || isCut
    ? placed(text, text.length, 'the text ends too early')
    : placed(text, start, `unexpected ${kind} "${found}"`);
}

/**
 * Says why and where a text is no JSON.
 *
 * @param text - a text that JSON.parse refused
 * @param error - what it threw
 */
export function toSyntaxProblem(text: string, error: unknown): JsonSyntaxProblem {
  // Where a text ends too early, the parser names what it read last. A character behind the text that may
  // stand nowhere makes it name the end.
  const complaint = complain(text + stopper);
  const isAtEnd = complaint !== undefined && complaint.offset >= text.length;
  if (complaint !== undefined && !(isAtEnd && complain(text) === undefined)) {
    return describe(text, complaint);
  }
  // Only JSON.parse refuses control characters in a string.
  const offset = Number(/position (\d+)/u.exec(String(error))?.[1] ?? 0);
  return placed(text, offset, 'a control character stands unescaped in a string');
}
