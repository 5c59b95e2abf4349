import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { DocumentProblem } from '../document/document-problem.ts';
import { closestWord } from '../errors/closest-word.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Policy } from './policy.ts';

/** What a schema calls its properties. */
interface Named {
  readonly names: Set<string>;
  /** Whether some are named by pattern alone. */
  hasPatterns: boolean;
}

/** Collects the names of properties anywhere in a schema, so that no branch of it is overlooked. */
function collectNames(value: JsonValue, found: Named): void {
  if (Array.isArray(value)) {
    value.forEach((item) => collectNames(item, found));
  } else if (isJsonObject(value)) {
    const { properties, required, patternProperties } = value;
    Object.keys(isJsonObject(properties) ? properties : {}).forEach((name) => found.names.add(name));
    (Array.isArray(required) ? required : [])
      .filter((name) => typeof name === 'string')
      .forEach((name) => found.names.add(name));
    found.hasPatterns ||= patternProperties !== undefined;
    Object.values(value).forEach((item) => collectNames(item, found));
  }
}

/** The properties of the bodies of operations; none where some body may hold what its schema does not name. */
function listNames(operations: readonly Operation[]): readonly string[] {
  const names = new Set<string>();
  const schemas = operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map(({ schema }) => schema?.schema),
  );
  for (const schema of schemas) {
    const own: Named = { names: new Set(), hasPatterns: false };
    collectNames(schema ?? true, own);
    if (own.names.size === 0 || own.hasPatterns) {
      return [];
    }
    own.names.forEach((name) => names.add(name));
  }
  return [...names];
}

/**
 * Says which properties the answers to `constraints` name that no body of their operations has: such a bound would hold
 * nobody to anything.
 *
 * @returns problems placed as in a policy file
 */
export function checkPropertyNames(
  { constraints, operations = {} }: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const places = [
    { place: '/answers', bounds: constraints, of: contract.operations },
    ...Object.entries(operations).map(([id, answers]) => ({
      place: appendPointer('/operations', id),
      bounds: answers.constraints,
      of: contract.operations.filter((operation) => operation.id === id),
    })),
  ];
  return places.flatMap(({ place, bounds = {}, of }) => {
    const names = Object.keys(bounds).length === 0 ? [] : listNames(of);
    const strays = names.length === 0 ? [] : Object.keys(bounds).filter((name) => !names.includes(name));
    return strays.map((name): DocumentProblem => {
      const near = closestWord(name, names);
      return {
        pointer: appendPointer(place, 'constraints', name),
        reason: `no body has a property "${name}"`,
        remedy: near === undefined ? `There is ${names.join(', ')}` : `Perhaps "${near}" was meant`,
      };
    });
  });
}
