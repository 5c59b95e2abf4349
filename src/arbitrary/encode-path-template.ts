/** What no path may hold as it is (RFC 3986 §3.3), a percent sign that encodes nothing included. */
const forbidden = /%(?![\dA-F]{2})|[^\u{21}-\u{7E}]+|["<>\\^`{|}]/giu;

/**
 * Percent-encodes the literal text of a path as the document has it; its parameters stay as they are.
 *
 * @example
 * encodePathTemplate('/cafés/{id}'); // /caf%C3%A9s/{id}
 */
export function encodePathTemplate(template: string): string {
  return template
    .split(/(\{[^{}]*\})/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(forbidden, encodeURIComponent)))
    .join('');
}
