import { configurationKey, type OptionsByName, sharedOptions } from '../../src/config/keys.ts';
import type { Option } from '../../src/config/option.ts';
import { listSections } from '../../src/cli/commands/sections.ts';
import type { JsonObject } from '../../src/json/value.ts';

const variable = { type: 'string', pattern: '\\$\\{' };
const scalar = { type: ['string', 'number', 'boolean'] };

const forms: Readonly<Record<Option['kind'], JsonObject>> = {
  switch: { anyOf: [{ type: 'boolean' }, variable] },
  text: { type: ['string', 'number'] },
  word: { type: 'string' },
  token: { type: 'string' },
  argument: { type: 'string' },
  number: { anyOf: [{ type: 'number' }, variable] },
  whole: { anyOf: [{ type: 'integer' }, variable] },
  texts: { anyOf: [{ type: 'string' }, { type: 'array', items: scalar }] },
  tokens: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  setting: { type: 'object' },
};

function describeOption(option: Option): JsonObject {
  const { kind, describe, choices, pairs, from, to, members, default: usual } = option;
  if (pairs !== undefined) {
    return {
      description: describe,
      anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'string' } }],
    };
  }
  if (choices !== undefined) return { description: describe, enum: [...choices] };
  if (kind === 'number' || kind === 'whole') {
    const type = kind === 'whole' ? 'integer' : 'number';
    const bounds = { minimum: from ?? 0, ...(to === undefined ? {} : { maximum: to }) };
    const value = { description: describe, anyOf: [{ type, ...bounds }, variable] };
    return usual === undefined ? value : { ...value, default: usual };
  }
  if (members !== undefined) {
    return {
      description: describe,
      ...closed(Object.fromEntries(members.map((name) => [name, forms[kind]]))),
    };
  }
  return { description: describe, ...forms[kind] };
}

/** The properties of options, with an object for the keys before a dot. */
function describeKeys(options: OptionsByName): JsonObject {
  const properties: JsonObject = {};
  for (const [name, option] of Object.entries(options)) {
    const key = configurationKey(name, option);
    if (key === undefined) continue;
    const [first = '', nested] = key.split('.');
    if (nested === undefined) {
      properties[first] = describeOption(option);
    } else {
      const before = properties[first] as { properties: JsonObject } | undefined;
      properties[first] = {
        type: 'object',
        additionalProperties: false,
        properties: { ...before?.properties, [nested]: describeOption(option) },
      };
    }
  }
  return properties;
}

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

/** Returns the JSON Schema of a configuration, which the table of options gives. */
export function createConfigurationSchema(): JsonObject {
  const sections = listSections();
  const commands = Object.fromEntries(
    Object.entries(sections).map(([name, options]) => [
      name,
      { description: `Options of cloche ${name}.`, ...closed(describeKeys(options)) },
    ]),
  );
  const references = Object.fromEntries(
    Object.keys(sections).map((name) => [name, { $ref: `#/$defs/${name}` }]),
  );
  const level = { ...describeKeys(sharedOptions(sections)), ...references };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Cloche',
    description:
      'cloche.yaml and the like: options of the commands. `${NAME}` takes a value from the environment.',
    ...closed({
      $schema: { type: 'string', description: 'Where this schema is, for editors.' },
      ...level,
      services: {
        description: 'Several services, by name.',
        type: 'object',
        additionalProperties: closed({
          ...level,
          prefix: {
            type: 'string',
            pattern: '^/',
            description: 'The prefix under which cloche mock serves the document: /orders.',
          },
        }),
      },
    }),
    $defs: commands,
  };
}
