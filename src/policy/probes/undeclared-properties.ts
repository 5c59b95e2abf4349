import { isJsonObject } from '../../json/is-json-object.ts';
import type { Asker, Probe, ProbeMember, ProbeReading } from '../probe.ts';
import type { UndeclaredPropertiesAnswer } from '../undeclared-properties.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { sendUntilShown } from './send-until-shown.ts';
import { showsTexts } from './shows-texts.ts';
import { unsettled } from './unsettled.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

const name = 'clocheProbe';
const text = 'undeclared';

async function ask(asker: Asker): Promise<ProbeReading<UndeclaredPropertiesAnswer>> {
  const members = asker.sample();
  if (members === undefined) {
    return notAsked('it takes no JSON object');
  }
  const withAnother = (each: readonly ProbeMember[]) => withMember(each, name, [JSON.stringify(text)]);
  if (!asker.isValid(writeBody(withAnother(members)))) {
    return notAsked('its document says that there are no others');
  }
  const sent = await sendUntilShown(asker, (slot) => withAnother(asker.sample(slot) ?? []));
  const { exchange } = sent;
  if (isRefused(exchange)) {
    return { kind: 'answer', answer: 'refuse' };
  }
  if (!exchange.isAccepted) {
    return unsettled(`it is answered ${exchange.status}`);
  }
  if (isJsonObject(exchange.received) && exchange.received[name] === text) {
    return { kind: 'answer', answer: 'store' };
  }
  return showsTexts(exchange, sent.members)
    ? { kind: 'answer', answer: 'ignore' }
    : { kind: 'masked', by: 'echo', why: 'it is taken, and no answer shows what is kept' };
}

/** Asks with a property that the document does not have. */
export const undeclaredPropertiesProbe: Probe<UndeclaredPropertiesAnswer> = {
  mostRequests: 4,
  needsTaken: true,
  ask,
};
