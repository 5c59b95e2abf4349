import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { checkPolicy } from '../../policy/check-policy.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import { withDocumentAnswers } from '../../policy/with-document-answers.ts';
import type { Act } from '../act/act.ts';
import type { MockClock } from '../clock/mock-clock.ts';
import { toTokens } from '../credentials/to-tokens.ts';
import type { FaultBook } from '../faults/create-fault-rules.ts';
import type { RawRequest } from '../log/raw-request.ts';
import type { MockOptions } from '../mock-options.ts';
import type { MockPlatform } from '../platform/mock-platform.ts';
import { exemplifyPatterns } from '../samples/exemplify-patterns.ts';
import { createResponder } from '../steps/create-responder.ts';
import { logAnswers } from '../steps/log-answers.ts';
import type { Store } from '../store/store.ts';
import type { Prepared } from './prepared.ts';

/** Makes ready what answers by a contract, and by answers to what it leaves open. */
export type Preparer = (contract: Contract, answers: Partial<Policy>) => Promise<Prepared>;

function toPolicy(input: {
  readonly contract: Contract;
  readonly answers: Partial<Policy>;
  readonly tokens: readonly string[] | undefined;
}): Policy {
  const { contract, answers, tokens } = input;
  const listed = tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);
  return withDocumentAnswers(createPolicy({ ...listed, ...checkPolicy(answers, contract) }), contract);
}

async function toSamples(contract: Contract, platform: MockPlatform): Promise<ReadonlyMap<Operation, Act>> {
  if (contract.operations.every(({ kind }) => kind.kind !== 'sample')) {
    return new Map();
  }
  const { makeSamples } = await import('../samples/make-samples.ts');
  return makeSamples(contract, await platform.createSampler(contract));
}

/**
 * Creates what makes a contract and a policy ready to answer by, again with each change.
 *
 * @param input.record - keeps each request
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function createPreparer(input: {
  readonly options: MockOptions;
  readonly platform: MockPlatform;
  readonly store: Store;
  readonly faults: FaultBook;
  readonly clock: MockClock;
  readonly record: (raw: RawRequest) => void;
}): Preparer {
  const { options, platform, store, faults, clock, record } = input;
  const tokens = toTokens(options.tokens);
  const control = options.control === false ? undefined : options.control?.token;
  const secrets = [...tokens, ...(control === undefined ? [] : [control])];

  return async (contract, answers) => {
    const policy = toPolicy({ contract, answers, tokens: options.tokens });
    const answering = await exemplifyPatterns(contract);
    const responder = createResponder(answering, {
      policy,
      store,
      tokens,
      operations: answering.operations,
      samples: await toSamples(answering, platform),
      faults,
      cors: options.cors ?? {},
      clock: clock.now,
      timer: () => performance.now(),
    });
    return {
      contract,
      policy,
      answers,
      basis: { contract: answering, policy },
      responder: logAnswers(responder, {
        record,
        log: options.log,
        clock,
        context: { contract, tokens: secrets },
      }),
    };
  };
}
