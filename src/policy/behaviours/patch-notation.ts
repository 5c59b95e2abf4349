import type { Operation } from '../../contract/contract.ts';
import { plainJsonBody, jsonSchemaOf } from '../../contract/request-facts.ts';
import { keptRole } from '../../contract/resources.ts';
import { holdsSame } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { notAsked, plainRefused, unsettled } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `patch-notation`: the meaning of an update in `application/json` (RFC 5789 §2). */
export const patchNotation: Behaviour<'patch-notation'> = {
  id: 'patch-notation',
  question: 'How is an update in application/json applied to an item?',
  isOfResources: true,
  ...choices<'patch-notation'>([
    [
      'merge',
      'as a merge patch (RFC 7396)',
      'As a merge patch (RFC 7396): null removes, objects are merged at any depth.',
    ],
    [
      'shallow-merge',
      'each property sent replaces the old one',
      'Each property that is sent replaces the old one as a whole.',
    ],
    ['replace', 'what is left out is removed', 'It replaces the item: what is left out is removed.'],
  ]),
  documentValue: (operation) =>
    keptRole(operation)?.kind !== 'update' || plainJsonBody(operation) === undefined
      ? notAsked('the operation takes no update in application/json')
      : { kind: 'open', settledBy: 'The operation would have to take application/merge-patch+json instead' },
  probe: { mostRequests: 16, needsTaken: false, ask },
};

/** Updates an item created for the probe: without one of its properties, and with only a part of an object in it. */
async function ask({ operation, items }: ProbeSession): Probed<'patch-notation'> {
  const role = keptRole(operation);
  if (role?.kind !== 'update') return notAsked('it updates nothing');
  if (role.resource.kind === 'singleton') {
    return unsettled('what it updates was there before, and is not to be harmed');
  }
  const made = await items.make(role.resource);
  const shown = (await items.show(made)) ?? {};
  const schema = jsonSchemaOf(operation.requestBody?.media);
  const allowed = schemaProperties(schema && schemaAt(schema, role.request));
  const kept = Object.keys(made.body).filter((name) => allowed.get(name)?.readOnly === false);
  const patch = Object.fromEntries(kept.map((name) => [name, made.body[name] ?? null]));
  const optional = optionalNames(items.operation(role.resource, 'create') ?? operation);
  const left = kept.find((name) => optional.has(name) && holdsSame(made.body, shown, name));
  if (left === undefined)
    return unsettled('its items have no optional property that is shown and can be updated');
  const { [left]: _left, ...others } = patch;
  const updated = await items.send(operation, made, { body: others });
  if (!updated.isAccepted) return plainRefused(updated);
  if (!holdsSame(made.body, (await items.show(made)) ?? {}, left))
    return { kind: 'answer', answer: 'replace' };
  const nested = kept.find(
    (name) => isJsonObject(made.body[name]) && Object.keys(made.body[name]).length > 1,
  );
  if (nested === undefined) return { kind: 'answer', answer: 'merge', alike: ['shallow-merge'] };
  const [first = '', second = ''] = Object.keys(isJsonObject(made.body[nested]) ? made.body[nested] : {});
  const inner = isJsonObject(made.body[nested]) ? made.body[nested] : {};
  const partly = await items.send(operation, made, {
    body: { ...patch, [nested]: { [first]: inner[first] ?? null } },
  });
  if (!partly.isAccepted) return { kind: 'answer', answer: 'merge', alike: ['shallow-merge'] };
  const after = ((await items.show(made)) ?? {})[nested];
  return { kind: 'answer', answer: holdsSame(inner, after, second) ? 'merge' : 'shallow-merge' };
}

/** Returns the properties that a create may omit. */
function optionalNames(create: Operation): ReadonlySet<string> {
  const schema = jsonSchemaOf(create.requestBody?.media);
  const path = 'request' in create.kind ? create.kind.request : [];
  const properties = [...schemaProperties(schema && schemaAt(schema, path))];
  return new Set(properties.flatMap(([name, { required }]) => (required ? [] : [name])));
}
