import { buildContract } from '../contract/build.ts';
import type { Contract } from '../contract/contract.ts';
import { type JsonDocument, readJsonDocument } from '../document/read-json-document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { composeMock, type MockPlatform } from './assemble.ts';
import { isContract, type Mock, type MockOptions } from './mock.ts';

/** A mock that runs in a page: without ports, and without what Node's `fetch` is made of. */
export type BrowserMock = Omit<Mock, 'listen' | 'dispatcher'>;

/** How a mock in a page is to be. */
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
 * Makes a mock of a contract in a browser: it answers what the document declares, as the policy says where the document
 * is silent, and remembers what was created until the page is left.
 *
 * @param document - OpenAPI 2.0 to 3.2 as JSON, with no reference out of it, as `cloche bundle` writes it: an object, or
 * the text, which keeps the digits of numbers past 2^53
 * @throws ClocheError where the document, the policy or a token cannot be used
 *
 * @example
 * import { createMock } from 'cloche/browser';
 * import document from './orders.bundle.json';
 *
 * const mock = await createMock(document);
 * const response = await mock.fetch('/orders', { method: 'POST', headers, body });
 */
export async function createBrowserMock(
  document: JsonDocument | Contract,
  options: BrowserMockOptions = {},
): Promise<BrowserMock> {
  const contract = isContract(document)
    ? document
    : buildContract(readJsonDocument(document, { source: 'the document' }));
  return composeMock({ contract, options, platform: browser });
}
