import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, isPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject } from '../json/value.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import { createKnownPlace, type KnownPlace, type KnownValue, unknownPlace } from '../schema/known-place.ts';
import { acceptedValues, markKnownValues, partOf, withKnownValues } from '../schema/known-values.ts';
import { type JsonSchema, mapSubschemas, membersOf, schemasAt } from '../schema/walk.ts';
import type { Contract, MediaTypeContract, Operation } from './contract.ts';
import type { Parameter } from './read-parameters.ts';
import { clientIdProperty } from './request-facts.ts';

/** The known values of one name, as a user writes it: `customerId`, `path:id`, `createOrder.body:/lines/0/sku`. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly KnownValue[];
}

/** Known values of parameters, properties, or a place in the bodies of operations. */
interface Rule extends NamedValues {
  /** Undefined for all operations. */
  readonly operation: Operation | undefined;
  /** Undefined for parameters and properties of a name anywhere. */
  readonly place: Parameter['in'] | 'body' | undefined;
  /** The name of the parameter or property, or the pointer into the body. */
  readonly at: string;
}

const placeForm = /^(?<place>path|query|querystring|header|cookie|body):(?<at>.*)$/su;

function toRule({ operations }: Contract, named: NamedValues): Rule {
  const [operation] = operations
    .filter(({ id }) => named.name.startsWith(`${id}.`))
    .toSorted((left, right) => right.id.length - left.id.length);
  const rest = operation === undefined ? named.name : named.name.slice(operation.id.length + 1);
  const { place, at = rest } = placeForm.exec(rest)?.groups ?? {};
  // `as`: the pattern has only these places.
  return { ...named, operation, place: place as Rule['place'], at };
}

/** A schema to which a rule applies, and the schema that contains it. */
type Part = readonly [root: JsonSchema, part: JsonSchema];

/** The names in a document, and the places where known values can stand. */
class Names {
  readonly #operations: readonly Operation[];
  #properties: Map<string, Part[]> | undefined;

  constructor({ operations }: Contract) {
    this.#operations = operations;
  }

