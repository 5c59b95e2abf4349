import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { ResponseExtrasAnswer } from '../response-extras.ts';
import { notAsked } from './not-asked.ts';
import { plainRefused } from './plain-refused.ts';
import { unsettled } from './unsettled.ts';
import { writeBody } from './write-body.ts';

async function ask(asker: Asker): Promise<ProbeReading<ResponseExtrasAnswer>> {
  const { key, operation } = asker;
  const members = asker.sample();
  if (key === undefined || members === undefined) {
    return notAsked('its client sends no key');
  }
  const created = await asker.send({ body: writeBody(members) });
  if (!created.isAccepted) {
    return plainRefused(created);
  }
  const declared = findDeclaredResponse(operation.responses, created.status)?.media.find(
    ({ isJson }) => isJson,
  );
  const names = schemaProperties(declared?.schema?.schema);
  if (names.size === 0 || names.has(key.property)) {
    return notAsked('its answer declares the key, or nothing');
  }
  const { sent, received } = created;
  const here =
    isJsonObject(received) && Object.hasOwn(received, key.property) ? received[key.property] : undefined;
  const there = isJsonObject(sent) ? sent[key.property] : undefined;
  const showsKey = here !== undefined && there !== undefined && jsonEqual(here, there);
  const more = Object.keys(isJsonObject(received) ? received : {}).filter((name) => !names.has(name));
  const others = more.filter((name) => !showsKey || name !== key.property);
  return others.length === 0
    ? { kind: 'answer', answer: showsKey ? 'id' : 'none' }
    : unsettled(`the answer also holds ${others.join(', ')}, which is none of the answers`);
}

/** Asks with a create, and looks for the key in the answer, and for anything else that is not declared. */
export const responseExtrasProbe: Probe<ResponseExtrasAnswer> = { mostRequests: 1, needsTaken: true, ask };
