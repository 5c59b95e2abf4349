import { jsonBodies, jsonSchemaOf } from '../../contract/request-facts.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { isRefused, notAsked, unspecified, unsettled, withMember, writeBody } from '../probing.ts';
import { type ProbeSession, choices, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `integer-notation`: whether 1.0 (or 1e2) is an integer. */
export const integerNotation: Behaviour<'integer-notation'> = {
  id: 'integer-notation',
  question: 'Is 1.0 (or 1e2) an integer?',
  ...choices<'integer-notation'>([
    ['yes', '1.0 and 1e2 are integers', '1.0 and 1e2 are integers, as JSON Schema says.'],
    ['no', '1.0 and 1e2 are refused where an integer must be', 'An integer has no fraction and no exponent.'],
  ]),
  // JSON Schema considers values, not notations (2020-12 core §4.2.3).
  documentValue: (operation) =>
    jsonBodies(operation).some(({ schema }) => speaksOfIntegers(schema?.schema))
      ? unspecified
      : notAsked('its body holds no integer'),
  probe: { mostRequests: 2, needsTaken: true, ask },
};

function speaksOfIntegers(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(speaksOfIntegers);
  if (!isJsonObject(value)) return false;
  const { type } = value;
  return (
    type === 'integer' ||
    (Array.isArray(type) && type.includes('integer')) ||
    Object.values(value).some(speaksOfIntegers)
  );
}

/** Returns a property of the sample that is an integer, and not another number. */
function findInteger(probeSession: ProbeSession): string | undefined {
  const schema = jsonSchemaOf(probeSession.operation.requestBody?.media);
  const names = new Set((probeSession.sample() ?? []).map(({ name }) => name));
  const found = [...schemaProperties(schema)].find(([name, property]) => {
    const types = schemaTypes(property.schema, schema);
    return names.has(name) && types.has('integer') && !types.has('number');
  });
  return found?.[0];
}

/** Sends an integer with a fraction of zero, and one with an exponent. */
async function ask(probeSession: ProbeSession): Probed<'integer-notation'> {
  const name = findInteger(probeSession);
  if (name === undefined) return notAsked('it takes no integer');
  const statuses: number[] = [];
  const taken: boolean[] = [];
  for (const [slot, ending] of ['.0', 'e0'].entries()) {
    const members = probeSession.sample(slot) ?? [];
    const value = members.find((member) => member.name === name)?.value ?? [];
    const exchange = await probeSession.send({
      body: writeBody(withMember(members, name, [...value, ending])),
    });
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
