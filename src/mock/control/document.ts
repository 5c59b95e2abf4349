import { buildContract } from '../../contract/build.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../json/value.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import { faultSchemas } from '../faults/fault-schema.ts';
import { callbackOperations, callbackSchemas } from './callback-operations.ts';
import { clockOperations, clockSchemas } from './clock-operations.ts';
import { controlLines, type ControlOperationId, splitControlLine } from './calls.ts';
import { faultOperations } from './fault-operations.ts';
import {
  type ControlContext,
  type ControlOperation,
  type ControlOperations,
  controlPrefix,
  jsonContent,
  mostControlBytes,
  ok,
  ref,
} from './operation.ts';
import { policyOperations, policySchemas } from './policy-operations.ts';
import { requestOperations, requestSchemas } from './request-operations.ts';
import { serviceOperations, serviceSchemas } from './service-operations.ts';
import { stateOperations, stateSchemas } from './state-operations.ts';

/** The facts about a mock that its control document depends on: its operation ids, and whether it has tokens. */
interface ControlSubject extends Pick<ControlContext['facts'], 'hasTokens'> {
  readonly operations: readonly string[];
}

const getDocument: ControlOperations['getDocument'] = {
  summary: 'This document',
  responses: {
    '200': jsonContent('The document.', { type: 'object', required: ['openapi', 'info', 'paths'] }),
  },
  handle: (_request, { mock, facts: { hasTokens } }) =>
    ok(createControlDocument({ operations: mock.contract.operations.map(({ id }) => id), hasTokens })),
};

const operations: ControlOperations = {
  getDocument,
  ...serviceOperations,
  ...stateOperations,
  ...policyOperations,
  ...faultOperations,
  ...requestOperations,
  ...callbackOperations,
  ...clockOperations,
};

/** An operation with its id, its method in lower case, and its path without the prefix. */
export interface NamedControlOperation extends ControlOperation<never, unknown> {
  readonly operationId: ControlOperationId;
  readonly method: string;
  readonly path: string;
}

/** The operations of the control interface, in the order of its document. */
export const controlOperations: readonly NamedControlOperation[] =
  // `as`: the keys of `controlLines` are the ids.
  (Object.keys(controlLines) as ControlOperationId[]).map((operationId) => {
    const [method, path] = splitControlLine(operationId);
    return { operationId, ...operations[operationId], method: method.toLowerCase(), path };
  });

/** The refusals that operations share, by status. */
const refusals: Readonly<Record<string, string>> = {
  '400': 'The request is not as this document says. Nothing was changed.',
  '401': 'The request may be from another machine, and does not carry the control token.',
  '403': 'The request does not come from this machine, or comes from a page of another origin.',
  '404': 'There is no such thing.',
  '413': 'The body is too large. Nothing was changed.',
  '415': 'The body is no JSON. Nothing was changed.',
  '422': 'What is asked for cannot be. Nothing was changed.',
  '503': 'The store does not answer.',
};

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

/** Builds the OpenAPI 3.1 document of the control interface, of a mock or, without a subject, of mocks in general. */
export function createControlDocument(subject?: ControlSubject): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of controlOperations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  const { FaultRule } = faultSchemas;
  const { PolicyAnswers } = policySchemas;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloche control interface',
      version: '1',
      description:
        'What a running mock remembers, how it answers, what it was asked, and how all of that is changed. ' +
        'It answers this machine alone; a mock that listens for other machines wants its control token.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: controlPrefix }],
    security: [{}, { bearer: [] }, { field: [] }],
    'x-cloche-policy': {
      'body-limit': { bytes: mostControlBytes, status: 413 },
      'duplicate-keys-in-json': 'refuse',
    },
    paths,
    components: {
      schemas: {
        ...serviceSchemas,
        ...stateSchemas,
        ...policySchemas,
        ...faultSchemas,
        ...(subject === undefined ? {} : { FaultRule: withOperations(FaultRule, subject.operations) }),
        ...(subject === undefined || subject.hasTokens ? {} : { PolicyAnswers: withoutList(PolicyAnswers) }),
        ...requestSchemas,
        ...callbackSchemas,
        ...clockSchemas,
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          jsonContent(description, ref('Error')),
        ]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The control token.' },
        field: {
          type: 'apiKey',
          in: 'header',
          name: 'Cloche-Control-Token',
          description: 'The control token, when Authorization is needed for something else.',
        },
      },
    },
  };
}

/** Returns the Operation Object of an operation, with the common refusals and those of the operation. */
function describe({
  path: _path,
  method: _method,
  handle: _act,
  refuses = [],
  ...declared
}: NamedControlOperation): JsonObject {
  const ofBody = declared.requestBody === undefined ? [] : [413, 415];
  const refused = [400, 401, 403, ...ofBody, ...refuses, 503].map((status): [string, JsonObject] => [
    String(status),
    { $ref: `#/components/responses/${status}` },
  ]);
  return { ...declared, responses: { ...declared.responses, ...Object.fromEntries(refused) } };
}

/** Limits the schema of a fault rule to the operations of the contract. */
function withOperations(rule: JsonObject | undefined, operations: readonly string[]): JsonObject {
  // `as`: a rule has properties.
  const properties = (rule?.['properties'] ?? {}) as JsonObject;
  // `as`: its operation is an object.
  const operation = { ...(properties['operation'] as JsonObject), enum: [...operations] };
  return { ...rule, properties: { ...properties, operation } };
}

/** Returns the schema of policy values for a mock without tokens. It lacks `listed`, which would reject all clients. */
function withoutList(answers: JsonObject | undefined): JsonObject {
  // `as`: policy values have properties.
  const properties = (answers?.['properties'] ?? {}) as JsonObject;
  const { question, schema } = behaviours['accepted-tokens'];
  // `as`: the values of this behaviour are constants.
  const left = (schema['oneOf'] as readonly JsonObject[]).filter((word) => word['const'] !== 'listed');
  const taken = { description: question, anyOf: [...left, { type: 'null' }] };
  return { ...answers, properties: { ...properties, 'accepted-tokens': taken } };
}
