import { jsonBodies } from '../../contract/request-facts.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../../schema/walk.ts';
import {
  createBodyProbes,
  findKeyBounds,
  findNumberBounds,
  findTextBounds,
  findTextPattern,
  type TextProbes,
} from '../find-bounds.ts';
import { freeTexts, notAsked, unsettled } from '../probing.ts';
import type { BehaviourValues, ProbeSession, Behaviour, Probed } from '../behaviour.ts';

const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Keywords whose values are checked when they are compiled (JSON Schema 2020-12 core §10, validation §9). */
const furtherKeywords =
  'allOf anyOf oneOf not if then else dependentSchemas dependentRequired properties patternProperties ' +
  'additionalProperties propertyNames unevaluatedProperties items prefixItems contains unevaluatedItems const ' +
  'default examples title description deprecated readOnly writeOnly $comment contentEncoding contentMediaType ' +
  'contentSchema';

/** The JSON Schema of a fragment that constrains a property: the keywords of JSON Schema without references. */
const fragmentSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    type: { anyOf: [{ enum: types }, { type: 'array', items: { enum: types }, minItems: 1 }] },
    enum: { type: 'array', minItems: 1 },
    minLength: count,
    maxLength: count,
    pattern: { type: 'string', format: 'regex' },
    format: { type: 'string' },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    minItems: count,
    maxItems: count,
    uniqueItems: { type: 'boolean' },
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    required: { type: 'array', items: { type: 'string' } },
    ...Object.fromEntries(furtherKeywords.split(' ').map((keyword) => [keyword, true])),
  },
};

/** The behaviour `constraints`: constraints on values beyond the schema. */
export const constraints: Behaviour<'constraints'> = {
  id: 'constraints',
  question: 'Are there constraints on values beyond the schema?',
  default: {},
  representatives: [{}, { name: { maxLength: 255 } }],
  schema: {
    type: 'object',
    additionalProperties: fragmentSchema,
    description: 'A JSON Schema for each such property, by its name.',
    examples: [{ name: { maxLength: 255 } }],
  },
  describe: (bounds) =>
    Object.entries(bounds)
      .map(([name, fragment]) => `${name} ${stringifyJson(fragment)}`)
      .join(', ') || 'none',
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const bodies = jsonBodies(operation);
    const [first] = bodies;
    if (first === undefined) return notAsked('the operation takes no JSON object');
    const free = bodies.flatMap(({ schema }) =>
      [...schemaProperties(schema?.schema)]
        .filter(([, property]) => !isBounded(property.schema, schema?.schema ?? true))
        .map(([name]) => name),
    );
    return free.length === 0
      ? {
          kind: 'answered',
          pointer: first.pointer,
          says: 'Its schema bounds each property of the body',
          answer: {},
        }
      : {
          kind: 'open',
          settledBy: `Its schema would have to bound ${[...new Set(free)].join(', ')} (maxLength, pattern, maximum, maxItems, enum …)`,
        };
  },
  declare({ answer }) {
    const properties: JsonObject = { ...answer };
    return {
      additions: Object.keys(answer).length === 0 ? [] : [{ kind: 'request-schema', schema: { properties } }],
      answer: {},
    };
  },
  probe: { mostRequests: 300, needsTaken: true, ask },
  hiddenBy(answers) {
    const limit = answers['body-limit'];
    const bytes = isJsonObject(limit) ? limit['bytes'] : undefined;
    // The service rejects the body of a longer text before it checks the text.
    return typeof bytes === 'number' && longestText(answers.constraints) >= bytes
      ? { by: 'body-limit', why: 'bodies that are longer than the texts it bounds are not read' }
      : undefined;
  },
};

function longestText(constraints: JsonValue | undefined): number {
  const fragments = isJsonObject(constraints) ? Object.values(constraints) : [];
  const lengths = fragments.flatMap((fragment) => {
    const length = isJsonObject(fragment) ? fragment['maxLength'] : undefined;
    return typeof length === 'number' ? [length] : [];
  });
  return Math.max(0, ...lengths);
}

const upper = ['maximum', 'exclusiveMaximum'];
const lower = ['minimum', 'exclusiveMinimum'];

