import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = 'src/inspector/page';
/** In this order, as later rules win over earlier ones. */
const styles = [
  'base',
  'header',
  'controls',
  'parts',
  'requests',
  'state',
  'policy',
  'faults',
  'clock',
  'try',
  'narrow',
];

/**
 * Bundles the inspector's page and the API reference: one file each of HTML, script and style, which load nothing further.
 *
 * @returns {Promise<{ path: string, text: string, modules: string[] }[]>} files of dist/, and the modules that each
 * is made of, as paths
 * @throws Error for whatever the bundler warns of
 */
export async function bundlePage({ rolldown, folder }) {
  const [page, docs] = [await bundle('main.tsx'), await bundle('docs.ts')];
  const read = (name) => readFileSync(join(folder, source, name), 'utf8');
  return [
    { path: 'inspector/index.html', text: read('index.html'), modules: [] },
    { path: 'inspector/icon.svg', text: read('icon.svg'), modules: [] },
    {
      path: 'inspector/page.css',
      text: styles.map((name) => read(`styles/${name}.css`)).join('\n'),
      modules: [],
    },
    { path: 'inspector/page.js', ...page },
    { path: 'inspector/docs.html', text: read('docs.html'), modules: [] },
    { path: 'inspector/docs.js', ...docs },
  ];

  async function bundle(entry) {
    const bundler = await rolldown({
      cwd: folder,
      input: join(folder, source, entry),
      platform: 'browser',
      // How JSX is written out, the page's tsconfig.json says.
      onLog: (level, { message }) => {
        if (level === 'warn') throw new Error(message);
      },
    });
    const { output } = await bundler.generate({ format: 'esm', codeSplitting: false, minify: true });
    const [{ code, modules }] = output;
    return { text: code, modules: Object.keys(modules) };
  }
}
