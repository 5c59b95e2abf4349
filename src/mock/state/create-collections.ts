import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ResourceKey } from '../../contract/operation-kind.ts';
import {
  createParameterCheck,
  type ParameterCheck,
} from '../../contract/parameters/create-parameter-check.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { normalizePath } from '../../http/normalize-path.ts';
import type { Policy } from '../../policy/policy.ts';
import { policyOf } from '../../policy/policy-of.ts';
import { prepareKeeping } from '../act/prepare-keeping.ts';
import { findSuccessResponse } from '../act/success-response.ts';
import { declaredNames } from '../bodies/declared-names.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import { createBodyCheck } from '../content/create-body-check.ts';
import { shorten } from '../content/shorten.ts';
import { toSchemaReading } from '../steps/to-schema-reading.ts';
import { type RowSteps, takeRow, type TakenRow } from './take-row.ts';

/** A collection of the contract, by its concrete path, and how rows come into it. */
export interface Collection {
  /** The concrete path: `/shops/7/orders`. */
  readonly name: string;
  readonly operation: Operation;
  readonly key: ResourceKey;
  /** Whether a resource may have the key of another. */
  readonly takesDuplicates: boolean;
  readonly keeping: RowSteps['keeping'];
  /** Takes a row as a create takes a body; a text says why it does not, in words without a full stop. */
  readonly take: (row: unknown) => TakenRow | string;
}

/** The collections of a contract. */
export interface Collections {
  /** The paths of those without parameters, in the order of the document. */
  readonly names: readonly string[];
  /** The collection at a concrete path; a text says why there is none, in words without a full stop. */
  readonly find: (path: string) => Collection | string;
}

interface Prepared {
  readonly steps: RowSteps;
  readonly checkParameters: readonly ParameterCheck[];
  readonly takesDuplicates: boolean;
}

function prepare(operation: Operation, key: ResourceKey, whole: Policy): Prepared | undefined {
  const { requestBody, parameters } = operation;
  const media = requestBody?.media.find(({ isJson }) => isJson) ?? requestBody?.media[0];
  if (requestBody === undefined || media === undefined) {
    return undefined;
  }
  const policy = policyOf(whole, operation.id);
  const reading = toSchemaReading(policy);
  const names = declaredNames(media.schema?.schema ?? true);
  const answer = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
  return {
    steps: {
      keeping: prepareKeeping({ operation, key, policy }),
      checkBody: createBodyCheck(requestBody, policy, reading),
      media,
      checkAnswer: key.kind === 'server' ? answer?.validator(reading) : undefined,
      bodyHoldsKey: key.kind !== 'server' || names === undefined || names.has(key.property),
    },
    checkParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => createParameterCheck(parameter, reading)),
    takesDuplicates: key.kind === 'client' && policy['duplicate-key'] === 'accept',
  };
}

/**
 * Finds the collections of a contract: the paths that its create operations post to. What each needs is made ready
 * when it is first asked for.
 */
export function createCollections(contract: Pick<Contract, 'operations'>, policy: Policy): Collections {
  const route = createRouter(contract);
  const creates = contract.operations.filter(({ kind }) => kind.kind === 'create');
  const names = creates
    .filter(({ path }) => path.segments.every(({ kind }) => kind === 'literal'))
    .map(({ path }) => path.template);
  const known = new Map<Operation, Prepared | undefined>();

  function prepareOnce(operation: Operation, key: ResourceKey): Prepared | undefined {
    if (!known.has(operation)) {
      known.set(operation, prepare(operation, key, policy));
    }
    return known.get(operation);
  }

  function explainMissing(path: string): string {
    const templates = creates.map((operation) => operation.path.template);
    if (templates.length === 0) {
      return 'the contract has no collection: no operation creates anything';
    }
    const near = templates.length === 1 ? undefined : closestWord(path, templates);
    const meant = near === undefined ? '' : `, where perhaps ${near} was meant`;
    const more = templates.length > 10 ? ' …' : '';
    return `the contract has no such collection${meant}; it has ${templates.slice(0, 10).join(', ')}${more}`;
  }

  return {
    names,
    find(path) {
      const name = normalizePath(path);
      const found = name.includes('{') ? undefined : route(name);
      const operation = found?.operations.get('POST');
      if (found === undefined || operation === undefined || operation.kind.kind !== 'create') {
        const isTemplate = creates.some(({ path: { template } }) => template === path);
        return isTemplate && !names.includes(path)
          ? 'it has parameters: name the concrete path'
          : explainMissing(path);
      }
      const { key } = operation.kind;
      const prepared = prepareOnce(operation, key);
      if (prepared === undefined) {
        return 'its create takes no body';
      }
      const { steps, checkParameters, takesDuplicates } = prepared;
      const source = { path: found.parameters, query: [], header: () => undefined };
      const problem = checkParameters.map((check) => check(source)).find((each) => each !== undefined);
      if (problem !== undefined) {
        return `${shorten(path)} is no such collection: ${problem.reason}`;
      }
      return {
        name,
        operation,
        key,
        takesDuplicates,
        keeping: steps.keeping,
        take: (row) => takeRow({ row, collection: name, steps }),
      };
    },
  };
}
