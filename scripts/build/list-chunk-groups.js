import { join } from 'node:path';

/** What every command loads, whichever it is. */
const commandLine = 'src/cli/command-line.ts';

/** The short commands that drive a running mock, as between two tests: none of them needs a mock of its own. */
const shortCommands = /[\\/]src[\\/]cli[\\/]control[\\/]/;

/** The files of code that `cloche mock` starts with, and the modules that begin them: each holds what no earlier one holds. */
const parts = [
  { name: 'contract', from: ['src/contract/load.ts'] },
  { name: 'mock', from: ['src/mock/create-mock.ts', 'src/mock/server/server.ts'] },
  { name: 'mock-command', from: ['src/cli/commands/run-mock.ts'] },
];

/**
 * Says which modules become one file of dist/. Node takes up to a millisecond for each file that it loads, and the bundler by
 * itself makes one of every few modules that the same commands share: a mock would start with a hundred files of a few lines each.
 *
 * Every group holds whatever its modules import, as far as no earlier one does, so that no two files import each other.
 *
 * @param folder - the root of the package
 * @returns the bundler's groups, in the order in which they take modules
 */
export function listChunkGroups(folder) {
  const toPaths = (names) => names.map((name) => join(folder, name));
  return [
    // Every command loads nearly all of these.
    { name: 'base', test: /[\\/]src[\\/](?:errors|json)[\\/]/ },
    // What a short command loads must bring no part with it, nor a part bring the command line. What needs a package may.
    toGroup('shared', (modules) => {
      const short = listNeeded(toPaths([commandLine]), modules, shortCommands);
      const needed = listNeeded(toPaths(parts.flatMap(({ from }) => from)), modules);
      return new Set([...needed].filter((path) => short.has(path) && !needsPackage(path, modules)));
    }),
    // What every command loads besides, but for yargs, which those that declare options alone do without.
    toGroup('declarations', (modules) => {
      const [, ...needed] = listNeeded(toPaths([commandLine]), modules);
      return new Set(needed.filter((path) => !needsPackage(path, modules)));
    }),
    ...parts.map(({ name, from }) => toGroup(name, (modules) => listNeeded(toPaths(from), modules))),
  ];
}

/** @param list - lists the modules that the group takes, by what the bundler knows of all */
function toGroup(name, list) {
  let taken;
  return {
    debugName: name,
    name(path, modules) {
      // Only when it asks for a name does the bundler know what imports what.
      taken ??= list(modules);
      return taken.has(path) ? name : null;
    },
  };
}

function needsPackage(path, modules) {
  return [...listNeeded([path], modules)].some((needed) => /[\\/]node_modules[\\/]/.test(needed));
}

/**
 * Lists modules and all that is loaded with them.
 *
 * @param late - what is counted in although it is imported dynamically, as a pattern of paths
 */
function listNeeded(starts, modules, late) {
  const needed = new Set(starts);
  for (const path of needed) {
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(path) ?? {};
    for (const imported of importedIds) needed.add(imported);
    for (const imported of dynamicallyImportedIds) if (late?.test(imported)) needed.add(imported);
  }
  return needed;
}
