import { schemaProperties } from '../../contract/schema-properties.ts';
import { schemaTypes } from '../../contract/schema-types.ts';
import type { IntegerNotationAnswer } from '../integer-notation.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** A property of the sample that is an integer and no other number. */
function findInteger(asker: Asker): string | undefined {
  const schema = asker.operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  const names = new Set((asker.sample() ?? []).map(({ name }) => name));
  const found = [...schemaProperties(schema)].find(([name, property]) => {
    const types = schemaTypes(property.schema, schema);
    return names.has(name) && types.has('integer') && !types.has('number');
  });
  return found?.[0];
}

async function ask(asker: Asker): Promise<ProbeReading<IntegerNotationAnswer>> {
  const name = findInteger(asker);
  if (name === undefined) {
    return notAsked('it takes no integer');
  }
  const statuses: number[] = [];
  const taken: boolean[] = [];
  for (const [slot, ending] of ['.0', 'e0'].entries()) {
    const members = asker.sample(slot) ?? [];
    const value = members.find((member) => member.name === name)?.value ?? [];
    const exchange = await asker.send({ body: writeBody(withMember(members, name, [...value, ending])) });
    if (!exchange.isAccepted && !isRefused(exchange)) {
      return unsettled(`an integer that ends in ${ending} is answered ${exchange.status}`);
    }
    statuses.push(exchange.status);
    taken.push(exchange.isAccepted);
  }
  const [withFraction, withExponent] = taken;
  return withFraction === withExponent
    ? { kind: 'answer', answer: withFraction === true ? 'yes' : 'no' }
    : unsettled(`1.0 is answered ${statuses[0]}, and 1e0 ${statuses[1]}`);
}

/** Asks with an integer that is written with a fraction of nought, and with an exponent. */
export const integerNotationProbe: Probe<IntegerNotationAnswer> = { mostRequests: 2, needsTaken: true, ask };
