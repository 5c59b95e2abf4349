import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';
import { listEntries } from './list-entries.js';

/**
 * Writes the declarations of the entries of the package, and of the modules that these declarations name.
 * Each module declares itself (`isolatedDeclarations`), so the compiler reads one at a time.
 *
 * @returns {{ path: string, text: string }[]} files of dist/
 * @throws Error where a module cannot be declared without inferring a type
 */
export function declareTypes({ typescript, manifest, folder }) {
  const compilerOptions = readCompilerOptions({ typescript, folder });
  const files = new Map();
  const pending = listEntries(manifest, '.d.ts');
  for (let module = pending.pop(); module !== undefined; module = pending.pop()) {
    if (files.has(module)) continue;
    const { outputText, diagnostics } = typescript.transpileDeclaration(
      readFileSync(join(folder, `${module}.ts`), 'utf8'),
      { fileName: `${module}.ts`, compilerOptions, reportDiagnostics: true },
    );
    if (diagnostics.length > 0) {
      const host = {
        getCanonicalFileName: String,
        getCurrentDirectory: () => folder,
        getNewLine: () => '\n',
      };
      throw new Error(typescript.formatDiagnostics(diagnostics, host));
    }
    files.set(module, { path: `${module}.d.ts`, text: outputText });
    pending.push(...listNeighbours({ typescript, module, text: outputText }));
  }
  return [...files.values()];
}

function readCompilerOptions({ typescript, folder }) {
  const { config } = typescript.readConfigFile(join(folder, 'tsconfig.json'), typescript.sys.readFile);
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, folder);
  // A module that is read alone lies in no folder.
  return { ...options, rootDir: undefined };
}

function listNeighbours({ typescript, module, text }) {
  const { importedFiles } = typescript.preProcessFile(text);
  const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
  return relative.map((name) => normalize(join(module, '..', name)).replace(/\.ts$/u, ''));
}
