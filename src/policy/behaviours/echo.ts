import { jsonSchemaOf } from '../../contract/request-facts.ts';
import { findDeclaredResponse } from '../../contract/responses.ts';
import { holdsSame } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { notAsked, unspecified, plainRefused, sendUntilShown } from '../probing.ts';
import { type ProbeSession, choices, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `echo`: whether a create returns exactly what was sent. */
export const echo: Behaviour<'echo'> = {
  id: 'echo',
  question: 'Does a create return exactly what was sent?',
  ...choices<'echo'>([
    ['exact', 'a create returns exactly what was sent', 'A create returns exactly what was sent.'],
    [
      'none',
      'a create need not return what was sent',
      'A create need not return what was sent, and checks do not compare it.',
    ],
  ]),
  documentValue: ({ kind }) =>
    kind.kind === 'create' ? unspecified : notAsked('the operation creates nothing'),
  probe: { mostRequests: 4, needsTaken: true, ask },
};

/** Sends a create, and compares the response with the request. */
async function ask(probeSession: ProbeSession): Probed<'echo'> {
  const { operation } = probeSession;
  if (operation.kind.kind !== 'create' || probeSession.sample() === undefined) {
    return notAsked('it creates nothing from a JSON object');
  }
  const { exchange: created } = await sendUntilShown(probeSession, (slot) => probeSession.sample(slot) ?? []);
  if (!created.isAccepted) return plainRefused(created);
  const { sent, received, status } = created;
  const schema = jsonSchemaOf(findDeclaredResponse(operation.responses, status)?.media);
  const declared = [...schemaProperties(schema).keys()];
  const names = isJsonObject(sent) ? declared.filter((name) => Object.hasOwn(sent, name)) : [];
  if (!isJsonObject(sent) || names.length === 0) {
    return notAsked('its answer declares nothing of what is sent');
  }
  const isExact = names.every((name) => holdsSame(sent, received, name));
  return { kind: 'answer', answer: isExact ? 'exact' : 'none' };
}
