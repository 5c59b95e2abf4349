import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { asksCredentials } from './asks-credentials.ts';
import { notAsked } from './not-asked.ts';
import { readRefusedCredentials } from './read-refused-credentials.ts';

async function ask(asker: Asker): Promise<ProbeReading<RefusedCredentials>> {
  if (!asksCredentials(asker.operation)) {
    return notAsked('it asks for no credentials');
  }
  const exchange = await asker.send({ credentials: 'unknown-token' });
  return exchange.isAccepted
    ? { kind: 'masked', by: 'accepted-tokens', why: 'every token is let in' }
    : readRefusedCredentials(asker, exchange);
}

/** Asks with a token that nobody issued. */
export const invalidCredentialsProbe: Probe<RefusedCredentials> = {
  mostRequests: 1,
  needsTaken: true,
  ask,
};
