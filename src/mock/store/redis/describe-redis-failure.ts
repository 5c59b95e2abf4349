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
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS, as rediss: asks for',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'it asks for a certificate of the client, which a URL cannot give',
};

/** How the errors of Redis and of its client begin. */
const beginnings: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^NOAUTH/u, 'it asks for a password'],
  [/^WRONGPASS|invalid (?:username-)?password/u, 'it does not take the password'],
  [/^NOPERM|user executing the script can't/u, 'the user may not do there what the store needs'],
  [/^READONLY/u, 'it is a replica, which takes no writes'],
  [/^LOADING/u, 'it is still reading its data'],
  [/^OOM/u, 'its memory is full'],
  [/^MISCONF/u, 'it cannot write to its disk'],
  [/^(?:MOVED|ASK|CLUSTERDOWN)|non local key/u, 'it is part of a cluster, which cannot hold a store'],
  [/^BUSY/u, 'a script keeps it busy'],
  [/^ERR unknown command/u, 'it does not know a command that the store needs: it takes Redis 4 or later'],
  [/^NOREPLICAS/u, 'too few replicas follow it'],
  [/^WRONGTYPE/u, 'under its prefix is something that the mock did not put there'],
  [/^Unknown RESP type/u, 'what listens there is no Redis'],
  [/^ERR DB index/u, 'it has no database of that number'],
  [/[Ss]ocket timeout|Command timed out|connect ETIMEDOUT/u, 'it does not answer'],
  [/^Connection is closed|max retries per request|isn't writeable/u, 'the connection was closed'],
];

/** Codes of certificates whose authority Node.js does not know. */
const distrust = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/u;

/**
 * Says what is the matter with a Redis, without a full stop. An error of the client carries its command, and so may
 * carry a password: only its message is read.
 */
export function describeRedisFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (distrust.test(code)) {
    return `its certificate is of an authority that is not known (${code}): NODE_EXTRA_CA_CERTS names a file of such`;
  }
  const [, reason] = beginnings.find(([beginning]) => beginning.test(message)) ?? [];
  return reasons[code] ?? reason ?? message.trim().replace(/\.$/u, '');
}
