import type { Act } from '../act/act.ts';
import { prepareCreate } from '../act/prepare-create.ts';
import { findSuccessResponse } from '../act/success-response.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import { createBodyCheck } from '../content/create-body-check.ts';
import { createContentReader } from '../content/create-content-reader.ts';
import type { Operation } from '../../contract/operation.ts';
import { createParameterCheck } from '../../contract/parameters/create-parameter-check.ts';
import type { Policy } from '../../policy/policy.ts';
import { policyOf } from '../../policy/policy-of.ts';
import { createAuthenticator } from '../credentials/create-authenticator.ts';
import { createRefuser } from '../refusals/create-refuser.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import type { Store } from '../store/store.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import { toSchemaReading } from './to-schema-reading.ts';

/** What all operations of a mock have in common. */
export interface Preparation {
  /** Of the whole service, with the answers of single operations. */
  readonly policy: Policy;
  readonly store: Store;
  /** What is let in where the policy says `listed`; see createCredentialCheck. */
  readonly tokens: ReadonlySet<string> | 'any';
  /** All of the contract. */
  readonly operations: readonly Operation[];
  /** The answers of the operations that no state can answer. */
  readonly samples: ReadonlyMap<Operation, Act>;
}

function acceptedType(operation: Operation, policy: Policy): string | undefined {
  const declares406 = operation.responses.some(
    ({ status }) => status.kind === 'exact' && status.status === 406,
  );
  return policy.accept === 406 || declares406
    ? chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.contentType
    : undefined;
}

/**
 * Makes an operation ready to answer: its validators compiled, its refusals matched with what the document
 * declares.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareOperation(operation: Operation, preparation: Preparation): PreparedOperation {
  const { store, tokens, operations, samples } = preparation;
  const policy = policyOf(preparation.policy, operation.id);
  const { kind, parameters, requestBody, security } = operation;
  const reading = toSchemaReading(policy);
  const errorShape = findErrorShape([operation, ...operations]);
  const refuse = createRefuser({ operation, policy, errorShape });
  const sample = samples.get(operation);
  const act =
    sample ??
    prepareCreate({
      operation,
      key: kind.kind === 'create' ? kind.key : { kind: 'none', evidence: '' },
      policy,
      reading,
      store,
      refuse,
    });
  return {
    authenticate: createAuthenticator(security, policy['accepted-tokens'] === 'any' ? 'any' : tokens),
    authenticatesFirst: policy['auth-order'] === 'before',
    parameters,
    checkParameters: parameters.map((parameter) => createParameterCheck(parameter, reading)),
    readsQuery: parameters.some((parameter) => parameter.in === 'query'),
    readContent: requestBody === undefined ? undefined : createContentReader(requestBody, policy),
    checkBody: requestBody === undefined ? undefined : createBodyCheck(requestBody, policy, reading),
    mustAccept: acceptedType(operation, policy),
    refuse,
    act,
  };
}
