import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { UniquePropertiesAnswer } from '../unique-properties.ts';
import { freeTexts } from './free-texts.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { plainRefused } from './plain-refused.ts';
import { readTexts } from './read-texts.ts';
import { unsettled } from './unsettled.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

async function ask(asker: Asker): Promise<ProbeReading<UniquePropertiesAnswer>> {
  const isCreate = asker.operation.kind.kind === 'create';
  const names = freeTexts(asker).filter((name) => name !== asker.key?.property);
  if (!isCreate || names.length === 0) {
    return notAsked('it creates nothing with a text of its client');
  }
  const first = asker.sample(0) ?? [];
  const created = await asker.send({ body: writeBody(first) });
  if (!created.isAccepted) {
    return plainRefused(created);
  }
  const unique: string[] = [];
  for (const [index, name] of names.entries()) {
    const again = withMember(asker.sample(index + 1) ?? [], name, [
      JSON.stringify(readTexts(first).get(name)),
    ]);
    const repeated = await asker.send({ body: writeBody(again) });
    if (!repeated.isAccepted && !isRefused(repeated)) {
      return unsettled(`a repeated "${name}" is answered ${repeated.status}`);
    }
    if (isRefused(repeated)) {
      unique.push(name);
    }
  }
  return { kind: 'answer', answer: unique };
}

/** Asks with creates that have each text of an earlier one in turn, and nothing else of it. */
export const uniquePropertiesProbe: Probe<UniquePropertiesAnswer> = {
  mostRequests: 20,
  needsTaken: true,
  ask,
};
