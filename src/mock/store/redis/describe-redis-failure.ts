const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ENOENT: 'there is no such socket',
};

/** How the errors of Redis and of its client begin. */
const beginnings: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^NOAUTH/u, 'it asks for a password'],
  [/^WRONGPASS|invalid (?:username-)?password/u, 'it does not take the password'],
  [/^NOPERM/u, 'the user may not do there what the store needs'],
  [/^READONLY/u, 'it is a replica, which takes no writes'],
  [/^LOADING/u, 'it is still reading its data'],
  [/^OOM/u, 'its memory is full'],
  [/^MISCONF/u, 'it cannot write to its disk'],
  [/^(?:MOVED|ASK|CLUSTERDOWN)/u, 'it is part of a cluster, which cannot hold a store'],
  [/^BUSY/u, 'a script keeps it busy'],
  [/^ERR unknown command/u, 'it does not know a command that the store needs: it takes Redis 4 or later'],
  [/^ERR DB index/u, 'it has no database of that number'],
  [/[Ss]ocket timeout|Command timed out|connect ETIMEDOUT/u, 'it does not answer'],
  [/^Connection is closed|max retries per request|isn't writeable/u, 'the connection was closed'],
];

/**
 * Says what is the matter with a Redis, without a full stop. An error of the client carries its command, and so may
 * carry a password: only its message is read.
 */
export function describeRedisFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  const [, reason] = beginnings.find(([beginning]) => beginning.test(message)) ?? [];
  return reasons[code] ?? reason ?? message.replace(/\.$/u, '');
}
