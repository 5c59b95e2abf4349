import {
  type Boundary,
  type CharacterBoundary,
  type CharacterClass,
  characterClasses,
  type LengthUnit,
} from '../../check/boundary.ts';
import { joinWords } from '../../errors/suggest.ts';
import { type JsonPointer, pointerTokens } from '../../json/pointer.ts';
import { plural } from '../format.ts';

/** Descriptions of well-known numbers. */
const notes: Readonly<Record<string, string>> = {
  [String(2n ** 31n - 1n)]: 'the largest number of 32 bits',
  [String(-(2n ** 31n))]: 'the smallest number of 32 bits',
  [String(2n ** 32n - 1n)]: 'the largest number of 32 bits without a sign',
  [String(2n ** 53n - 1n)]: 'the largest number up to which a double keeps every integer',
  [String(2n ** 53n)]: '2^53, past which a double skips integers',
  [String(-(2n ** 53n) + 1n)]: 'the smallest number down to which a double keeps every integer',
  [String(-(2n ** 53n))]: '-2^53, below which a double skips integers',
};

const units: Readonly<Record<LengthUnit, readonly [one: string, many: string, of: string]>> = {
  bytes: ['byte', 'bytes', ' in UTF-8'],
  'utf-16': ['unit', 'units', ' of UTF-16'],
  'code-points': ['character', 'characters', ''],
  unknown: ['character', 'characters', ''],
};

const classWords: Readonly<Record<CharacterClass, string>> = {
  nul: 'NUL',
  controls: 'control characters',
  space: 'spaces',
  digits: 'digits',
  capitals: 'capital letters',
  punctuation: 'punctuation',
  'c1-controls': 'control characters past ASCII',
  'latin-1': 'characters of Latin-1',
  combining: 'combining characters',
  invisible: 'invisible characters',
  'basic-plane': 'characters of the basic plane past Latin-1',
  astral: 'characters past U+FFFF',
};

/** Groups of classes with a common name. */
const unions: readonly (readonly [words: string, classes: readonly CharacterClass[]])[] = [
  ['characters past ASCII', ['latin-1', 'combining', 'basic-plane', 'astral']],
  ['characters past Latin-1', ['combining', 'basic-plane', 'astral']],
  ['control characters', ['nul', 'controls']],
];
/** Classes that the name of a union includes if they are rejected with it. */
const alongside: readonly CharacterClass[] = ['c1-controls', 'invisible'];

function nameOf(place: JsonPointer): string {
  const steps = pointerTokens(place).map((token) => (token === '*' ? '[]' : `.${token}`));
  return steps.join('').replace(/^\./u, '');
}

function quote(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const isVisible =
    /^[!-~\u00a1-\u00ac\u00ae-\u{10ffff}]$/u.test(character) && !/[\p{M}\p{C}\p{Z}]/u.test(character);
  return isVisible ? `'${character}'` : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Names samples in words; a whole class by its name. */
function nameSamples(samples: readonly string[]): readonly string[] {
  const words: string[] = [];
  let left = [...samples];
  for (const [name, classes] of unions) {
    const whole = classes.flatMap((one) => characterClasses[one].samples);
    if (whole.every((sample) => left.includes(sample))) {
      const covered =
        name === 'control characters' ? [] : alongside.flatMap((one) => characterClasses[one].samples);
      words.push(name);
      left = left.filter((sample) => !whole.includes(sample) && !covered.includes(sample));
    }
  }
  // `as`: by its type, the keys of the record are the classes.
  for (const name of Object.keys(classWords) as readonly CharacterClass[]) {
    const whole = characterClasses[name].samples;
    const refused = whole.filter((sample) => left.includes(sample));
    const accepted = whole.filter((sample) => !left.includes(sample));
    if (accepted.length === 0) {
      words.push(classWords[name]);
    } else if (refused.length > accepted.length && refused.length > 1) {
      words.push(`${classWords[name]} but ${joinWords(accepted.map(quote), 'and')}`);
    } else {
      words.push(...refused.map(quote));
    }
  }
  return words;
}

function renderCharacters({ place, refused, accepted, but }: CharacterBoundary): string {
  const subject = nameOf(place);
  if (but !== undefined) {
    return `${subject} with characters other than ${joinWords(['small letters', ...nameSamples(but)], 'and')}`;
  }
  const words = `${subject} with ${joinWords(nameSamples(refused), 'or')}`;
  if (words.includes(quote(refused[0])) || refused.length === 1) return words;
  const neighbour = accepted === undefined ? '' : `; accepted: ${quote(accepted)}`;
  return `${words} (the first refused: ${quote(refused[0])}${neighbour})`;
}

/** Describes the boundary of accepted values: `name longer than 255 characters`, `id above 2147483647`. */
export function renderBoundary(boundary: Boundary): string {
  const subject = nameOf(boundary.place);
  switch (boundary.what) {
    case 'length': {
      const { accepted, refused, unit } = boundary;
      const [one, many, of] = units[unit];
      return `${subject} ${refused > accepted ? 'longer' : 'shorter'} than ${plural(accepted, one, many)}${of}`;
    }
    case 'value': {
      const { accepted, refused } = boundary;
      const side = BigInt(refused) > BigInt(accepted) ? 'above' : 'below';
      const note = notes[accepted];
      return `${subject} ${side} ${accepted}${note === undefined ? '' : ` (${note})`}`;
    }
    case 'items': {
      const { accepted, refused } = boundary;
      return `${subject} with ${refused > accepted ? 'more' : 'fewer'} than ${plural(accepted, 'item')}`;
    }
    case 'body-size':
      return `body larger than ${boundary.accepted.toLocaleString('en')} bytes`;
    case 'blank':
      return `${subject} empty, or of white space alone`;
    case 'repeated':
      return `${subject} that was accepted before (it has to be unique)`;
    case 'white-space': {
      const words = { start: 'leading', end: 'trailing', 'either end': 'leading or trailing' };
      return `${subject} with ${words[boundary.at]} white space`;
    }
    case 'characters':
      return renderCharacters(boundary);
  }
}
