import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
/** The source of each module of the package, by the name with which it is imported. */
const sources = new Map(
  Object.entries(exports).flatMap(([path, { types }]) =>
    types === undefined
      ? []
      : [[`cloche${path.slice(1)}`, types.replace('./dist/', '').replace('.d.ts', '.ts')]],
  ),
);

/** Names the modules as they are imported, instead of after their files. */
function nameModules({ converter }) {
  const names = new Map([...sources].map(([name, file]) => [file.replace(/(?:\/index)?\.ts$/u, ''), name]));
  converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  });
}

/** @type {import('typedoc').TypeDocOptions} */
const options = {
  name: 'API',
  plugin: ['typedoc-plugin-markdown', nameModules],
  logLevel: 'Error',
  entryPoints: [...sources.values()].map((path) => fileURLToPath(new URL(path, root))),
  tsconfig: fileURLToPath(new URL('tsconfig.json', root)),
  out: fileURLToPath(new URL('pages/api', import.meta.url)),
  readme: 'none',
  // The sources are checked by the project's own TypeScript.
  skipErrorChecking: true,
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true,
  // One page for each module.
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useHTMLEncodedBrackets: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
};

export default options;