  /** Returns the schemas to which a rule applies; none if its name is wrong. */
  partsOf(rule: Rule): readonly Part[] {
    const { operation, place, at } = rule;
    const operations = operation === undefined ? this.#operations : [operation];
    if (place === 'body') {
      return isPointer(at)
        ? operations.flatMap((each) => bodiesOf(each).flatMap((body) => partsAt(body, at)))
        : [];
    }
    const parameters = operations
      .flatMap((each) => each.parameters)
      .filter((each) => concerns(rule, each))
      .map(({ schema }): Part => [schema?.schema ?? true, schema?.schema ?? true]);
    if (place !== undefined) return parameters;
    return [...parameters, ...(this.#propertiesOf(operation).get(at) ?? [])];
  }

  /** Returns names that could have been meant, written like that of a rule. */
  like({ operation, place, at }: Rule): readonly string[] {
    const operations = operation === undefined ? this.#operations : [operation];
    if (place === 'body') {
      const tokens = pointerTokens(at);
      const parent = appendPointer('', ...tokens.slice(0, -1));
      return operations
        .flatMap(bodiesOf)
        .flatMap((body) =>
          schemasAt(body, parent.replaceAll(/\/\*(?=\/|$)/gu, '/0')).flatMap(({ properties }) =>
            isJsonObject(properties)
              ? Object.keys(properties).map((name) => appendPointer(parent, name))
              : [],
          ),
        );
    }
    const parameters = operations
      .flatMap((each) => each.parameters)
      .filter((each) => place === undefined || each.in === place)
      .map(({ name }) => name);
    return place === undefined ? [...parameters, ...this.#propertiesOf(operation).keys()] : parameters;
  }

  #propertiesOf(operation: Operation | undefined): ReadonlyMap<string, readonly Part[]> {
    return operation === undefined
      ? (this.#properties ??= findProperties(this.#operations))
      : findProperties([operation]);
  }
}

function concerns({ place, at }: Rule, { in: own, name }: Parameter): boolean {
  if (place !== undefined && place !== own) return false;
  return own === 'header' ? name.toLowerCase() === at.toLowerCase() : name === at;
}

function bodiesOf({ requestBody }: Operation): readonly JsonSchema[] {
  return (requestBody?.media ?? []).flatMap(({ schema }) => (schema === undefined ? [] : [schema.schema]));
}

/** Returns the schemas of the values at a place in a body. */
function partsAt(root: JsonSchema, pointer: JsonPointer): readonly Part[] {
  const tokens = pointerTokens(pointer).map((token) => (token === '*' ? '0' : token));
  const last = tokens.at(-1);
  if (last === undefined) return [[root, root]];
  return schemasAt(root, appendPointer('', ...tokens.slice(0, -1)))
    .flatMap((parent) => membersOf(parent, last))
    .flatMap((part): readonly Part[] =>
      typeof part === 'boolean' || isJsonObject(part) ? [[root, part]] : [],
    );
}

/** Returns the schemas of the properties in parameters, request bodies and responses, by name. */
function findProperties(operations: readonly Operation[]): Map<string, Part[]> {
  const found = new Map<string, Part[]>();
  const seen = new Set<JsonSchema>();
  const walk = (root: JsonSchema, schema: JsonSchema): void => {
    if (!isJsonObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const [name, part] of Object.entries(
      isJsonObject(schema['properties']) ? schema['properties'] : {},
    )) {
      if (typeof part !== 'boolean' && !isJsonObject(part)) continue;
      found.set(name, [...(found.get(name) ?? []), [root, part]]);
    }
    mapSubschemas(schema, (child) => {
      walk(root, child);
      return child;
    });
  };
  for (const { parameters, requestBody, responses } of operations) {
    const media = [requestBody, ...responses].flatMap((each) => each?.media ?? []);
    for (const { schema } of [...parameters, ...media]) {
      if (schema !== undefined) walk(schema.schema, schema.schema);
    }
  }
  return found;
}

/** Returns the error of a known value that cannot be used. */
export function invalidKnownValue(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'use the known value', subject, reason, remedy });
}

/** @throws ClocheError OPTION_INVALID */
function checkRule(rule: Rule, names: Names, { operations }: Contract): void {
  const { name, operation, place, at, values } = rule;
  const parts = names.partsOf(rule);
  if (parts.length === 0) {
    const start = name.slice(0, name.length - at.length);
    const near = closestWord(at, names.like(rule));
    const dot = operation === undefined ? name.indexOf('.') : -1;
    const id =
      dot === -1
        ? undefined
        : closestWord(
            name.slice(0, dot),
            operations.map((each) => each.id),
          );
    const meant = near === undefined ? id && id + name.slice(dot) : start + near;
    const where = operation === undefined ? 'the document' : operation.id;
    throw invalidKnownValue(
      name,
      place === 'body' && !isPointer(at)
        ? 'the place in the body is no JSON Pointer'
        : `${where} has no ${nouns[place ?? 'any']} of this name`,
      meant === undefined
        ? 'Name it as in customerId, path:customerId or createOrder.body:/lines/*/sku'
        : `Perhaps "${meant}" was meant`,
    );
  }
  for (const readings of values) {
    if (parts.some(([root, part]) => accepts([readings], root, part))) continue;
    const [root, part] = parts[0] ?? [true, true];
    const [value = null] = readings;
    const validate = compileSchema({ schema: partOf(root, part), pointer: '' }).validator(asserting);
    const [problem] = validate(value, holdsExactNumber(value));
    throw invalidKnownValue(
      `${name}=${stringifyJson(value)}`,
      problem === undefined
        ? 'no schema accepts it'
        : describeSchemaProblem({ problem, value, subject: 'it' }),
      'Give a value that the document accepts there',
    );
  }
}

const asserting = { formats: 'assert', integers: 'by-value' } as const;

/** Returns whether a schema accepts one of the values, or an array of them. */
function accepts(values: readonly KnownValue[], root: JsonSchema, part: JsonSchema): boolean {
  if (acceptedValues(values, partOf(root, part)).length > 0) return true;
  return schemasAt(partOf(root, part), '')
    .flatMap((each) => membersOf(each, '0'))
    .some((item) => isJsonObject(item) && acceptedValues(values, partOf(root, item)).length > 0);
}

const nouns = {
  any: 'parameter or property',
  path: 'path parameter',
  query: 'query parameter',
  querystring: 'parameter of the whole query string',
  header: 'header parameter',
  cookie: 'cookie parameter',
  body: 'place in a request body',
};

/**
 * Returns a contract with the same document and validators, whose generators use known values: in valid requests, or in
 * the data of a mock.
 *
 * @throws ClocheError OPTION_INVALID for a name that the document does not have, or a value that no schema of it accepts
 */
export function addKnownValues(
  contract: Contract,
  named: readonly NamedValues[],
  use: 'requests' | 'data',
): Contract {
  if (named.length === 0) return contract;
  const rules = named.map((each) => toRule(contract, each));
  const names = new Names(contract);
  for (const rule of rules) checkRule(rule, names, contract);
  const mark = use === 'data' ? createMarker(rules) : undefined;
  return { ...contract, operations: contract.operations.map((each) => withRules(each, rules, mark)) };
}

type Mark = (schema: JsonSchema) => JsonSchema;

/** Creates the function that marks the values of a mock: by name, or by the last name of a place in a body. */
function createMarker(rules: readonly Rule[]): Mark {
  const names = new Map(
    rules.flatMap(({ place, at, values }) => {
      const name =
        place === 'body' ? pointerTokens(at).findLast((token) => !/^(?:\d+|\*)$/u.test(token)) : at;
      return name === undefined || (place !== undefined && place !== 'body') ? [] : [[name, values] as const];
    }),
  );
  const copies = new WeakMap<JsonObject, JsonObject>();
  return (schema) => (isJsonObject(schema) ? markKnownValues(schema, names, copies) : schema);
}

function withRules(operation: Operation, all: readonly Rule[], mark: Mark | undefined): Operation {
  // Rules of the operation override those of all operations, and rules of a place those of any place.
  const rules = all
    .filter((rule) => rule.operation === undefined || rule.operation === operation)
    .toSorted((left, right) => rank(left) - rank(right));
  const names = new Map(
    rules.flatMap(({ place, at, values }) => (place === undefined ? [[at, values]] : [])),
  );
  const pointers = new Map<JsonPointer, readonly KnownValue[]>(
    rules.flatMap(({ place, at, values }) => (place === 'body' ? [[at, values] as const] : [])),
  );
  // Ids of items that the operation creates must be fresh; those of items that it changes are ids of the run.
  const id = clientIdProperty(operation);
  const own = operation.bodyItems().flatMap(({ pointer, isOwn }) => (isOwn ? [pointer] : []));
  for (const pointer of [...(id === undefined ? [] : [appendPointer('', id)]), ...own]) {
    if (!pointers.has(pointer)) pointers.set(pointer, []);
  }
  const body = createKnownPlace({ names, pointers });
  const shown = createKnownPlace({ names });
  const addTo = <Holder extends Pick<MediaTypeContract, 'schema' | 'examples'>>(
    holder: Holder,
    known: KnownPlace,
  ): Holder => {
    if (holder.schema === undefined || known === unknownPlace) return holder;
    const schema = toKnown(holder.schema, known, mark);
    return { ...holder, schema, examples: holder.examples.map((each) => withKnownValues(schema, each)) };
  };
  const { requestBody } = operation;
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => {
      const values = rules.findLast((rule) => rule.place !== 'body' && concerns(rule, parameter))?.values;
      const ofParameter = values === undefined ? names : new Map([...names, [parameter.name, values]]);
      return addTo(parameter, createKnownPlace({ names: ofParameter, root: parameter.name }));
    }),
    requestBody: requestBody && {
      ...requestBody,
      media: requestBody.media.map((media) => addTo(media, body)),
    },
    responses:
      mark === undefined
        ? operation.responses
        : operation.responses.map((response) => ({
            ...response,
            media: response.media.map((media) => addTo(media, shown)),
          })),
  };
}

const rank = ({ operation, place }: Rule): number =>
  (operation === undefined ? 0 : 2) + (place === undefined ? 0 : 1);

/** Returns a schema with the validators of another, and known values. */
function toKnown(base: CompiledSchema, known: KnownPlace, mark: Mark | undefined): CompiledSchema {
  const { pointer, placeOf } = base;
  let marked: JsonSchema | undefined;
  return {
    pointer,
    placeOf,
    validator: (reading) => base.validator(reading),
    known,
    get schema() {
      return mark === undefined ? base.schema : (marked ??= mark(base.schema));
    },
  };
}
