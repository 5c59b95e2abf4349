// Prints how the code is laid out: modules and their lengths, exports without a comment or with `any`, long functions, the
// files that name one policy setting, tests that are named after nothing, and the modules that one POST through the mock
// and one generated body of a run execute. Circles of imports fail src/import-table.test.ts.
//
// npm run house
// npm run house -- --list   also lists the places
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
import { findLongFunctions } from './house/functions.js';

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

const functions = modules.map(findLongFunctions);
const placesOf = (kind) => functions.flatMap((each) => each[kind]);

/** In how many modules each setting of a policy is named, as a text or as a member of a policy. */
function countSettings() {
  const { text } = modules.find(({ file }) => file === 'src/policy/behaviour.ts');
  const block = text.slice(text.indexOf('export interface BehaviourValues {'));
  const ids = [...block.slice(0, block.indexOf('\n}')).matchAll(/^ {2}readonly '?([\w-]+)'?:/gmu)];
  return ids.map(([, id]) => {
    const named = new RegExp(`'${id}'|\\b(?:policy|enforced|answers)\\.${id}\\b`, 'u');
    return [id, modules.filter((module) => named.test(module.text)).length];
  });
}

/**
 * Test files that are named after nothing in the code. Without `.e2e`, `.matrix` and `.nightly`, a test file has the name of a
 * module beside it, or of a folder beside it if it tests what the modules of that folder do together: no module alone shows that.
 * An end-to-end test in `src/cli/` may have the name of a command or an option, as its subject is what a user enters.
 */
function listStrayTests() {
  const names = new Set(modules.map(({ file }) => file.replace(/\.tsx?$/u, '')));
  for (const { file } of modules) names.add(dirname(file));
  const words = new Set([
    ...modules.flatMap(({ file }) => /^src\/cli\/commands\/([\w-]+)\.ts$/u.exec(file)?.[1] ?? []),
    ...wordsIn('src/cli/control/commands.ts', /^ {2}name: '([\w-]+)',$/gmu),
    ...['options', 'mock-options', 'rare-options'].flatMap((name) =>
      wordsIn(`src/config/${name}.ts`, /^ {2}'?([\w-]+)'?: \{/gmu),
    ),
  ]);
  return tests.filter((file) => {
    const name = file.replace(/(?:\.(?:e2e|matrix|nightly))?\.test(?:-d)?\.tsx?$/u, '');
    const isOfCommandLine = /^src\/cli\/.*\.e2e\.test\.ts$/u.test(file) && words.has(name.split('/').at(-1));
    return !names.has(name) && !isOfCommandLine;
  });
}

/** The first group of each match of a pattern in a module. */
function wordsIn(path, pattern) {
  const { text } = modules.find(({ file }) => file === path);
  return [...text.matchAll(pattern)].map(([, word]) => word);
}

const settings = countSettings().toSorted(([, one], [, two]) => one - two);
const strays = listStrayTests();
const lines = [
  ['modules in src/ and suites/', modules.length],
  ['lines of code in them', sum(lengths)],
  ['lines of a module: median, p90, longest', `${quantile(0.5)}, ${quantile(0.9)}, ${lengths.at(-1)}`],
  ['import statements', imports],
  ['exported names, without a word on them', `${exported}, ${undocumented.length}`],
  ['any', any],
  ['functions of 100 lines and more', placesOf('long').length],
  ['functions with four positional parameters and more', placesOf('manyParameters').length],
  ['nested conditional expressions', placesOf('nestedTernaries').length],
  [
    'modules that name one policy setting: fewest, median, most',
    [settings[0], settings[Math.floor(settings.length / 2)], settings.at(-1)]
      .map(([, count]) => count)
      .join(', '),
  ],
  ['test files, named after no module, folder, command or option', `${tests.length}, ${strays.length}`],
];
const counted = countRun();
lines.push(
  ['modules and functions that one POST over a socket runs', counted.post],
  ['modules and functions that one generated body runs', counted.body],
);
const width = Math.max(...lines.map(([name]) => name.length));
for (const [name, value] of lines) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
for (const name of undocumented) process.stdout.write(`  ${name}\n`);
if (process.argv.includes('--list')) {
  const list = (title, all) =>
    process.stdout.write(`\n${title}\n${all.map((each) => `  ${each}\n`).join('')}`);
  list('100 lines and more', placesOf('long'));
  list('Four positional parameters and more', placesOf('manyParameters'));
  list('Nested conditional expressions', placesOf('nestedTernaries'));
  list(
    'Modules that name a policy setting',
    settings.map(([id, count]) => `${id} ${count}`),
  );
  list('Test files named after no module, folder, command or option', strays);
}

/** Runs the code unbundled, as V8 counts the calls of its functions. */
function countRun() {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-house-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    for (const each of ['spec', 'dist/schemas'])
      cpSync(join(root, each), join(folder, each), { recursive: true });
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
    // Node 20 warns of imported JSON.
    const words = ['--no-warnings', join(folder, 'run.js')];
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
