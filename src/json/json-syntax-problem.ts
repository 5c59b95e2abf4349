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

const tokenWords: Record<string, string> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Comma: ',',
  Colon: ':',
};

function sentence(reason: string): string {
  if (reason.startsWith('Unexpected end')) {
    return 'the text ends too early';
  }
  const token = /^Unexpected token (\w+)/u.exec(reason)?.[1];
  if (token !== undefined) {
    const word = tokenWords[token];
    return word === undefined
      ? `a ${token.toLowerCase()} stands where none may`
      : `"${word}" stands where none may`;
  }
  return reason.replace(/^Unexpected (character|identifier) '(.*)'$/su, 'unexpected $1 "$2"');
}

/**
 * Says why and where a text is no JSON.
 *
 * @param text - a text that JSON.parse refused
 * @param error - what it threw
 */
export function toSyntaxProblem(text: string, error: unknown): JsonSyntaxProblem {
  try {
    parse(text, { mode: 'json' });
  } catch (precise) {
    if (precise instanceof Error && 'line' in precise && 'column' in precise) {
      const reason = precise.message.replace(/ found\. \(\d+:\d+\)$/u, '').replace('\uFFFF', '');
      return {
        kind: 'syntax',
        reason: sentence(reason),
        line: Number(precise.line),
        column: Number(precise.column),
      };
    }
  }
  // Only JSON.parse refuses control characters in a string.
  const offset = Number(/position (\d+)/u.exec(String(error))?.[1] ?? 0);
  const before = text.slice(0, offset).split('\n');
  return {
    kind: 'syntax',
    reason: 'a control character stands unescaped in a string',
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
}
