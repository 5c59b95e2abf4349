import type { Contract } from '../contract/contract.ts';
import type { OpenApiDocument } from '../document/document.ts';
import type { JsonDocument } from '../document/read-json-document.ts';
import { composeMock, type MockPlatform } from './assemble.ts';
import { checkMockOptions, isContract, type Mock, type MockOptions } from './mock.ts';

/** Accepts URL objects of a DOM too: a test may run in an environment whose URL is not Node's. */
function isUrl(document: object): document is URL {
  return 'href' in document && typeof document.href === 'string' && !('openapi' in document);
}

function isRead(document: object): document is OpenApiDocument {
  return 'root' in document && 'locate' in document;
}

async function readGiven(document: JsonDocument): Promise<OpenApiDocument> {
  const [{ readJsonDocument }, { checkStructure }] = await Promise.all([
    import('../document/read-json-document.ts'),
    import('../document/structure.ts'),
  ]);
  return readJsonDocument(document, { source: 'the document', checkStructure });
}

async function toContract(
  document: JsonDocument | URL | OpenApiDocument | Contract | undefined,
  options: MockOptions,
): Promise<Contract> {
  checkMockOptions(options);
  if (isContract(document)) return document;
  if (typeof document === 'object' && document !== null && !isUrl(document)) {
    const { prepareContract } = await import('../contract/build.ts');
    return prepareContract(isRead(document) ? document : await readGiven(document));
  }
  const { loadContract } = await import('../contract/load.ts');
  return loadContract(document === undefined ? undefined : String(document), {
    followReferences: options.allowReferences ?? false,
  });
}

/** The functions of Node; each module is loaded when it is first needed. */
export const node: MockPlatform = {
  readVersion: async () => (await import('../document/package-manifest.ts')).readVersion(),
  openStore: async (url, tell) => (await import('./store/open-store.ts')).openStore(url, tell),
  listen: async (responder, where) => (await import('./server/server.ts')).listen(responder, where),
  async createDispatcher(responder, which) {
    const [{ createDispatcher }, { serveInProcess }] = await Promise.all([
      import('../http/dispatcher.ts'),
      import('./server/server.ts'),
    ]);
    return createDispatcher(serveInProcess(responder), which);
  },
  openFallback: async (url) => (await import('./server/fallback.ts')).openFallback(url),
  deliverCallback: async (request) => (await import('./server/deliver-callback.ts')).deliverCallback(request),
};

/**
 * Creates a mock of a contract. It answers as the document declares, and as the policy says if the document does not
 * specify the behaviour. It remembers what was created.
 *
 * @param document - the path or URL of a document, a document as an object, or one that was read; by default the one
 * that ships with the package
 * @throws ClocheError if the document, an option, the policy or a token cannot be used
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
  document?: string | URL | Exclude<JsonDocument, string> | OpenApiDocument | Contract,
  options: MockOptions = {},
): Promise<Mock> {
  return composeMock({ contract: await toContract(document, options), options, platform: node });
}
