import { listReadOnly, readOnlySchemas } from '../../contract/request-facts.ts';
import { keptRole } from '../../contract/resources.ts';
import { appendPointer, resolvePointer } from '../../json/pointer.ts';
import {
  holdsExactNumber,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { foldSchema } from '../../schema/merge.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { isRefused, notAsked, unexpectedAnswer, plainRefused, unspecified, unsettled } from '../probing.ts';
import { choices, type ProbeExchange, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `read-only-sent`: the effect of a read-only property in a request (OpenAPI 3.1 §4.8.24.3). */
export const readOnlySent: Behaviour<'read-only-sent'> = {
  id: 'read-only-sent',
  question: 'What happens to read-only properties in a request?',
  isOfResources: true,
  ...choices<'read-only-sent'>([
    ['ignore', 'they are ignored', 'They are accepted and change nothing.'],
    ['refuse', 'the body is refused', 'The body is refused.'],
  ]),
  documentValue: (operation) =>
    keptRole(operation) !== undefined && listReadOnly(operation).length > 0
      ? unspecified
      : notAsked('its body has no read-only property'),
  probe: { mostRequests: 15, needsTaken: false, ask },
};

/** Sends a read-only property with another value than that of an item that was created for the probe. */
async function ask({ operation, items }: ProbeSession): Probed<'read-only-sent'> {
  const role = keptRole(operation);
  if (role === undefined || role.resource.kind === 'singleton') {
    return unsettled('what it changes was there before, and is not to be harmed');
  }
  const { resource } = role;
  const below = await items.collection(resource);
  const created = await items.tryMake(resource, { below });
  const made = created.item;
  if (made === undefined) return plainRefused(created.exchange);
  const shown =
    role.kind === 'create' ? shownBy(role.response, created.exchange) : ((await items.show(made)) ?? {});
  const { key } = resource;
  const schemas = readOnlySchemas(operation);
  const names = [...schemas.keys()].filter((name) => Object.hasOwn(shown, name));
  const property = names.find((name) => key.kind === 'none' || name !== key.property) ?? names[0];
  if (property === undefined) return unsettled('no read-only property is shown');
  const isKey = key.kind !== 'none' && property === key.property;
  const other = isKey
    ? (await items.unknown(made)).id
    : changeValue(shown[property] ?? null, schemas.get(property) ?? true);
  if (other === undefined) return unsettled(`no other value of "${property}" is valid`);
  const withOther = (body: JsonObject): JsonObject => ({ ...body, [property]: other });
  const exchange =
    role.kind === 'create'
      ? (await items.tryMake(resource, { below: made.collection, change: withOther })).exchange
      : await items.send(operation, made, { body: withOther(made.body) });
  if (isRefused(exchange)) {
    // Another value may have to be unique, or the operation may accept no body of the probe.
    const control =
      role.kind === 'create'
        ? (await items.tryMake(resource, { below: made.collection })).exchange
        : await items.send(operation, made, { body: made.body });
    return control.isAccepted ? { kind: 'answer', answer: 'refuse' } : plainRefused(control);
  }
  if (!exchange.isAccepted) return unexpectedAnswer(`a read-only "${property}"`, exchange);
  const after = role.kind === 'create' ? shownBy(role.response, exchange) : await items.show(made);
  return jsonEqual(after?.[property] ?? null, other)
    ? unsettled(`a read-only "${property}" is taken from the client, which is none of the answers`)
    : { kind: 'answer', answer: 'ignore' };
}

function shownBy(path: readonly string[] = [], { received }: ProbeExchange): JsonObject {
  const shown = resolvePointer(received ?? null, appendPointer('', ...path));
  return isJsonObject(shown) ? shown : {};
}

/** Returns another value that the schema accepts: of the same form, or of the enum. */
function changeValue(value: JsonValue, schema: JsonSchema): JsonValue | undefined {
  const { enum: listed } = foldSchema(schema);
  const validate = compileSchema({ schema, pointer: '' }).validator({
    formats: 'assert',
    integers: 'by-value',
  });
  return [changeForm(value), ...(Array.isArray(listed) ? listed : [])].find(
    (other) => !jsonEqual(other, value) && validate.accepts(other, holdsExactNumber(other)),
  );
}

/** Returns another value of the same type, and of the same format if that consists of digits. */
function changeForm(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value + 1_000;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  // A time that differs by a millisecond may be that of the next item: 3026 instead of 2026.
  const digit = /^\d{4}-\d\d-/u.test(value) ? /\d/u : /\d(?=\D*$)/u;
  return digit.test(value)
    ? value.replace(digit, (old) => String((Number(old) + 1) % 10))
    : `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`;
}
