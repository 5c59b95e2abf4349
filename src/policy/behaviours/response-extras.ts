import { clientIdProperty, jsonBodies, jsonSchemaOf } from '../../contract/request-facts.ts';
import { resolveObject } from '../../document/references.ts';
import type { Contract } from '../../contract/contract.ts';
import { findDeclaredResponse, findDeclaredSuccess } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { appendPointer, type JsonPointer, holdsSame } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { isClosed } from '../../schema/walk.ts';
import { notAsked, plainRefused, unsettled, writeBody } from '../probing.ts';
import { type ProbeSession, choices, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `response-extras`: content of a response that its schema does not declare. */
export const responseExtras: Behaviour<'response-extras'> = {
  id: 'response-extras',
  question: 'Does a response contain more than its schema declares?',
  ...choices<'response-extras'>([
    ['none', 'the response contains what is declared', 'No.'],
    ['id', 'the response contains the id too, undeclared', 'The id that the client sent.'],
  ]),
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const key = clientIdProperty(operation);
    // Schemas are created on demand, and in few operations the client chooses an id.
    if (key === undefined) return notAsked('no client chooses an id');
    const schemas = (findDeclaredSuccess(operation)?.media ?? [])
      .filter(isStructured)
      .flatMap(({ schema, pointer }) => (schema === undefined ? [] : [{ schema: schema.schema, pointer }]));
    const [first] = schemas;
    if (first === undefined) return notAsked('its answer has no JSON with a schema');
    const { pointer } = first;
    if (schemas.every(({ schema }) => schemaProperties(schema).has(key))) {
      const says = `The response schema declares "${key}"`;
      return { kind: 'answered', pointer, says, answer: 'none' };
    }
    return schemas.every(({ schema }) => isClosed(schema))
      ? {
          kind: 'answered',
          pointer,
          says: 'The response schema allows no other property',
          answer: 'none',
        }
      : {
          kind: 'open',
          settledBy: `The response schema would have to declare "${key}", or additionalProperties: false`,
        };
  },
  declare({ answer, operation, contract }) {
    const key = clientIdProperty(operation);
    const [body] = jsonBodies(operation);
    if (answer === 'none' || key === undefined || body === undefined) return { additions: [], answer };
    const schema = findPropertySchema(contract, `${body.pointer}/schema`, key);
    return {
      additions: [{ kind: 'answer-schema', schema: { properties: { [key]: schema ?? {} } } }],
      answer: 'none',
    };
  },
  probe: { mostRequests: 1, needsTaken: true, ask },
};

/** Sends a create, and searches the response for the id, and for anything else that is not declared. */
async function ask(probeSession: ProbeSession): Probed<'response-extras'> {
  const { key, operation } = probeSession;
  const members = probeSession.sample();
  if (key === undefined || members === undefined) return notAsked('its client sends no id');
  const created = await probeSession.send({ body: writeBody(members) });
  if (!created.isAccepted) return plainRefused(created);
  const names = schemaProperties(
    jsonSchemaOf(findDeclaredResponse(operation.responses, created.status)?.media),
  );
  if (names.size === 0 || names.has(key.property))
    return notAsked('its response declares the id, or nothing');
  const { sent, received } = created;
  const showsKey = holdsSame(sent, received, key.property);
  const more = Object.keys(isJsonObject(received) ? received : {}).filter((name) => !names.has(name));
  const others = more.filter((name) => !showsKey || name !== key.property);
  return others.length === 0
    ? { kind: 'answer', answer: showsKey ? 'id' : 'none' }
    : unsettled(`the answer also holds ${others.join(', ')}, which is none of the answers`);
}

/** Returns the schema of a property of an object in the document, through `$ref` and `allOf`. */
function findPropertySchema(contract: Contract, pointer: JsonPointer, name: string): JsonObject | undefined {
  const entered = new Set<JsonPointer>();
  const find = (place: JsonPointer): JsonObject | undefined => {
    const found = entered.has(place) ? undefined : resolveObject(contract.root, place);
    entered.add(place);
    if (found === undefined) return undefined;
    const { properties, allOf } = found.value;
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(own)) return own;
    const parts = Array.isArray(allOf) ? allOf : [];
    return parts
      .map((_, index) => find(appendPointer(found.pointer, 'allOf', index)))
      .find((each) => each !== undefined);
  };
  return find(pointer);
}
