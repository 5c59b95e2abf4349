import { buildContract } from '../../contract/build.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { questions } from '../../policy/questions/index.ts';
import {
  clearFaults,
  createFault,
  deleteFault,
  faultSchemas,
  listFaults,
  putFault,
} from './fault-operations.ts';
import {
  type ControlOperation,
  controlPrefix,
  type ControlSubject,
  jsonContent,
  mostControlBytes,
  ref,
} from './operation.ts';
import { deletePolicy, getPolicy, patchPolicy, policySchemas } from './policy-operations.ts';
import {
  clearRequests,
  getRequest,
  listRequests,
  requestSchemas,
  verifyRequests,
} from './request-operations.ts';
import {
  advanceClock,
  clockSchemas,
  getClock,
  getDocument,
  getService,
  putClock,
  serviceSchemas,
} from './service-operations.ts';
import {
  deleteResource,
  deleteSnapshot,
  exportState,
  getResource,
  getState,
  importState,
  listResources,
  listSnapshots,
  putResource,
  putSnapshot,
  reset,
  restoreSnapshot,
  stateSchemas,
} from './state-operations.ts';

/** What the control interface can do, in the order of its document. */
export const controlOperations: readonly ControlOperation[] = [
  getDocument,
  getService,
  getState,
  listResources,
  putResource,
  getResource,
  deleteResource,
  exportState,
  importState,
  listSnapshots,
  putSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  reset,
  getPolicy,
  patchPolicy,
  deletePolicy,
  listFaults,
  createFault,
  clearFaults,
  putFault,
  deleteFault,
  listRequests,
  clearRequests,
  verifyRequests,
  getRequest,
  getClock,
  putClock,
  advanceClock,
];

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

function refusalsOf({ declares, refuses = [] }: ControlOperation): readonly string[] {
  const takesBody = 'requestBody' in declares;
  return [
    '400',
    '401',
    '403',
    ...(takesBody ? ['413', '415'] : []),
    ...refuses.map(String),
    '503',
  ].toSorted();
}

function describe(operation: ControlOperation): JsonObject {
  const { declares } = operation;
  const shared = refusalsOf(operation).map((status): [string, JsonValue] => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  // `as`: each operation declares its success.
  const own = declares['responses'] as JsonObject;
  return { ...declares, responses: { ...own, ...Object.fromEntries(shared) } };
}

function describePaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of controlOperations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return paths;
}

/** The schema of a rule that names an operation of the contract. */
function withOperations(rule: JsonObject | undefined, operations: readonly string[]): JsonObject {
  // `as`: a rule has properties.
  const properties = (rule?.['properties'] ?? {}) as JsonObject;
  // `as`: and the operation among them is an object.
  const operation = { ...(properties['operation'] as JsonObject), enum: [...operations] };
  return { ...rule, properties: { ...properties, operation } };
}

/** The schema of answers that a mock without tokens takes: a list of none would turn everybody away. */
function withoutList(answers: JsonObject | undefined): JsonObject {
  // `as`: answers have properties.
  const properties = (answers?.['properties'] ?? {}) as JsonObject;
  const { question, schema } = questions['accepted-tokens'];
  // `as`: the answers to this question are words, one by one.
  const left = (schema['oneOf'] as readonly JsonObject[]).filter((word) => word['const'] !== 'listed');
  const taken = { description: question, anyOf: [...left, { type: 'null' }] };
  return { ...answers, properties: { ...properties, 'accepted-tokens': taken } };
}

/**
 * The OpenAPI 3.1 document of the control interface.
 *
 * @param subject - the mock that it is of; where left out, no mock in particular
 */
export function createControlDocument(subject?: ControlSubject): JsonObject {
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
    paths: describePaths(),
    components: {
      schemas: {
        ...serviceSchemas,
        ...stateSchemas,
        ...policySchemas,
        ...faultSchemas,
        ...(subject === undefined ? {} : { FaultRule: withOperations(FaultRule, subject.operations) }),
        ...(subject === undefined || subject.hasTokens ? {} : { PolicyAnswers: withoutList(PolicyAnswers) }),
        ...requestSchemas,
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
          description: 'The control token, where Authorization is taken.',
        },
      },
    },
  };
}

/**
 * The contract of the control interface.
 *
 * @param subject - the mock that it is of; where left out, no mock in particular
 */
export function buildControlContract(subject?: ControlSubject): Contract {
  return buildContract({
    source: 'cloche/spec/control.openapi.json',
    version: '3.1',
    openapi: '3.1.0',
    root: createControlDocument(subject),
    locate: () => undefined,
  });
}