/** Returns whether a schema bounds all values of a property, as far as its type has bounds. */
function isBounded(schema: JsonSchema, root: JsonSchema): boolean {
  const parts = schemasInPlace(root, schema);
  const hasOne = (keywords: readonly string[]): boolean =>
    parts.some((part) => keywords.some((keyword) => Object.hasOwn(part, keyword)));
  const types = schemaTypes(schema, root);
  const isListed = hasOne(['enum', 'const']);
  return (
    isListed ||
    ((!types.has('string') || hasOne(['maxLength', 'pattern'])) &&
      ((!types.has('integer') && !types.has('number')) || (hasOne(upper) && hasOne(lower))) &&
      (!types.has('array') || hasOne(['maxItems'])))
  );
}

/** Sends longer and shorter texts, texts of other characters, and more distant numbers. */
async function ask(probeSession: ProbeSession): Probed<'constraints'> {
  if (probeSession.sample() === undefined) return notAsked('it takes no JSON object');
  const answer = await probeSession.once('constraints', () => find(probeSession));
  if (answer === undefined) {
    return unsettled('an id out of its bounds is refused as one that exists is, so no bound can be found');
  }
  return (await stillHolds(probeSession, answer))
    ? { kind: 'answer', answer }
    : unsettled(`what was found at first does not hold: ${Object.keys(answer).join(', ')}`);
}

/** Returns the integers of a sample that are not ids, by name. */
function wholeNumbers(probeSession: ProbeSession): readonly (readonly [string, bigint])[] {
  return (probeSession.sample() ?? []).flatMap(({ name, value }) => {
    const [text, ...rest] = value;
    return typeof text === 'string' && rest.length === 0 && /^-?\d{1,15}$/u.test(text)
      ? [[name, BigInt(text)] as const]
      : [];
  });
}

/** A short text that must be unique may already exist. Therefore several are tried. */
function asUnique(text: TextProbes): TextProbes {
  const tries = 3;
  const shortest = 3;
  return {
    ...text,
    async length(length) {
      if (length === 0n) return 'other';
      const most = length > shortest ? 1 : tries;
      let verdict = await text.length(length);
      for (let count = 1; count < most && verdict === 'refused'; count += 1) {
        verdict = await text.length(length);
      }
      return verdict;
    },
  };
}

/** @returns undefined if bounds of the id cannot be determined */
async function find(probeSession: ProbeSession): Promise<BehaviourValues['constraints'] | undefined> {
  const probes = createBodyProbes(probeSession);
  const found: Record<string, JsonObject> = {};
  const unique = probeSession.settled('unique-properties');
  for (const name of freeTexts(probeSession)) {
    const text = probes.ofText(name);
    const isUnique = Array.isArray(unique) && unique.includes(name);
    const lengths = await findTextBounds(isUnique ? asUnique(text) : text);
    const pattern = await findTextPattern(text);
    found[name] = { ...lengths, ...(pattern === undefined ? {} : { pattern }) };
  }
  for (const [name, taken] of wholeNumbers(probeSession)) {
    found[name] = await findNumberBounds(taken, probes.ofNumber(name));
  }
  if (probeSession.key?.isNumber === true) {
    const bounds = await findKeyBounds(probeSession);
    if (bounds === undefined) return undefined;
    found[probeSession.key.property] = bounds;
  }
  return Object.fromEntries(Object.entries(found).filter(([, fragment]) => Object.keys(fragment).length > 0));
}

/** Returns whether the lengths of texts that were found still apply. */
async function stillHolds(
  probeSession: ProbeSession,
  found: BehaviourValues['constraints'],
): Promise<boolean> {
  const probes = createBodyProbes(probeSession);
  for (const [name, { maxLength }] of Object.entries(found)) {
    if (typeof maxLength === 'number') {
      const { length } = probes.ofText(name);
      const sides = [await length(BigInt(maxLength)), await length(BigInt(maxLength + 1))];
      if (sides.join(' ') !== 'accepted refused') return false;
    }
  }
  return (await probes.plain()) === 'accepted';
}
