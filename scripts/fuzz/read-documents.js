// Loads and mocks one document after the other, as a child of fuzz-documents.js, which says which.
import { createMock, loadContract } from '../../dist/src/index.js';

/** @param {string} path */
async function readDocument(path) {
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract);
  for (const {
    method,
    path: { template },
  } of contract.operations.slice(0, 20)) {
    const target = template.replaceAll(/\{[^}]*\}/gu, '1');
    const init = ['GET', 'HEAD', 'DELETE', 'TRACE'].includes(method)
      ? { method }
      : { method, body: '{"name":"a"}', headers: { 'Content-Type': 'application/json' } };
    if (method === 'TRACE' || !URL.canParse(target, 'http://a')) continue;
    await (await mock.fetch(target, init)).arrayBuffer();
  }
}

process.on('message', (path) => {
  readDocument(path).then(
    () => process.send('read'),
    (error) =>
      process.send(
        typeof error?.code === 'string' && /^[A-Z_]+$/u.test(error.code) && error.name === 'ClocheError'
          ? 'refused'
          : `failed: ${error?.stack ?? error}`,
      ),
  );
});
process.send('ready');
