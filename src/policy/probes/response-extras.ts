import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { ResponseExtrasAnswer } from '../response-extras.ts';
import { notAsked } from './not-asked.ts';
import { plainRefused } from './plain-refused.ts';
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
  if (declared === undefined || schemaProperties(declared.schema?.schema).has(key.property)) {
    return notAsked('its answer declares the key, or nothing');
  }
  const { sent, received } = created;
  const here =
    isJsonObject(received) && Object.hasOwn(received, key.property) ? received[key.property] : undefined;
  const there = isJsonObject(sent) ? sent[key.property] : undefined;
  const showsKey = here !== undefined && there !== undefined && jsonEqual(here, there);
  return { kind: 'answer', answer: showsKey ? 'id' : 'none' };
}

/** Asks with a create, and looks for the key in the answer. */
export const responseExtrasProbe: Probe<ResponseExtrasAnswer> = { mostRequests: 1, needsTaken: true, ask };
