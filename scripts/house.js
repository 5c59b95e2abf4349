// Prints how the code is laid out: modules and their lengths, circles are held by src/import-table.test.ts, what is exported
// without a word or with `any`, and how many modules one POST through the mock runs, and one generated body through a run.
//
// npm run house
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const all = ['src', 'suites']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => /\.tsx?$/u.test(file));
const isTest = (file) => /\.test(-d)?\.ts$/u.test(file);
const modules = all
  .filter((file) => !isTest(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const tests = all.filter(isTest);

const lengths = modules.map(({ text }) => text.trimEnd().split('\n').length).toSorted((a, b) => a - b);
const quantile = (share) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

let exported = 0;
const undocumented = [];
let any = 0;
let imports = 0;
for (const { file, text } of modules) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) any += 1;
    if (ts.isImportDeclaration(node)) imports += 1;
    const isExported = (ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []).some(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
    );
    if (isExported) {
      exported += 1;
      if (ts.getJSDocCommentsAndTags(node).length === 0)
        undocumented.push(
          `${file}: ${node.name?.text ?? node.declarationList?.declarations[0]?.name.getText()}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const lines = [
  ['modules in src/ and suites/', modules.length],
  ['lines of code in them', sum(lengths)],
  ['lines of a module: median, p90, longest', `${quantile(0.5)}, ${quantile(0.9)}, ${lengths.at(-1)}`],
  ['import statements', imports],
  ['exported names, without a word on them', `${exported}, ${undocumented.length}`],
  ['any', any],
  ['files of tests beside them', tests.length],
];
const counted = countRun();
lines.push(
  ['modules and functions that one POST over a socket runs', counted.post],
  ['modules and functions that one generated body runs', counted.body],
);
const width = Math.max(...lines.map(([name]) => name.length));
for (const [name, value] of lines) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
for (const name of undocumented) process.stdout.write(`  ${name}\n`);

/** Runs the code unbundled, as V8 counts the calls of its functions. */
function countRun() {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-house-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    cpSync(join(root, 'spec'), join(folder, 'spec'), { recursive: true });
    for (const { file, text } of modules.filter((module) => !module.file.includes('inspector/page/'))) {
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2023,
          verbatimModuleSyntax: true,
          rewriteRelativeImportExtensions: true,
        },
      });
      const path = join(folder, file.replace(/\.ts$/u, '.js'));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, outputText);
    }
    cpSync(join(root, 'scripts/house-run.js'), join(folder, 'run.js'));
    return JSON.parse(execFileSync(process.execPath, [join(folder, 'run.js')], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
