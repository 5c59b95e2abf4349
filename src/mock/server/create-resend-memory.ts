import type { IncomingMessage } from 'node:http';

/** How long a request that comes once more is taken for the same one, in milliseconds. */
const forgottenAfter = 1000;

/** Remembers requests whose connection was dropped and that a browser sends again on its own. */
export interface ResendMemory {
  /** Notes a request whose connection is about to be dropped. */
  note(request: IncomingMessage): void;
  /** Whether a request is one that was noted, and so to be dropped once more. */
  isResent(request: IncomingMessage): boolean;
}

function keyOf({ method, url, rawHeaders }: IncomingMessage): string {
  return [method, url, ...rawHeaders].join('\n');
}

/**
 * Where a connection that was used before ends without an answer, Chromium takes it for one that was idle too long, and
 * sends the request again over another one, a POST too (RFC 9112 §9.3.1 lets a client do so only where that does no
 * harm). The page would never see the fault of a rule for the next request alone. So what such a browser sends again is
 * dropped again, without being counted, until it fails on a connection of its own, which Chromium tells the page.
 */
export function createResendMemory(): ResendMemory {
  const noted = new Map<string, NodeJS.Timeout>();

  function forget(key: string): void {
    clearTimeout(noted.get(key));
    noted.delete(key);
  }

  return {
    note(request) {
      const isUsed = request.socket.bytesWritten > 0;
      if (isUsed && request.headers['user-agent']?.includes('Chrome/') === true) {
        const key = keyOf(request);
        forget(key);
        noted.set(key, setTimeout(forget, forgottenAfter, key).unref());
      }
    },
    isResent(request) {
      const key = noted.size === 0 ? '' : keyOf(request);
      if (!noted.has(key)) {
        return false;
      }
      if (request.socket.bytesWritten === 0) {
        forget(key);
      }
      return true;
    },
  };
}
