/** Shows the controls of a text as escapes, as they would move the cursor of a terminal; the end of a line stays one. */
export function showControls(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are just what must not reach a terminal
    /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
