import type { OutgoingMessage } from 'node:http';

/**
 * Gives a message that leaves in chunks the trailer fields that came with it (RFC 9110 §6.5).
 *
 * @param fields - names and values in turn, as Node has them in `rawTrailers`
 */
export function addTrailers(message: OutgoingMessage, fields: readonly string[]): void {
  const list: [name: string, value: string][] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    list.push([fields[index] ?? '', fields[index + 1] ?? '']);
  }
  if (list.length > 0) {
    message.addTrailers(list);
  }
}
