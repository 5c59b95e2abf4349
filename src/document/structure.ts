import { packageFile } from './package-manifest.ts';
import { readFileSync } from 'node:fs';
import { type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';
import { plainPointer } from './references.ts';
import { evaluateStructure, type ExpectedTarget } from './structure-evaluator.ts';
import { holdsDefinitions, isUnknownKeyword, passOver, recoveryOf, createRecovery } from './recoveries.ts';
import { noResponse, type StructureProblem } from './structure-problems.ts';

/** A version of OpenAPI with its own structure. 2.0 is converted to 3.0. */
export type StructureVersion = '3.0' | '3.1' | '3.2';

/**
 * Checks a document against the structure of its OpenAPI version, with one problem for each mistake. References are
 * followed one step: the target of a reference must be valid in the place of the reference.
 */
export function checkStructure(root: JsonObject, version: StructureVersion): readonly DocumentProblem[] {
  const structure = openApiStructure(version);
  const whole = evaluateStructure({ structure, schema: structure, value: root, pointer: '' });
  const own = whole.problems.filter(
    ({ keyword, pointer }) => keyword !== 'unknown' || !holdsDefinitions(pointer),
  );
  const problems: DocumentProblem[] = own.map(withRecovery);
  const seen = new Set<string>();
  const waiting: ExpectedTarget[] = [...whole.targets];
  // A list also iterates over items that are added during the loop.
  for (const next of waiting) {
    const { reference, target } = next;
    const place = plainPointer(reference);
    const key = `${place} ${nameOfTarget(target)}`;
    if (place === undefined || seen.has(key) || isAtHome(place, target)) continue;
    seen.add(key);
    const value = resolvePointer(root, place);
    if (value === undefined) continue;
    const outcome = evaluateStructure({ structure, schema: orReference(target), value, pointer: place });
    waiting.push(...outcome.targets);
    if (outcome.problems.length > 0 && !problems.some((problem) => isWithin(problem, place))) {
      problems.push(describeWrongTarget(next));
    }
  }
  const unknown = own.filter(({ keyword }) => keyword === 'unknown');
  const ledInto = new Set(unknown.length === 0 ? [] : waiting.flatMap(holdersOfTarget));
  for (const problem of unknown.filter(({ pointer }) => ledInto.has(pointer))) {
    const described = withRecovery(problem);
    const { unclear = [] } = described.recovery ?? {};
    problems.push({
      ...described,
      recovery: createRecovery('only the references that lead into it are followed', { unclear }),
    });
  }
  const different = new Map(problems.map((each) => [JSON.stringify([each.pointer, each.reason]), each]));
  // If a response is wrong itself, or its reference leads to nothing, that problem is the mistake.
  return [...different.values()].filter(
    (problem, _index, all) =>
      problem.reason !== noResponse ||
      !all.some((other) => other !== problem && isWithin(other, problem.pointer)),
  );
}

/** Returns the places that contain the target of a reference. */
function holdersOfTarget({ reference }: ExpectedTarget): readonly string[] {
  const tokens = reference.slice(1).split('/');
  return tokens.map((_, depth) => tokens.slice(0, depth).join('/'));
}

function withRecovery(problem: StructureProblem): DocumentProblem {
  const name = pointerTokens(problem.pointer).at(-1) ?? '';
  // YAML reads the text after a comma in braces as a new key.
  const cause = name.includes(' ') ? ' (a comma in an unquoted description?)' : '';
  const reason = isUnknownKeyword(problem)
    ? `unknown keyword ${JSON.stringify(name)} in a schema${cause}`
    : problem.reason;
  return { ...problem, reason, recovery: recoveryOf(problem) };
}

function isWithin({ pointer }: DocumentProblem, place: JsonPointer): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

const orReferences = new Map<JsonValue, JsonValue>();

/** The target of a reference may be another reference. */
function orReference(target: JsonValue): JsonValue {
  const isReference = { type: 'object', required: ['$ref'] };
  const known = orReferences.get(target) ?? { if: isReference, else: target, target };
  orReferences.set(target, known);
  return known;
}

function nameOfTarget(target: JsonValue): string {
  const reference = isJsonObject(target) && typeof target['$ref'] === 'string' ? target['$ref'] : '';
  return pointerTokens(reference).at(-1) ?? 'object';
}

function isAtHome(place: JsonPointer, target: JsonValue): boolean {
  const [components, section, ...rest] = pointerTokens(place);
  const home = homes[nameOfTarget(target).toLowerCase().replaceAll('-', '')];
  return components === 'components' && section === home && rest.length === 1;
}

function describeWrongTarget({ pointer, reference, target }: ExpectedTarget): DocumentProblem {
  const kind = nameOfTarget(target)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .replaceAll('-', ' ')
    .toLowerCase();
  return {
    pointer: `${pointer}/$ref`,
    reason: `the reference ${JSON.stringify(reference)} leads to something that is no ${kind}`,
    remedy: `Let it lead to a ${kind}`,
    recovery: passOver(pointer),
  };
}

/** The section of `components` for each kind of object. Objects there are checked anyway. */
const homes: Readonly<Record<string, string>> = {
  callback: 'callbacks',
  example: 'examples',
  header: 'headers',
  link: 'links',
  mediatype: 'mediaTypes',
  parameter: 'parameters',
  pathitem: 'pathItems',
  requestbody: 'requestBodies',
  response: 'responses',
  schema: 'schemas',
  securityscheme: 'securitySchemes',
};

const structures = new Map<StructureVersion, JsonObject>();

/**
 * Returns the published JSON Schema of OpenAPI documents of a version, prepared for the evaluator. If an object may be
 * replaced by a reference, `target` is the required kind of object. For 3.1 and 3.2, the Schema Object is written out.
 */
export function openApiStructure(version: StructureVersion): JsonObject {
  const known = structures.get(version);
  if (known !== undefined) return known;
  const file = packageFile('dist', 'schemas', `openapi-${version}.json`);
  // `as`: JSON.parse is typed `any`, and the build copies the file from a pinned package.
  const published = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  const structure = version === '3.0' ? toStructure30(published) : toStructure31(published, version);
  structures.set(version, structure);
  return structure;
}

function toStructure31(published: JsonObject, version: '3.1' | '3.2'): JsonObject {
  const { $defs } = published;
  const definitions: JsonObject = {
    ...(isJsonObject($defs) ? $defs : {}),
    schema: version === '3.1' ? schemaObject : schemaObject32,
  };
  const { parameters } = definitions;
  // `checkMeaning` finds parameters that exclude each other, also behind references.
  if (isJsonObject(parameters)) {
    definitions['parameters'] = { type: 'array', items: parameters['items'] ?? true };
  }
  for (const [name, definition] of Object.entries(definitions)) {
    const { else: whole } = isJsonObject(definition) ? definition : {};
    const target = name === 'path-item' ? { $ref: '#/$defs/path-item' } : whole;
    if (isJsonObject(definition) && target !== undefined) {
      definitions[name] = { ...definition, target };
    }
  }
  return { ...published, $defs: definitions };
}

/**
 * In 3.0 an object that may be a reference is `oneOf` the object and the reference. A mistake in the object would be
 * reported twice, as it is not a reference either. `$ref` shows which of them is meant.
 */
function toStructure30(value: JsonObject): JsonObject {
  const amend = (part: JsonValue): JsonValue => {
    if (Array.isArray(part)) return part.map(amend);
    return isJsonObject(part) ? toStructure30(part) : part;
  };
  const amended = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, amend(member)]));
  const branches = Array.isArray(amended['oneOf']) ? amended['oneOf'] : [];
  const others = branches.filter((each) => !isJsonObject(each) || each['$ref'] !== '#/definitions/Reference');
  if (others.length === branches.length) return amended;
  const [first = true] = others;
  return {
    if: { type: 'object', required: ['$ref'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: '#/definitions/Reference' },
    else: others.length === 1 ? first : { oneOf: others },
    target: first,
  };
}

