import { ClocheError } from '../errors/cloche-error.ts';
import { joinWords, suggestWord } from '../errors/suggest.ts';
import type { Extension } from '../runner/extension.ts';

/** The expected form of a value: a type, a list, an object of any names, or an object of given members. */
type Shape =
  | 'text'
  | 'flag'
  | 'function'
  | 'arbitrary'
  | { readonly list: Shape }
  | { readonly each: Shape }
  /** A name with `?` is optional. */
  | { readonly members: { readonly [name: string]: Shape } };

const docsShape: Shape = {
  members: {
    title: 'text',
    place: 'text',
    finds: 'text',
    example: { members: { request: 'text', answer: 'text' } },
  },
};

/** The members of an extension, for a file in JavaScript or without type check. */
const extensionShape: Shape = {
  members: {
    'checks?': {
      list: {
        members: {
          id: 'text',
          docs: docsShape,
          'levels?': { list: 'text' },
          'judge?': 'function',
          'judgeTrace?': 'function',
        },
      },
    },
    'suites?': {
      list: { members: { id: 'text', title: 'text', plan: 'function', 'sendsPlainly?': 'flag' } },
    },
    'hooks?': {
      members: {
        'beforeRun?': 'function',
        'beforeCase?': 'function',
        'beforeRequest?': 'function',
        'afterResponse?': 'function',
        'afterRun?': 'function',
      },
    },
    'formats?': { each: { members: { test: 'function', examples: { list: 'text' } } } },
    'generate?': {
      members: {
        'parameters?': { each: 'arbitrary' },
        'properties?': { each: 'arbitrary' },
        'formats?': { each: 'arbitrary' },
        'mediaTypes?': { each: 'arbitrary' },
      },
    },
    'codecs?': {
      list: {
        members: {
          matches: 'function',
          'parse?': 'function',
          'serialize?': 'function',
          'coerces?': 'flag',
        },
      },
    },
  },
};

const types = { text: 'string', flag: 'boolean', function: 'function' } as const;
const nouns = { text: 'a text', flag: 'true or false', function: 'a function' } as const;

/**
 * Checks the default export of a file.
 *
 * @throws ClocheError OPTION_INVALID if it is no extension; the message names the first wrong member
 */
export function checkExtension(value: unknown, file: string): Extension {
  checkMember(value, { shape: extensionShape, at: '', file });
  // `as`: its members were just checked.
  return value as Extension;
}

/** @throws ClocheError OPTION_INVALID for the first member that does not have its shape, with its place */
function checkMember(
  value: unknown,
  { shape, at, file }: { readonly shape: Shape; readonly at: string; readonly file: string },
): void {
  const refuse = (reason: string, remedy: string): ClocheError =>
    new ClocheError('OPTION_INVALID', { attempt: 'load the extension', subject: file, reason, remedy });
  const refuseType = (wanted: string): ClocheError =>
    at === ''
      ? refuse('its default export is no extension', 'Export what defineExtension() of cloche/extend returns')
      : refuse(`${at} is not ${wanted}`, `Write ${wanted} there`);
  if (shape === 'arbitrary') {
    // Of any version of fast-check.
    const isArbitrary =
      typeof value === 'object' && value !== null && 'generate' in value && 'shrink' in value;
    if (!isArbitrary) throw refuseType('an arbitrary of fast-check');
    return;
  }
  if (typeof shape === 'string') {
    if (typeof value !== types[shape]) throw refuseType(nouns[shape]);
    return;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) throw refuseType('a list');
    value.forEach((item, index) => checkMember(item, { shape: shape.list, at: `${at}[${index}]`, file }));
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuseType('an object');
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`);
  if ('each' in shape) {
    Object.entries(value).forEach(([name, one]) =>
      checkMember(one, { shape: shape.each, at: inside(name), file }),
    );
    return;
  }
  const wanted = Object.entries(shape.members).map(([key, of]) => ({ name: key.replace('?', ''), key, of }));
  const names = wanted.map(({ name }) => name);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const remedy = suggestWord(unknown, names, `There are ${joinWords(names, 'and')}`);
    throw refuse(`it has ${inside(unknown)}, which is not known`, remedy);
  }
  for (const { name, key, of } of wanted) {
    // `as`: only its own members are read.
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined && key.endsWith('?')) continue;
    if (member === undefined) throw refuse(`${inside(name)} is missing`, `Add it`);
    checkMember(member, { shape: of, at: inside(name), file });
  }
}
