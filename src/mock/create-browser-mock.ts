import { prepareContract } from '../contract/build.ts';
import type { Contract } from '../contract/contract.ts';
import { type JsonDocument, readJsonDocument } from '../document/read-json-document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { composeMock, type MockPlatform } from './assemble.ts';
import { isContract, type Mock, type MockOptions } from './mock.ts';
import type { MockFor, OptionsFor } from './typed.ts';

/** A mock that runs in a page: without ports and without the dispatcher of Node's `fetch`. */
export type BrowserMock = Omit<Mock, 'listen' | 'dispatcher'>;

/** Options of a mock in a page. */
export type BrowserMockOptions = Omit<MockOptions, 'allowReferences'>;

function refuse(name: string): Promise<never> {
  return Promise.reject(
    new ClocheError('OPTION_INVALID', {
      attempt: 'call',
      subject: name,
      reason: 'a browser has neither ports nor dispatchers',
      remedy: 'Use fetch() of the mock, or the handlers of cloche/msw',
    }),
  );
}

const browser: MockPlatform = {
  readVersion: () => Promise.resolve('in a browser'),
  openStore: ({ place }) =>
    Promise.reject(
      new ClocheError('OPTION_INVALID', {
        attempt: 'open the store',
        subject: place,
        reason: 'a page reaches neither files nor Redis',
        remedy: 'Leave it out, or give a Store that keeps its state where a page can',
      }),
    ),
  listen: () => refuse('listen'),
  createDispatcher: () => refuse('dispatcher'),
};

/**
 * Creates a mock of a contract in a browser. It answers as the document declares, and as the policy says if the
 * document does not specify the behaviour. It remembers what was created until the user leaves the page.
 *
 * @param document - OpenAPI 2.0 to 3.2 as JSON without external references, as `cloche bundle` writes it: an object, or
 * the text, which keeps the digits of numbers past 2^53
 * @typeParam Paths - `paths` of openapi-typescript, to check the names and values in `handlers`, `data` and `faults`
 * @typeParam Operations - `operations` of openapi-typescript, for the ids of operations
 * @throws ClocheError if the document, the policy or a token cannot be used
 *
 * @example
 * import { createMock } from 'cloche/browser';
 * import document from './orders.bundle.json';
 *
 * const mock = await createMock(document);
 * const response = await mock.fetch('/orders', { method: 'POST', headers, body });
 */
export async function createBrowserMock<Paths extends object = never, Operations extends object = {}>(
  document: JsonDocument | Contract,
  given?: OptionsFor<Paths, Operations, BrowserMockOptions>,
): Promise<MockFor<Paths, Operations, BrowserMock>> {
  // `as`: options and mocks with types are plain ones that accept less.
  const options = (given ?? {}) as BrowserMockOptions;
  const contract = isContract(document)
    ? document
    : await prepareContract(readJsonDocument(document, { source: 'the document' }));
  const mock: unknown = await composeMock({ contract, options, platform: browser });
  return mock as MockFor<Paths, Operations, BrowserMock>;
}
