/**
 * What a terminal obeys or hides: controls of C0 and C1, separators of lines and paragraphs, and marks that turn the order
 * of a text around (UAX #9 §2).
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** `##[…]` and `##vso[…]`, which GitHub and Azure obey wherever they stand in a line of output. */
const commandAnywhere = /#(?=#\w*\[)/gu;
/** `::error::…`, which GitHub obeys at the start of a line; marks that are no part of the text may stand before it. */
const commandAtStart = /^([\s\uFDD0-\uFDEF]*):(?=:)/u;

/** Most lines are ASCII without any of it, and one look at them costs a fifth of all others. */
const plain = /^(?!\s*::)(?:[ -"$-~]|#(?!#))*$/u;

/** Names a character by its code point: `\u{1b}`. */
export function nameCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Shows a text that is not ours on one line, whatever it holds: each control, ends of lines included, as it is named.
 *
 * @example
 * escapeControls('a\n\u001B[2J'); // 'a\\u{a}\\u{1b}[2J'
 */
export function escapeControls(text: string): string {
  return text.replaceAll(controls, nameCharacter);
}

/**
 * Shows a text that is not ours as {@link escapeControls} does, and nothing in it is a command to the CI server that
 * reads the output.
 */
export function escapeLine(line: string): string {
  return plain.test(line)
    ? line
    : escapeControls(line)
        .replace(commandAtStart, (_, before: string) => `${before}${nameCharacter(':')}`)
        .replaceAll(commandAnywhere, nameCharacter);
}

/**
 * A text of JSON, or of YAML whose strings all stand in double quotes, that may be printed and says the same: in strings,
 * where alone they can stand, characters that {@link escapeLine} shows escaped are written so (RFC 8259 §7).
 */
export function escapeInStrings(text: string): string {
  const toEscape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replaceAll(controls, (found) => (found === '\n' ? found : toEscape(found)))
    .replaceAll(commandAnywhere, toEscape);
}

/** The codes of a terminal that begin and end what a piece of text is shown as (ECMA-48 §8.3.117). */
const codes = {
  strong: [1, 22],
  faint: [2, 22],
  violation: [31, 39],
  warning: [33, 39],
  good: [32, 39],
} as const;

/** What a piece of text is, for a reader who sees colours. */
type Tone = keyof typeof codes;

/** Marks text for {@link toConsoleLine}, or leaves it as it is. */
export type TextStyle = (tone: Tone, text: string) => string;

/**
 * Marks stand in a line as noncharacters, which Unicode keeps for the inside of programs (§23.7), and become codes only
 * as the line is printed: an escape that is in it by then is none of ours.
 */
const firstMark = 0xfdd0;
const marks = new Map(
  Object.values(codes)
    .flat()
    .map((code, index) => [String.fromCharCode(firstMark + index), `\u001B[${code}m`]),
);
const anyMark = /[\uFDD0-\uFDD9]/gu;

/** Creates the style for what shows colours, or shows none. */
export function createTextStyle(hasColour: boolean): TextStyle {
  const tones = Object.keys(codes);
  return (tone, text) => {
    const mark = firstMark + 2 * tones.indexOf(tone);
    return hasColour ? `${String.fromCharCode(mark)}${text}${String.fromCharCode(mark + 1)}` : text;
  };
}

/** A text without the marks of {@link TextStyle}. */
export function withoutTextStyle(text: string): string {
  return text.replaceAll(anyMark, '');
}

/**
 * A line as it may be printed, whatever text that is not ours stands in it: nothing in it moves a cursor, ends the line or
 * is a command to whoever reads the output. The marks of {@link TextStyle} become colours, where it has any.
 */
export function toConsoleLine(line: string, hasColour: boolean): string {
  return escapeLine(line).replaceAll(anyMark, (mark) =>
    hasColour ? (marks.get(mark) ?? nameCharacter(mark)) : nameCharacter(mark),
  );
}
