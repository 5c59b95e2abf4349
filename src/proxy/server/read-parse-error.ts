import { errorCode } from '../../http/error-code.ts';

/** Where Node's parser stopped in what came. */
export interface ParseError {
  readonly reason: string;
  /** The piece in which it stopped, and what of it is not read. */
  readonly packet: Uint8Array;
  readonly unread: Uint8Array;
}

/**
 * Reads the error that Node's HTTP client raises for bytes that its parser does not take.
 *
 * @returns undefined for any other error
 */
export function readParseError(error: Error): ParseError | undefined {
  if (!errorCode(error).startsWith('HPE_')) {
    return undefined;
  }
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : new Uint8Array();
  const stopped = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : 0;
  // Of what comes after the last answer of a connection, the parser has taken the first byte.
  const read = errorCode(error) === 'HPE_CLOSED_CONNECTION' ? Math.max(0, stopped - 1) : stopped;
  return { reason: error.message, packet, unread: packet.subarray(read) };
}
