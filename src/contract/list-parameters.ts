import type { JsonObject } from '../json/value.ts';
import { itemSchema, schemaAt, schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../schema/walk.ts';
import type { Operation } from './contract.ts';
import { type Parameter } from './read-parameters.ts';
import { parseQuery } from '../http/query.ts';
import { plain, splitWords } from './resource-key.ts';
import { findSuccessResponse } from './responses.ts';

/** The purpose of a list parameter. */
export type ListParameterRole =
  | 'limit'
  | 'offset'
  | 'page'
  | 'after'
  | 'before'
  | 'sort'
  | 'direction'
  | 'search';

/** The names of list parameters, without separators and in lower case. */
export const ownNames: Readonly<Record<ListParameterRole, RegExp>> = {
  limit:
    /^(?:limit|(?:items|results|rows)?perpage|page(?:size|limit|length)|max(?:results?|items|records|count|keys|entries|pagesize|size)?|(?:num|number)?ofresults|numresults|rows|top|take)$/u,
  offset: /^(?:(?:page|record|row)?offset|skip|startindex|startat|firstresult|startposition)$/u,
  page: /^(?:page(?:number|no|num|nr|index|page)?|currentpage)$/u,
  after:
    /^(?:page)?(?:(?:after|next|start|page)?cursor|cursorafter|(?:page|next|nextpage|continuation|cursor|pagination)token|continuation|continue|starting?after|afterid|sinceid|last(?:seen)?(?:id|key)|(?:exclusive)?startkey|marker|scrollid|bookmark)$|^pageafter$/u,
  before:
    /^(?:page)?(?:(?:before|prev|previous|end)cursor|cursorbefore|ending?before|beforeid)$|^pagebefore$/u,
  sort: /^(?:sort(?:by|field|key|column|property|on|ing)?|orderby|ordering|orderfield)$/u,
  direction: /^(?:sort|order)(?:order|direction|dir|type|mode)$|^(?:sortorder|direction|dir)$/u,
  search: /^(?:q|search(?:term|text|query|string)?|keywords?|fulltext|freetext)$/u,
};

/** Names that are list parameters only if items have no property of that name. */
export const sharedNames: Readonly<Partial<Record<ListParameterRole, RegExp>>> = {
  limit: /^(?:size|count|per|first|num)$/u,
  offset: /^(?:start|from|index)$/u,
  page: /^p$/u,
  after: /^(?:after|next)$/u,
  before: /^(?:before|previous|prev)$/u,
  sort: /^order$/u,
  search: /^(?:query|text|term)$/u,
};

/** A value in the query of a list: a parameter, or a property of an object parameter. */
export interface ListMember {
  readonly parameter: Parameter;
  /** Its name in the query: `page[number]`. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Returns the first query member of a list whose name matches a role. */
export function findListMember({ parameters }: Operation, role: ListParameterRole): ListMember | undefined {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(membersOf)
    .find(({ name, schema }) => {
      const plain = splitWords(name).join('');
      const isCalled = ownNames[role].test(plain) || sharedNames[role]?.test(plain) === true;
      return isCalled && fitsRole(role, plain, schema);
    });
}

/**
 * Returns whether a parameter has a suitable type for its role: `start` with a time is not an offset.
 *
 * @param plain - its name, without separators and in lower case
 */
export function fitsRole(role: ListParameterRole, plain: string, schema: JsonSchema): boolean {
  const types = schemaTypes(schema, schema);
  const parts = schemasInPlace(schema, schema, ['allOf']);
  const isNumber = types.has('integer') || types.has('number');
  const isText = types.size === 0 || types.has('string');
  if (role === 'limit' || role === 'offset' || role === 'page') {
    return isNumber || (isText && ownNames[role].test(plain) && !parts.some((part) => 'enum' in part));
  }
  if (role === 'after' || role === 'before') {
    const isTime = parts.some(({ format }) => format === 'date' || format === 'date-time');
    return (isNumber || isText) && !isTime;
  }
  return isText || (types.has('array') && role !== 'direction');
}

function membersOf(parameter: Parameter): readonly ListMember[] {
  const { name, style } = parameter;
  const schema = parameter.schema?.schema ?? true;
  if (!schemaTypes(schema).has('object')) return [{ parameter, name, schema }];
  const properties = style === 'deepObject' ? [...schemaProperties(schema).keys()] : [];
  return properties.map((property) => ({
    parameter,
    name: `${name}[${property}]`,
    schema: schemaAt(schema, [property]) ?? true,
  }));
}

/** Returns the maximum of the limit of a list, an integer, if its schema declares one. */
export function findLimitMaximum(
  operation: Operation,
): (ListMember & { readonly maximum: number }) | undefined {
  const member = findListMember(operation, 'limit');
  if (member === undefined || !schemaTypes(member.schema).has('integer')) return undefined;
  const [maximum] = schemasInPlace(member.schema, member.schema, ['allOf']).flatMap(({ maximum: most }) =>
    typeof most === 'number' ? [most] : [],
  );
  return maximum === undefined ? undefined : { ...member, maximum };
}

/**
 * Returns the number of the first page or item of a list. By default items start at 0 and pages at 1. The schema of the
 * parameter can override this.
 */
export function firstNumber(
  { default: usual, minimum, example }: JsonObject,
  role: 'page' | 'offset',
): 0 | 1 {
  const first = [usual, minimum, example].find((each) => each === 0 || each === 1);
  return first ?? (role === 'page' ? 1 : 0);
}

/** Returns whether a query may have members of any name: an exploded object (OpenAPI 3.1 §4.8.12.2). */
export function takesAnyQuery({ parameters }: Operation): boolean {
  return parameters.some(
    ({ in: place, schema, style, explode }) =>
      place === 'query' && explode && style === 'form' && schemaProperties(schema?.schema).size > 0,
  );
}

/** Creates a function that finds a query member that is neither declared nor a credential. */
export function undeclaredFinder(operation: Operation): (target: string) => string | undefined {
  const { parameters, security } = operation;
  const isOpen = takesAnyQuery(operation);
  const keys = security.flat().flatMap((scheme) => (scheme.kind === 'api-key' ? [scheme.parameter] : []));
  const known = new Set([...parameters.map(({ name }) => name), ...keys]);
  const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/\[.*$/u, ''));
  return (target) => (isOpen ? undefined : parseQuery(target).find(([name]) => !isKnown(name))?.[0]);
}

/** Returns the name of the property that a query parameter would filter by: `status` of `filter[status]` (JSON:API 1.1 §6.7). */
export const filteredName = (name: string): string => plain(/^filter\[([^[\]]+)\]$/u.exec(name)?.[1] ?? name);

/** Returns the query parameters that filter by a text of the items: they have the name of one, and take any text. */
export function listTextFilters(operation: Operation): readonly Parameter[] {
  const [media] = findSuccessResponse(operation)?.media ?? [];
  const items = listedIn(operation, media?.schema?.schema);
  const texts = new Set(
    [...schemaProperties(items)].flatMap(([name, { writeOnly }]) =>
      !writeOnly && isFreeText(schemaAt(items, [name])) ? [plain(name)] : [],
    ),
  );
  const roles = Object.keys(ownNames).flatMap(
    // `as`: keys of an object of roles.
    (role) => findListMember(operation, role as ListParameterRole)?.parameter ?? [],
  );
  return operation.parameters.filter(
    (parameter) =>
      parameter.in === 'query' &&
      texts.has(plain(parameter.name)) &&
      isFreeText(parameter.schema?.schema) &&
      !roles.includes(parameter),
  );
}

function isFreeText(schema: JsonSchema | undefined): boolean {
  const parts = schemasInPlace(schema ?? true, schema ?? true);
  const isBound = parts.some((part) => ['enum', 'const', 'format', 'pattern'].some((name) => name in part));
  return schemaTypes(schema ?? true).has('string') && !isBound;
}

/** Returns the schema of the items in a response to a list, whose whole content has a schema. */
export function listedIn({ kind }: Operation, content: JsonSchema | undefined): JsonSchema | undefined {
  if (kind.kind !== 'list') return undefined;
  const { list } = kind;
  const whole = schemaAt(content, list.path);
  return schemaAt(itemSchema(whole, list.kind === 'map' ? 'additionalProperties' : 'items'), list.element);
}
