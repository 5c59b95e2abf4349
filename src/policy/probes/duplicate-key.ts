import type { Operation } from '../../contract/operation.ts';
import type { DuplicateKeyAnswer } from '../duplicate-key.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { declaresStatus } from './declares-status.ts';
import { notAsked } from './not-asked.ts';
import { plainRefused } from './plain-refused.ts';
import { sendUntilShown } from './send-until-shown.ts';
import { showsTexts } from './shows-texts.ts';
import { unsettled } from './unsettled.ts';
import { writeBody } from './write-body.ts';

/** The statuses of refusals, as the document declares them. */
function refusals(operation: Operation): readonly (readonly [DuplicateKeyAnswer, number])[] {
  const first = (...statuses: readonly number[]): number | undefined =>
    statuses.find((status) => declaresStatus(operation, status));
  return [
    ['refuse', first(409, 422, 400) ?? 400],
    ['conflict', 409],
    ['unprocessable', first(409, 422) ?? 422],
  ];
}

async function ask(asker: Asker): Promise<ProbeReading<DuplicateKeyAnswer>> {
  if (asker.key === undefined || asker.sample() === undefined) {
    return notAsked('its client sends no key');
  }
  const {
    exchange: created,
    members,
    slot,
  } = await sendUntilShown(asker, (each) => asker.sample(each) ?? []);
  if (!created.isAccepted) {
    return plainRefused(created);
  }
  const others = asker.sample(slot) ?? [];
  const repeated = await asker.send({ body: writeBody(others) });
  if (!repeated.isAccepted) {
    const [answer, ...alike] = refusals(asker.operation).flatMap(([each, status]) =>
      status === repeated.status ? [each] : [],
    );
    return answer === undefined
      ? unsettled(`a repeated key is answered ${repeated.status}, which is none of the answers`)
      : { kind: 'answer', answer, alike };
  }
  if (!showsTexts(created, members) && asker.settled('echo') === 'exact') {
    return unsettled('a plain create is answered with another resource');
  }
  if (!showsTexts(created, members)) {
    // That it is taken shows; which resource is kept does not.
    return { kind: 'answer', answer: 'accept', alike: ['replace', 'keep-first'] };
  }
  if (showsTexts(repeated, members)) {
    return { kind: 'answer', answer: 'keep-first' };
  }
  return showsTexts(repeated, others)
    ? { kind: 'answer', answer: 'replace', alike: ['accept'] }
    : unsettled('a repeated key is taken, and the answer shows neither of the two resources');
}

/** Asks with two creates of one key, which differ in everything else. */
export const duplicateKeyProbe: Probe<DuplicateKeyAnswer> = { mostRequests: 5, needsTaken: true, ask };
