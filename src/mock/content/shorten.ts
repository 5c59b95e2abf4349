/** Cuts a text that is too long to be read in a sentence, or that may be someone's secret. */
export function shorten(text: string): string {
  const longest = 60;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
