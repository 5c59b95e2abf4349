import { isJsonObject } from '../../json/is-json-object.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { UndeclaredPropertiesAnswer } from '../undeclared-properties.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
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
  const body = writeBody(withMember(members, name, [JSON.stringify(text)]));
  if (!asker.isValid(body)) {
    return notAsked('its document says that there are no others');
  }
  const exchange = await asker.send({ body });
  if (isRefused(exchange)) {
    return { kind: 'answer', answer: 'refuse' };
  }
  if (!exchange.isAccepted) {
    return unsettled(`it is answered ${exchange.status}`);
  }
  if (isJsonObject(exchange.received) && exchange.received[name] === text) {
    return { kind: 'answer', answer: 'store' };
  }
  return showsTexts(exchange, members)
    ? { kind: 'answer', answer: 'ignore' }
    : { kind: 'masked', by: 'echo', why: 'it is taken, and no answer shows what is kept' };
}

/** Asks with a property that the document does not have. */
export const undeclaredPropertiesProbe: Probe<UndeclaredPropertiesAnswer> = {
  mostRequests: 1,
  needsTaken: true,
  ask,
};