const schema: JsonObject = { $ref: '#/$defs/schema' };
const string: JsonObject = { type: 'string' };
const boolean: JsonObject = { type: 'boolean' };
const number: JsonObject = { type: 'number' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const strings: JsonObject = { type: 'array', items: string, uniqueItems: true };
const schemas: JsonObject = { type: 'array', items: schema, minItems: 1 };
const namedSchemas: JsonObject = { type: 'object', additionalProperties: schema };
const typeName: JsonObject = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

function each(names: string, value: JsonValue): JsonObject {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

const discriminatorFields: JsonObject = {
  propertyName: string,
  mapping: { type: 'object', additionalProperties: string },
};
const xmlFields: JsonObject = {
  ...each('name namespace prefix', string),
  ...each('attribute wrapped', boolean),
};

/**
 * The Schema Object of OpenAPI 3.1 (§4.8.24): the keywords of JSON Schema 2020-12 and of OpenAPI, each with its allowed
 * values. The published schema of OpenAPI 3.1 does not specify them.
 */
const schemaObject = {
  type: ['object', 'boolean'],
  target: schema,
  properties: {
    ...each(
      '$anchor $comment $dynamicAnchor $id $ref $schema contentEncoding contentMediaType description format title',
      string,
    ),
    ...each('deprecated readOnly uniqueItems writeOnly', boolean),
    ...each('exclusiveMaximum exclusiveMinimum maximum minimum', number),
    ...each(
      'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties',
      count,
    ),
    ...each('allOf anyOf oneOf prefixItems', schemas),
    ...each('$defs dependentSchemas properties', namedSchemas),
    ...each(
      'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties',
      schema,
    ),
    $dynamicRef: false,
    dependentRequired: { type: 'object', additionalProperties: strings },
    discriminator: {
      type: 'object',
      properties: discriminatorFields,
      required: ['propertyName'],
    },
    enum: { type: 'array' },
    examples: { type: 'array' },
    externalDocs: { $ref: '#/$defs/external-documentation' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    pattern: { type: 'string', format: 'regex' },
    patternProperties: { ...namedSchemas, propertyNames: { format: 'regex' } },
    required: strings,
    type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
    xml: { type: 'object', properties: xmlFields },
  },
} satisfies JsonObject;

/** The Schema Object of OpenAPI 3.2: `discriminator` and `xml` have one field more (§4.25, §4.26). */
const schemaObject32: JsonObject = {
  ...schemaObject,
  properties: {
    ...schemaObject.properties,
    discriminator: {
      type: 'object',
      properties: { ...discriminatorFields, defaultMapping: string },
      required: ['propertyName'],
    },
    xml: {
      type: 'object',
      properties: { ...xmlFields, nodeType: { enum: ['element', 'attribute', 'text', 'cdata', 'none'] } },
    },
  },
};
