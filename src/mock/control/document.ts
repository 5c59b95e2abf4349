import written from '../../../spec/control.openapi.json' with { type: 'json' };
import { buildContract } from '../../contract/build.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../json/value.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { ControlContext } from './operation.ts';

/** The facts about a mock that its control document depends on: its operation ids, and whether it has tokens. */
interface ControlSubject extends Pick<ControlContext['facts'], 'hasTokens'> {
  readonly operations: readonly string[];
}

/** Builds the contract of the control interface, of a mock or, without a subject, of mocks in general. */
export function buildControlContract(subject?: ControlSubject): Contract {
  return buildContract({
    source: 'cloche/spec/control.openapi.json',
    version: '3.1',
    openapi: '3.1.0',
    root: createControlDocument(subject),
    locate: () => undefined,
  });
}

/**
 * Returns the OpenAPI 3.1 document of the control interface, of a mock or, without a subject, of mocks in general. The
 * schema of policy values is that of the code, and a fault rule of a mock names one of its operations.
 */
export function createControlDocument(subject?: ControlSubject): JsonObject {
  const { operations, hasTokens = true } = subject ?? {};
  const { components } = written;
  const { FaultRule } = components.schemas;
  const operation = {
    ...FaultRule.properties.operation,
    ...(operations === undefined ? {} : { enum: operations }),
  };
  const schemas = {
    ...components.schemas,
    FaultRule: { ...FaultRule, properties: { ...FaultRule.properties, operation } },
    PolicyAnswers: createPolicySchema(hasTokens),
  };
  // `as`: it is JSON, for which TypeScript infers a type of its own.
  return { ...written, components: { ...components, schemas } } as unknown as JsonObject;
}

/**
 * Returns the schema of the values of each behaviour, or null, which resets a value. For a mock without tokens, it lacks
 * `listed`, which would reject all clients.
 */
function createPolicySchema(hasTokens: boolean): JsonObject {
  const properties = Object.values(behaviours).map(({ id, question, schema }): [string, JsonObject] => {
    // `as`: the values of this behaviour are constants.
    const words = id === 'accepted-tokens' && !hasTokens ? (schema['oneOf'] as readonly JsonObject[]) : [];
    const accepted = words.length === 0 ? [schema] : words.filter((word) => word['const'] !== 'listed');
    return [id, { description: question, anyOf: [...accepted, { type: 'null' }] }];
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}
