import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { lilconfig, type Loaders } from 'lilconfig';
import { describePath, type DocumentProblem } from '../document/document.ts';
import { parseLocatedText } from '../document/settings-file.ts';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import type { JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { loadModule } from './load-module.ts';

/** A configuration that was read. Texts still contain `${NAME}`. */
export interface Configuration {
  /** Its name, relative to the working directory. */
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  readonly root: JsonObject;
  /** Returns the place of a value: `cloche.yaml:3:7`; the name of the file if it is code. */
  readonly placeOf: (pointer: JsonPointer) => string;
  /** Creates an error from one or more problems, each with its place. */
  readonly toError: (problems: readonly DocumentProblem[]) => ClocheError;
}

/** The content of a file, before it is known whether it is an object. */
type Loaded = Pick<Configuration, 'placeOf' | 'toError'> & { readonly root: JsonValue };

const code = 'CONFIGURATION_INVALID';

/** Files that are searched in each folder, in this order. */
const searchPlaces = [
  ...['ts', 'js', 'mjs', 'yaml', 'yml', 'json'].map((ending) => `cloche.config.${ending}`),
  'cloche.yaml',
  'cloche.yml',
  'package.json',
];

/**
 * Returns the last folder of the search: the first one upwards that has package.json or .git. Without one, only the
 * working directory is searched, because a configuration may be code, and others may write to the folders above.
 */
function findStop(from: string): string {
  const home = homedir();
  let folder = from;
  while (!['package.json', '.git'].some((name) => existsSync(join(folder, name)))) {
    const above = dirname(folder);
    if (folder === home || above === folder) return from;
    folder = above;
  }
  return folder;
}

/** Reads YAML or JSON. In package.json, the configuration is the member `cloche`. */
async function loadText(path: string, text: string): Promise<unknown> {
  const name = relative('.', path) || path;
  const isManifest = basename(path) === 'package.json';
  const located = await parseLocatedText(name, text);
  const base = isManifest ? '/cloche' : '';
  const toError = (problems: readonly DocumentProblem[]): ReturnType<typeof located.toError> =>
    located.toError(
      code,
      problems.map((problem) => ({ ...problem, pointer: `${base}${problem.pointer}` })),
    );
  const placeOf = (pointer: JsonPointer): string => {
    const [first] = toError([{ pointer, reason: '', remedy: '' }]).problems;
    return first === undefined ? name : `${name}:${first.line}:${first.column}`;
  };
  if (!isManifest) return { root: located.root, placeOf, toError } satisfies Loaded;
  const root = isJsonObject(located.root) ? located.root['cloche'] : undefined;
  return { cloche: root === undefined ? undefined : ({ root, placeOf, toError } satisfies Loaded) };
}

/** Loads code, which exports the configuration or a function that returns it. */
async function loadCode(path: string): Promise<unknown> {
  const name = relative('.', path) || path;
  const exported = await loadModule({ file: name, what: 'the configuration', code });
  // `as`: a function of a configuration takes nothing.
  const value = typeof exported === 'function' ? await (exported as () => unknown)() : exported;
  // `as`: JSON.parse returns JSON. Members that JSON lacks, such as undefined, are dropped.
  const root = JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
  return {
    root,
    placeOf: () => name,
    toError(problems) {
      const [first = { pointer: '', reason: 'it is invalid', remedy: 'Fix it' }] = problems;
      const path = describePath(root, first.pointer);
      const reason = path === '' ? first.reason : `${path} ${first.reason}`;
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more problems)` : '';
      return new ClocheError(code, {
        attempt: 'read',
        subject: name,
        reason: `${reason}${more}`,
        remedy: first.remedy,
      });
    },
  } satisfies Loaded;
}

const loaders: Loaders = {
  ...Object.fromEntries(['.yaml', '.yml', '.json'].map((ending) => [ending, loadText])),
  ...Object.fromEntries(['.ts', '.mts', '.js', '.mjs'].map((ending) => [ending, loadCode])),
};

/**
 * Reads the configuration: the given file, or the first one in the working directory or above it, as far as the first
 * folder with package.json or .git. The home directory is the last folder.
 *
 * @param given - the value of `--config`; false for `--no-config`
 * @returns undefined if there is none
 * @throws ClocheError CONFIGURATION_INVALID for a file that cannot be read, with the place of the problem
 */
export async function loadConfiguration(
  given: string | false | undefined,
): Promise<Configuration | undefined> {
  if (given === false) return undefined;
  const from = process.cwd();
  const explorer = lilconfig('cloche', { searchPlaces, loaders, cache: false, stopDir: findStop(from) });
  const found = given === undefined ? await explorer.search(from) : await explorer.load(checkFile(given));
  // lilconfig gives null for a package.json without the member.
  if (found === null || (found.config ?? undefined) === undefined) {
    if (given === undefined) return undefined;
    const isManifest = basename(given) === 'package.json';
    throw failure(
      given,
      isManifest ? 'it has no member "cloche"' : 'it is empty',
      'Begin with document: openapi.yaml',
    );
  }
  // `as`: the loaders return this.
  const { root, placeOf, toError } = found.config as Loaded;
  if (!isJsonObject(root)) {
    throw toError([
      { pointer: '', reason: 'must be an object of settings', remedy: 'Begin with document: openapi.yaml' },
    ]);
  }
  const file = relative('.', found.filepath) || found.filepath;
  return { file, folder: dirname(found.filepath), root, placeOf, toError };
}

function failure(file: string, reason: string, remedy: string): ClocheError {
  return new ClocheError(code, { attempt: 'read the configuration', subject: file, reason, remedy });
}

/** Returns the path of the file of `--config`. @throws ClocheError CONFIGURATION_INVALID if it cannot be read */
function checkFile(file: string): string {
  if (!existsSync(file)) {
    const reason = describeReadFailure(Object.assign(new Error(), { code: 'ENOENT' }));
    throw failure(file, reason, 'Name a file that exists, or write one with cloche init');
  }
  if (!Object.hasOwn(loaders, extname(file))) {
    throw failure(file, 'its ending is none of a configuration', 'Name a .yaml, .json, .js or .ts file');
  }
  return resolve(file);
}
