import type { DocumentProblem } from '../document/document.ts';
import { suggestWord } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { byKey, configurationKey, type OptionsByName, sharedOptions } from './keys.ts';
import type { Option } from './option.ts';

/** The options of each command with a section in a configuration. */
export type Sections = Readonly<Record<string, OptionsByName>>;

type Keys = ReturnType<typeof byKey>;

/** Lists the problems of a configuration: unknown keys and values of the wrong type, each with its place. */
export function listConfigurationProblems(root: JsonObject, sections: Sections): readonly DocumentProblem[] {
  const checker = new ConfigurationChecker(sections);
  checker.checkLevel(root, '', ['$schema', 'services', ...Object.keys(sections)]);
  return checker.problems;
}

/** Matches a text with a value from the environment, whose type is known only when it is expanded. */
const fromEnvironment = /\$\{/u;

/** A member of a setting. */
const setting: Option = { kind: 'setting', describe: '' };

const isScalar = (value: JsonValue): boolean => typeof value === 'string' || isJsonNumber(value);

type Form = readonly [words: string, fits: (value: JsonValue) => boolean];

const text: Form = ['must be a text', isScalar];
const texts: Form = [
  'must be a text or a list of texts',
  (value) => isScalar(value) || (Array.isArray(value) && value.every(isScalar)),
];

/** The type of the values of each kind of option. */
const forms: Readonly<Record<Option['kind'], Form>> = {
  switch: ['must be true or false', (value) => typeof value === 'boolean'],
  text,
  word: text,
  token: text,
  number: ['must be a number', isJsonNumber],
  whole: ['must be a whole number', Number.isInteger],
  texts,
  tokens: texts,
  argument: text,
  setting: ['must be an object', isJsonObject],
};

/** Returns whether a value of a pair is a text, a number, true or false, or a list of them. */
const isPairValue = (value: JsonValue): boolean =>
  [value].flat().every((each) => isScalar(each) || typeof each === 'boolean');

/** Returns what is wrong with the type of a value, without a full stop; undefined if it fits its option. */
function findTypeProblem({ kind, pairs, choices }: Option, value: JsonValue): string | undefined {
  if (pairs !== undefined && isJsonObject(value)) return undefined;
  if (typeof value === 'string' && fromEnvironment.test(value)) return undefined;
  const [words, fits] = forms[kind];
  if (!fits(value)) return pairs === undefined ? words : 'must be an object of names and values';
  if (choices === undefined || choices.some((choice) => choice === value)) return undefined;
  return `must be ${choices.join(' or ')}`;
}

class ConfigurationChecker {
  readonly problems: DocumentProblem[] = [];
  readonly #sections: Sections;
  readonly #shared: Keys;

  constructor(sections: Sections) {
    this.#sections = sections;
    this.#shared = byKey(sharedOptions(sections));
  }

  /** Checks the top level, or a service: shared options and sections. */
  checkLevel(level: JsonObject, pointer: JsonPointer, others: readonly string[]): void {
    for (const [key, value] of Object.entries(level)) {
      // A key with only comments below it has no value.
      if (value === null) continue;
      const at = appendPointer(pointer, key);
      const section = others.includes(key) ? this.#sections[key] : undefined;
      if (section !== undefined && isJsonObject(value)) {
        this.#checkKeys(value, { pointer: at, keys: byKey(section), others: [] });
      } else if (key === 'services' && others.includes(key)) {
        this.#checkServices(value, at);
      } else if (others.includes(key)) {
        if (key === '$schema') continue;
        const users = Object.keys(this.#sections).filter((name) =>
          byKey(this.#sections[name] ?? {}).has(key),
        );
        const remedy =
          users.length === 0
            ? `Write ${key}: and its settings below it`
            : `Write it below ${users.join(':, ')}:`;
        this.#report(at, 'must be an object of settings', remedy);
      } else {
        this.#checkKey(key, value, { pointer, keys: this.#shared, others });
      }
    }
  }

  #checkServices(services: JsonValue, pointer: JsonPointer): void {
    if (!isJsonObject(services)) {
      this.#report(
        pointer,
        'must be an object of services',
        'Write orders: and the settings of the service below it',
      );
      return;
    }
    for (const [name, service] of Object.entries(services)) {
      const at = appendPointer(pointer, name);
      if (isJsonObject(service)) {
        const { prefix, ...others } = service;
        if (prefix !== undefined && !(typeof prefix === 'string' && prefix.startsWith('/'))) {
          this.#report(
            appendPointer(at, 'prefix'),
            'must be a path',
            'Write it with a slash: prefix: /orders',
          );
        }
        this.checkLevel(others, at, Object.keys(this.#sections));
      } else {
        this.#report(at, 'must be an object of settings', 'Write document: and url: below it');
      }
    }
  }

  #checkKeys(object: JsonObject, context: KeyContext): void {
    for (const [key, value] of Object.entries(object)) {
      if (value !== null) this.#checkKey(key, value, context);
    }
  }

  #checkKey(key: string, value: JsonValue, { pointer, keys, others }: KeyContext): void {
    const at = appendPointer(pointer, key);
    const nested = new Map(
      [...keys].flatMap(([name, entry]) =>
        name.startsWith(`${key}.`) ? [[name.slice(key.length + 1), entry] as const] : [],
      ),
    );
    const option = keys.get(key)?.[1];
    if (option?.pairs !== undefined && option.pairs.isJson !== true && isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!isPairValue(member))
          this.#report(
            appendPointer(at, name),
            'must be a text or a list of texts',
            `Write "" for an empty text, or leave ${name} out`,
          );
      }
    }
    if (nested.size > 0 && isJsonObject(value)) {
      this.#checkKeys(value, { pointer: at, keys: nested, others: [] });
    } else if (nested.size > 0) {
      this.#report(at, 'must be an object', `Write ${[...nested.keys()].join(', ')} below it`);
    } else if (option === undefined) {
      this.#reportUnknown(key, { pointer: at, keys, others });
    } else {
      const problem = findTypeProblem(option, value);
      if (problem !== undefined) this.#report(at, problem, `Correct ${key}`);
      else if (option.members !== undefined && isJsonObject(value)) {
        const members = option.members.map((name) => [name, [name, setting]] as const);
        this.#checkKeys(value, { pointer: at, keys: new Map(members), others: [] });
      }
    }
  }

  #reportUnknown(key: string, { pointer, keys, others }: KeyContext): void {
    const section = Object.entries(this.#sections).find(([, options]) => byKey(options).has(key))?.[0];
    const names = [...new Set([...keys.keys(), ...others].map((name) => name.split('.', 1)[0] ?? name))];
    // The flag --base-url is the setting `url`.
    const asFlag = [...keys].find(([, [name]]) => configurationKey(name, setting) === key);
    if (asFlag !== undefined) {
      const [own, [name]] = asFlag;
      this.#report(pointer, `is no setting, only the flag --${name}`, `Write ${own}`);
    } else if (section !== undefined && !names.includes(key)) {
      this.#report(pointer, `is no setting here, but one of ${section}`, `Move ${key} below ${section}:`);
    } else {
      const remedy = suggestWord(key, names, `Choose among ${names.toSorted().join(', ')}`);
      this.#report(pointer, 'is no setting of Cloche', remedy);
    }
  }

  #report(pointer: JsonPointer, reason: string, remedy: string): void {
    this.problems.push({ pointer, reason, remedy });
  }
}

interface KeyContext {
  readonly pointer: JsonPointer;
  readonly keys: Keys;
  readonly others: readonly string[];
}
