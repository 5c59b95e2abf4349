import { X509Certificate } from 'node:crypto';
import { ClocheError } from '../errors/cloche-error.ts';
import type { SendTarget } from './send-target.ts';

/** Which certificates a TLS connection takes, in the names of node:tls. */
export interface TlsTrust {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
}

/**
 * Reads from a target which certificates its connections take.
 *
 * @throws ClocheError OPTION_INVALID where `ca` holds no certificate, which node:tls would pass over
 */
export function toTlsTrust({ insecure = false, ca }: Pick<SendTarget, 'insecure' | 'ca'>): TlsTrust {
  if (ca === undefined) {
    return { rejectUnauthorized: !insecure };
  }
  try {
    void new X509Certificate(ca);
  } catch (error) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the certificate of',
      subject: '--ca',
      reason: 'the file holds no certificate in PEM form',
      remedy: 'Name a file that has a line -----BEGIN CERTIFICATE-----',
      cause: error,
    });
  }
  return { rejectUnauthorized: !insecure, ca };
}
