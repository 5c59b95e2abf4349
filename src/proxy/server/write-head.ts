import type { Writable } from 'node:stream';

/** What stands in the head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
}

/**
 * Writes the head of an answer past Node's own writer, which takes no interim answer (RFC 9110 §15.2) but three
 * and no switch of protocols (§15.2.2) as they come.
 */
export function writeHead(socket: Writable, { status, reason, fields }: AnswerHead): void {
  let lines = '';
  for (let index = 0; index + 1 < fields.length; index += 2) {
    lines += `${fields[index] ?? ''}: ${fields[index + 1] ?? ''}\r\n`;
  }
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`, 'latin1');
}
