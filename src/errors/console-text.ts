/**
 * Characters that a terminal interprets or hides: C0 and C1 controls, line and paragraph separators, and marks that
 * change the direction of text (UAX #9 §2).
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** `##[…]` and `##vso[…]`, which GitHub and Azure execute anywhere in a line of output. */
const commandAnywhere = /#(?=#\w*\[)/gu;
/** `::error::…`, which GitHub executes at the start of a line. Style marks may precede it. */
const commandAtStart = /^([\s\uFDD0-\uFDEF]*):(?=:)/u;

/** Most lines are ASCII without these characters. This test takes a fifth of the time of the others. */
const plain = /^(?!\s*::)(?:[ -"$-~]|#(?!#))*$/u;

/** Returns the code point of a character as text: `\u{1b}`. */
export function nameCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Returns foreign text as one line. Each control, including line ends, is replaced by its code point.
 *
 * @example
 * escapeControls('a\n\u001B[2J'); // 'a\\u{a}\\u{1b}[2J'
 */
export function escapeControls(text: string): string {
  return text.replaceAll(controls, nameCharacter);
}

/**
 * Returns foreign text as {@link escapeControls} does, and also escapes commands to the CI server that reads the
 * output.
 */
export function escapeLine(line: string): string {
  return plain.test(line)
    ? line
    : escapeControls(line)
        .replace(commandAtStart, (_, before: string) => `${before}${nameCharacter(':')}`)
        .replaceAll(commandAnywhere, nameCharacter);
}

/**
 * Escapes JSON text, or YAML text with all strings in double quotes, for printing. Its meaning stays the same.
 * Characters that {@link escapeLine} escapes occur only in strings, and become JSON escapes there (RFC 8259 §7).
 */
export function escapeInStrings(text: string): string {
  const toEscape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replaceAll(controls, (found) => (found === '\n' ? found : toEscape(found)))
    .replaceAll(commandAnywhere, toEscape);
}

/** The terminal codes that begin and end each style of text (ECMA-48 §8.3.117). */
const codes = {
  strong: [1, 22],
  faint: [2, 22],
  violation: [31, 39],
  warning: [33, 39],
  good: [32, 39],
} as const;

/** The role of a piece of text, shown by a colour. */
type Tone = keyof typeof codes;

/** Adds style marks to text for {@link toConsoleLine}, or returns it unchanged. */
export type TextStyle = (tone: Tone, text: string) => string;

/**
 * Marks in a line are noncharacters, which Unicode reserves for internal use (§23.7). They become terminal codes only
 * when the line is printed. Escape characters in the line before that come from foreign text.
 */
const firstMark = 0xfdd0;
const marks = new Map(
  Object.values(codes)
    .flat()
    .map((code, index) => [String.fromCharCode(firstMark + index), `\u001B[${code}m`]),
);
const anyMark = /[\uFDD0-\uFDD9]/gu;

/** Creates a text style for an output with or without colours. */
export function createTextStyle(hasColour: boolean): TextStyle {
  const tones = Object.keys(codes);
  return (tone, text) => {
    const mark = firstMark + 2 * tones.indexOf(tone);
    return hasColour ? `${String.fromCharCode(mark)}${text}${String.fromCharCode(mark + 1)}` : text;
  };
}

/** Returns a text without the marks of {@link TextStyle}. */
export function withoutTextStyle(text: string): string {
  return text.replaceAll(anyMark, '');
}

/**
 * Returns a line that is safe to print, even if it contains foreign text. Nothing in it moves the cursor, ends the line
 * or is a command to the reader of the output. The marks of {@link TextStyle} become colours if the output has any.
 */
export function toConsoleLine(line: string, hasColour: boolean): string {
  return escapeLine(line).replaceAll(anyMark, (mark) =>
    hasColour ? (marks.get(mark) ?? nameCharacter(mark)) : nameCharacter(mark),
  );
}
