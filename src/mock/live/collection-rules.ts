import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { policyOf } from '../../policy/policy-of.ts';
import type { Policy } from '../../policy/policy.ts';

function toRules(operation: Operation, policy: Policy): string {
  const { kind, parameters, requestBody, responses } = operation;
  const key = kind.kind === 'create' ? kind.key : undefined;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  // The answer has a say only in keys that the service makes.
  const made = key?.kind === 'server' ? responses.flatMap(({ media }) => media) : [];
  const schemas = [...(requestBody?.media ?? []), ...made].map(({ range, schema }): JsonValue => [
    range,
    schema?.schema ?? true,
  ]);
  return stringifyJson([
    key === undefined || key.kind === 'none' ? null : [key.kind, key.property],
    schemas,
    inPath.map(({ name, schema }) => [name, schema?.schema ?? true]),
    [...policy['unique-properties']],
    { ...policy.constraints },
    policy['undeclared-properties'] === 'refuse',
    policy['int64-range'],
    policy['integer-notation'],
    policy['duplicate-key'] === 'accept',
  ]);
}

/**
 * Says what decides whether a resource fits its collection: a text that is another where that is decided otherwise.
 *
 * @returns a function from the concrete path of a collection; undefined where there is none
 */
export function collectionRules(
  contract: Pick<Contract, 'operations'>,
  policy: Policy,
): (collection: string) => string | undefined {
  const route = createRouter(contract);
  const known = new Map<Operation, string>();
  return (collection) => {
    const operations = [...(route(collection)?.operations.values() ?? [])];
    const create = operations.find(({ kind }) => kind.kind === 'create');
    if (create === undefined) {
      return undefined;
    }
    const rules = known.get(create) ?? toRules(create, policyOf(policy, create.id));
    known.set(create, rules);
    return rules;
  };
}
