// Judges one recording after the other as `cloche check` does, as a child of fuzz-har.js, which says which.
import { readdirSync } from 'node:fs';

const chunks = new URL('../../dist/chunks/', import.meta.url);
const name = readdirSync(chunks).find((file) => /^run-check-.*\.js$/u.test(file));
const { runCheck } = await import(new URL(name, chunks).href);
const options = {
  files: { kind: 'texts' },
  document: { kind: 'text' },
  policy: { kind: 'text' },
  answer: { kind: 'texts' },
  'base-url': { kind: 'text' },
  token: { kind: 'tokens' },
  report: { kind: 'texts' },
  'allow-references': { kind: 'texts' },
  'strict-document': { kind: 'switch' },
  coverage: { kind: 'switch' },
  strict: { kind: 'switch' },
};

process.on('message', (values) => {
  runCheck({ options, values }).then(
    () => process.send('checked'),
    (error) =>
      process.send(
        error?.name === 'ClocheError' && error.code !== 'INTERNAL'
          ? 'refused'
          : `failed: ${error?.stack ?? error}`,
      ),
  );
});
// The reporter of stalls has unreferenced the channel.
process.channel.ref();
process.send('ready');
