import type { AcceptedTokensAnswer } from '../accepted-tokens.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { asksCredentials } from './asks-credentials.ts';
import { notAsked } from './not-asked.ts';

async function ask(asker: Asker): Promise<ProbeReading<AcceptedTokensAnswer>> {
  if (!asksCredentials(asker.operation)) {
    return notAsked('it asks for no credentials');
  }
  const { isAccepted } = await asker.send({ credentials: 'unknown-token' });
  return { kind: 'answer', answer: isAccepted ? 'any' : 'listed' };
}

/** Asks with a token that nobody issued. */
export const acceptedTokensProbe: Probe<AcceptedTokensAnswer> = {
  mostRequests: 1,
  needsTaken: true,
  ask,
};
