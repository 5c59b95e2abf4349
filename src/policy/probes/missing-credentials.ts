import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { asksCredentials } from './asks-credentials.ts';
import { notAsked } from './not-asked.ts';
import { readRefusedCredentials } from './read-refused-credentials.ts';
import { unsettled } from './unsettled.ts';

async function ask(asker: Asker): Promise<ProbeReading<RefusedCredentials>> {
  if (!asksCredentials(asker.operation)) {
    return notAsked('it asks for no credentials');
  }
  const missing = readRefusedCredentials(asker, await asker.send({ credentials: 'missing' }));
  const other = readRefusedCredentials(asker, await asker.send({ credentials: 'other-scheme' }));
  if (missing.kind !== 'answer' || other.kind !== 'answer') {
    return missing.kind === 'answer' ? other : missing;
  }
  const isOne = missing.answer.status === other.answer.status && missing.answer.body === other.answer.body;
  return isOne
    ? missing
    : unsettled(
        `no credentials get ${missing.answer.status} (${missing.answer.body}), and another scheme ${other.answer.status} (${other.answer.body})`,
      );
}

/** Asks without credentials, and with those of another scheme. */
export const missingCredentialsProbe: Probe<RefusedCredentials> = {
  mostRequests: 2,
  needsTaken: false,
  ask,
};
