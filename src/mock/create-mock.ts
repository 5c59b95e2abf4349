import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { SecurityAlternative } from '../contract/security.ts';
import type { OpenApiDocument } from '../document/read-document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import { checkPolicy } from '../policy/check-policy.ts';
import { withDocumentAnswers } from '../policy/with-document-answers.ts';
import type { Act } from './act/act.ts';
import type { Listener, Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';
import { createMockClock } from './clock/create-mock-clock.ts';
import { createLiveResponder } from './live/create-live-responder.ts';
import { exemplifyPatterns } from './samples/exemplify-patterns.ts';
import { createResponder } from './steps/create-responder.ts';
import type { Responder } from './steps/responder.ts';
import { logAnswers } from './steps/log-answers.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { createFetch } from './transport/create-fetch.ts';
import { createSend } from './transport/create-send.ts';

async function toContract(
  document: string | OpenApiDocument | Contract | undefined,
  options: MockOptions,
): Promise<Contract> {
  if (typeof document === 'object' && 'operations' in document) {
    return document;
  }
  if (typeof document === 'object') {
    const { buildContract } = await import('../contract/build-contract.ts');
    return buildContract(document);
  }
  const { loadContract } = await import('../contract/load-contract.ts');
  return loadContract(document, { followReferences: options.allowReferences ?? false });
}

/** What a contract and a policy come to. */
interface Prepared {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Those that were given. */
  readonly answers: Partial<Policy> | undefined;
  readonly responder: Responder;
}

function toPolicy(
  policy: Partial<Policy> = {},
  tokens: readonly string[] | undefined,
  contract: Contract,
): Policy {
  const listed = tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);
  const given = createPolicy({ ...listed, ...checkPolicy(policy, contract) });
  return withDocumentAnswers(given, contract);
}

function toTokens(tokens: readonly string[] = []): ReadonlySet<string> {
  const position = tokens.findIndex((token) => token === '' || /^[ \t]|[ \t]$|[\r\n\0]/u.test(token));
  if (position !== -1) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use as a token',
      // The token itself is a secret.
      subject: `tokens[${position}]`,
      reason: 'no header can carry an empty token, or one with white space at its ends or a line break in it',
      remedy: 'Pass the token alone, without "Bearer"',
    });
  }
  return new Set(tokens);
}

function withLog(
  responder: Responder,
  contract: Contract,
  { log, clock = Date.now, tokens = [] }: MockOptions,
): Responder {
  const security: readonly SecurityAlternative[] = contract.operations.flatMap(
    (operation) => operation.security,
  );
  return log === undefined ? responder : logAnswers(responder, { log, clock, security, tokens });
}

async function toSamples(contract: Contract): Promise<ReadonlyMap<Operation, Act>> {
  if (contract.operations.every(({ kind }) => kind.kind !== 'sample')) {
    return new Map();
  }
  const { makeSamples } = await import('./samples/make-samples.ts');
  const { createPrismSampler } = await import('./samples/prism-sampler.ts');
  return makeSamples(contract, await createPrismSampler(contract));
}

/**
 * Makes a mock of a contract: it answers what the document declares, as the policy says where the document
 * is silent, and remembers what was created.
 *
 * @param document - the path or URL of a document, or one that was read; without it, the one that ships
 * with the package
 * @throws ClocheError where the document, the policy or a token cannot be used
 *
 * @example
 * const mock = await createMock('orders.yaml', { tokens: ['secret'] });
 * const response = await mock.fetch('/orders', {
 *   method: 'POST',
 *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *   body: JSON.stringify({ id: 1 }),
 * });
 */
export async function createMock(
  document?: string | OpenApiDocument | Contract,
  options: MockOptions = {},
): Promise<Mock> {
  const tokens = toTokens(options.tokens);
  const clock = createMockClock(options.clock ?? Date.now);
  const store = createMemoryStore();

  async function prepare(contract: Contract, answers: Partial<Policy> | undefined): Promise<Prepared> {
    const policy = toPolicy(answers, options.tokens, contract);
    const answering = await exemplifyPatterns(contract);
    const responder = createResponder(answering, {
      policy,
      store,
      tokens,
      operations: answering.operations,
      samples: await toSamples(answering),
      clock: clock.now,
      ...(options.log === undefined ? {} : { timer: () => performance.now() }),
    });
    return {
      contract,
      policy,
      answers,
      responder: withLog(responder, contract, { ...options, clock: clock.now }),
    };
  }

  let current = await prepare(await toContract(document, options), options.policy);
  const { responder, change } = createLiveResponder(current.responder);
  const listeners = new Set<Listener>();
  return {
    get contract() {
      return current.contract;
    },
    get policy() {
      return current.policy;
    },
    clock,
    fetch: createFetch(responder),
    send: createSend(responder),
    async listen(where) {
      const { listen } = await import('./server/listen.ts');
      const listener = await listen(responder, where);
      listeners.add(listener);
      return listener;
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      await store.close();
    },
    async change(next) {
      current = await prepare(next.contract ?? current.contract, next.policy ?? current.answers);
      change(current.responder);
    },
    async reset() {
      await store.reset();
    },
  };
}
