import type { IncomingMessage } from 'node:http';
import { addTrailers } from './add-trailers.ts';
import type { Forwarding } from './forwarding.ts';
import { partHopFields } from './part-hop-fields.ts';

/**
 * Whether the end of an answer is the end of its connection (RFC 9112 §6.3, rule 8). Node's client ends it after an
 * answer to HEAD too that says nothing of a length.
 */
function isUntilClose({ statusCode = 0, headers }: IncomingMessage): boolean {
  const isChunked = /\bchunked\s*$/iu.test(headers['transfer-encoding'] ?? '');
  return statusCode !== 204 && statusCode !== 304 && !isChunked && headers['content-length'] === undefined;
}

/** Whether the service keeps the connection after its answer (RFC 9112 §9.3). */
function isKept({ httpVersion }: IncomingMessage, options: ReadonlySet<string>): boolean {
  return !options.has('close') && (httpVersion === '1.1' || options.has('keep-alive'));
}

/** Node knows the answer to an expectation only where it wrote it, and then cannot keep the connection. */
function isUnexpected({ headers: { expect } }: IncomingMessage, hasContinued: boolean): boolean {
  return !hasContinued && expect?.toLowerCase() === '100-continue';
}

/**
 * Writes the head of an answer, with all fields as they came; only the mark is added. The connection is kept where
 * the service keeps its own, in the words in which the service says so: the two end together.
 */
function writeAnswerHead(forwarding: Forwarding, answer: IncomingMessage, hasContinued: boolean): void {
  const { request, response, mark } = forwarding;
  const { kept, options, removed } = partHopFields(answer.rawHeaders);
  const isOld = request.httpVersion === '1.0';
  const fields = isOld
    ? kept.filter((_, index) => kept[index - (index % 2)]?.toLowerCase() !== 'transfer-encoding')
    : [...kept];
  const untilClose = isUntilClose(answer);
  response.sendDate = false;
  if (untilClose) {
    // Node would chunk it.
    response.removeHeader('Transfer-Encoding');
  }
  response.shouldKeepAlive &&= !untilClose && isKept(answer, options) && !isUnexpected(request, hasContinued);
  if (response.shouldKeepAlive && options.has('keep-alive')) {
    const hint = removed.get('keep-alive');
    fields.push('Connection', 'keep-alive', ...(hint === undefined ? [] : ['Keep-Alive', hint]));
  } else if (response.shouldKeepAlive && !isOld) {
    response.removeHeader('Connection');
  }
  response.writeHead(answer.statusCode ?? 0, answer.statusMessage, [...fields, ...mark]);
}

/**
 * Passes an answer on as it comes, at the speed of the client.
 *
 * @param input.onEnd - told when the whole answer has come
 * @param input.onFailure - told when it breaks off
 * @throws RangeError or TypeError for a head that Node does not write
 */
export function passAnswer(
  forwarding: Forwarding,
  answer: IncomingMessage,
  input: {
    readonly hasContinued: boolean;
    readonly onEnd: () => void;
    readonly onFailure: (error: Error) => void;
  },
): void {
  const { response, exchange } = forwarding;
  exchange.takeHead(answer);
  answer.on('error', input.onFailure);
  writeAnswerHead(forwarding, answer, input.hasContinued);
  answer.on('data', (chunk: Buffer) => exchange.takeReceived(chunk));
  answer.pipe(response, { end: false });
  answer.on('end', () => {
    if (answer.complete) {
      addTrailers(response, answer.rawTrailers);
      response.end();
      input.onEnd();
    }
  });
  // The head leaves with the content that came with it, but does not wait for what is still to come.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) {
      response.flushHeaders();
    }
  });
}
