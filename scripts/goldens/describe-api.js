import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = ['src/index.ts', 'src/msw.ts', 'src/browser.ts', 'src/vitest.ts', 'suites/all-suites.ts'];

/** Every name that an entry of the package exports, with its type and, of an object type, the types of its members. */
export function describeApi() {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    entries.map((entry) => root + entry),
    { ...options, noErrorTruncation: true },
  );
  const checker = program.getTypeChecker();
  // Which file a type stands in is no user's matter.
  const print = (type, node) =>
    checker.typeToString(type, node, ts.TypeFormatFlags.InTypeAlias).replaceAll(/import\("[^"]*"\)\./gu, '');
  const describe = (entry) => {
    const lines = [];
    const file = program.getSourceFile(root + entry);
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = (module && checker.getExportsOfModule(module)) ?? [];
    for (const symbol of symbols.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const isType = (target.flags & ts.SymbolFlags.Value) === 0;
      const type = isType
        ? checker.getDeclaredTypeOfSymbol(target)
        : checker.getTypeOfSymbolAtLocation(target, file);
      lines.push(`${isType ? 'type' : 'value'} ${symbol.name}: ${isType ? '' : print(type, file)}`.trimEnd());
      const isObject = isType && (type.flags & ts.TypeFlags.Object) !== 0;
      for (const member of isObject ? type.getProperties() : []) {
        const optional = member.flags & ts.SymbolFlags.Optional ? '?' : '';
        lines.push(
          `  ${member.name.replace(/@\d+$/u, '')}${optional}: ${print(checker.getTypeOfSymbolAtLocation(member, file), file)}`,
        );
      }
      if (isType && type.isUnion())
        lines.push(`  ${type.types.map((each) => print(each, file)).join(' | ')}`);
    }
    return lines.join('\n');
  };
  return entries.map((entry) => [entry, () => describe(entry)]);
}
