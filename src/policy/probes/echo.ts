import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { EchoAnswer } from '../echo.ts';
import type { Asker, Probe, ProbeExchange, ProbeReading } from '../probe.ts';
import { notAsked } from './not-asked.ts';
import { plainRefused } from './plain-refused.ts';
import { sendUntilShown } from './send-until-shown.ts';

/** The names that the schema of an answer declares. */
function declaredNames({ operation }: Asker, { status }: ProbeExchange): readonly string[] {
  const media = findDeclaredResponse(operation.responses, status)?.media.find(({ isJson }) => isJson);
  return [...schemaProperties(media?.schema?.schema).keys()];
}

async function ask(asker: Asker): Promise<ProbeReading<EchoAnswer>> {
  if (asker.operation.kind.kind !== 'create' || asker.sample() === undefined) {
    return notAsked('it creates nothing from a JSON object');
  }
  const { exchange: created } = await sendUntilShown(asker, (slot) => asker.sample(slot) ?? []);
  if (!created.isAccepted) {
    return plainRefused(created);
  }
  const { sent, received } = created;
  const names = declaredNames(asker, created).filter(
    (name) => isJsonObject(sent) && Object.hasOwn(sent, name),
  );
  if (!isJsonObject(sent) || names.length === 0) {
    return notAsked('its answer declares nothing of what is sent');
  }
  const isExact =
    isJsonObject(received) &&
    names.every((name) => {
      const here = Object.hasOwn(received, name) ? received[name] : undefined;
      const there = sent[name];
      return here !== undefined && there !== undefined && jsonEqual(here, there);
    });
  return { kind: 'answer', answer: isExact ? 'exact' : 'none' };
}

/** Asks with a create, and holds the answer against what was sent. */
export const echoProbe: Probe<EchoAnswer> = { mostRequests: 4, needsTaken: true, ask };
