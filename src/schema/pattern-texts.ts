import { quantifier, toNative, tokens } from './pattern.ts';
import { createRandom } from './random.ts';

/** A part of a pattern, and how often it occurs. */
interface Repeated {
  readonly part: Part;
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Repeated[];

type Part =
  | { readonly kind: 'character'; readonly token: string }
  /** A part of zero width: an assertion about its position. */
  | { readonly kind: 'place' }
  /** A reference to a group, by number or name. */
  | { readonly kind: 'reference'; readonly to: string }
  | {
      readonly kind: 'group';
      /** The number and name of the group; empty for a non-capturing group. */
      readonly names: readonly string[];
      readonly alternatives: readonly Sequence[];
    };

/** Matches a token for a position between characters. */
const zeroWidth = /^(?:[$^]|\\b)$/iu;
const reference = /^\\(?:k<(?<name>[^>]*)>|(?<number>[1-9]\d*))$/u;
const group = /^\((?:\?(?:(?<look><?[=!])|(?<plain>:)|<(?<name>[^>]*)>))?$/u;

function parse(pattern: string): readonly Sequence[] {
  const pieces = pattern.match(tokens) ?? [];
  let [at, groups] = [0, 0];

  /** Reads the alternatives up to the end of a group, and moves past it. */
  function readAlternatives(): readonly Sequence[] {
    const alternatives: Repeated[][] = [[]];
    for (; at < pieces.length && pieces[at] !== ')'; at += 1) {
      const piece = pieces[at] ?? '';
      const sequence = alternatives.at(-1) ?? [];
      const found = quantifier.exec(piece);
      if (piece === '|') {
        alternatives.push([]);
      } else if (found !== null) {
        const last = sequence.pop();
        if (last !== undefined) sequence.push({ ...last, ...timesOf(piece, found.groups ?? {}) });
      } else {
        sequence.push({ part: readPart(piece), least: 1, most: 1 });
      }
    }
    return alternatives;
  }

  function readPart(piece: string): Part {
    const opened = group.exec(piece)?.groups;
    if (opened !== undefined) {
      const { look, plain, name } = opened;
      groups += look === undefined && plain === undefined ? 1 : 0;
      const names = plain === undefined ? [String(groups), ...(name === undefined ? [] : [name])] : [];
      at += 1;
      const alternatives = readAlternatives();
      return look === undefined ? { kind: 'group', names, alternatives } : { kind: 'place' };
    }
    const { name, number } = reference.exec(piece)?.groups ?? {};
    const to = name ?? number;
    if (to !== undefined) return { kind: 'reference', to };
    return zeroWidth.test(piece) ? { kind: 'place' } : { kind: 'character', token: piece };
  }

  return readAlternatives();
}

function timesOf(
  piece: string,
  { least, isRange, most }: { readonly [name: string]: string | undefined },
): Pick<Repeated, 'least' | 'most'> {
  if (least === undefined)
    return { least: piece.startsWith('+') ? 1 : 0, most: piece.startsWith('?') ? 1 : Infinity };
  const bound = isRange === undefined ? least : most;
  return { least: Number(least), most: bound ? Number(bound) : Infinity };
}

function lengthOfPart(part: Part): number {
  if (part.kind === 'group') return Math.min(...part.alternatives.map(lengthOf));
  return part.kind === 'place' ? 0 : 1;
}

function lengthOf(sequence: Sequence): number {
  return sequence.reduce((sum, { part, least }) => sum + (least === 0 ? 0 : least * lengthOfPart(part)), 0);
}

/**
 * Returns the minimum length of a matching text: `(a{1000}){1000}` requires a million characters. Lookarounds count as
 * zero, and backreferences as one character.
 */
export function shortestMatch(pattern: string): number {
  return Math.min(...parse(pattern).map(lengthOf));
}

/** Characters of many kinds, the plain ones first. */
const kinds: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyz'],
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [...'1234567890'],
  [...'-_ .,:;!?@#$%&*+/=~^|<>()[]{}"\'`\\', ...'éßñÀžΩπЖя漢字ひ한ا\u{301}😀\u{a0}\t\n'],
];
const alphabet = kinds.flat();
const plainAlphabet = kinds.slice(0, 3).flat();
/** In this order even a short text has characters of every kind, which passwords often require. */
const mixed = alphabet.flatMap((_, index) => kinds.flatMap((kind) => kind.slice(index, index + 1)));

function charactersOf(token: string, candidates: readonly string[]): readonly string[] {
  try {
    const one = toNative(`^(?:${token})$`);
    return candidates.filter((character) => one.test(character));
  } catch {
    // A part of a larger construct is not valid alone.
    return [];
  }
}

/**
 * Returns whether a pattern excludes a character from all matching texts. It returns false if the pattern is not
 * anchored at both ends, or has alternatives outside a group.
 */
export function excludesCharacter(pattern: string, character: string): boolean {
  const pieces = pattern.match(tokens) ?? [];
  const isAnchored = pieces[0] === '^' && pieces.at(-1) === '$' && parse(pattern).length === 1;
  const isCharacter = (piece: string): boolean => !/^[(|)]/u.test(piece) && !quantifier.test(piece);
  return (
    isAnchored && !pieces.some((each) => isCharacter(each) && charactersOf(each, [character]).length > 0)
  );
}

/** Matches escaped character codes (ECMA-262 §22.2.1, RegExpUnicodeEscapeSequence). */
const codes = /\\(?:u\{(?<point>[\da-f]+)\}|u(?<unit>[\da-f]{4})|x(?<byte>[\da-f]{2}))/giu;

/** Returns the characters that a token matches, in the order of an alphabet; if there are none, those it contains. */
function charactersIn(token: string, order: readonly string[]): readonly string[] {
  // Most tokens are literal characters.
  if (token.length === 1 && token !== '.') return [token];
  const found = charactersOf(token, order);
  if (found.length > 0) return found;
  const plain = token.replaceAll(codes, (...[, point, unit, byte]) =>
    String.fromCodePoint(parseInt(String(point ?? unit ?? byte), 16)),
  );
  return charactersOf(token, [...plain]);
}

/** The maximum length of a generated text, because it is written one character at a time. */
const longestText = 10_000;
/** The number of alternatives and quantifiers to try, and of characters above the minimum. */
const most = { alternatives: 3, quantifiers: 4, more: 8 };

/** Options for writing a text. */
interface Way {
  /** The index of the alternative; the last one is used if there are fewer. */
  readonly alternative: number;
  readonly order: readonly string[];
  /** The number of quantifiers to skip before one is repeated more than necessary, to reach the length. */
  readonly passed: number;
  readonly length: number;
  /** Returns a number from 0 to below 1, for random characters and alternatives; undefined uses them in order. */
  readonly random?: () => number;
}

/** A cache of characters by token: most patterns repeat tokens, and each needs a compiled regular expression. */
type KnownCharacters = Map<string, readonly string[]>;

function write(
  pattern: readonly Sequence[],
  { alternative, order, passed, length, random }: Way,
  known: KnownCharacters = new Map(),
): string | undefined {
  const choices = new Map<readonly Sequence[], number>();
  function chosen(alternatives: readonly Sequence[]): Sequence {
    const index = choices.get(alternatives) ?? Math.floor((random?.() ?? 1) * alternatives.length);
    choices.set(alternatives, index);
    return alternatives[random === undefined ? Math.min(alternative, alternatives.length - 1) : index] ?? [];
  }
  const fewest = (part: Part): number => {
    if (part.kind === 'group') return measure(chosen(part.alternatives));
    return part.kind === 'place' ? 0 : 1;
  };
  const measure = (sequence: Sequence): number =>
    sequence.reduce((sum, { part, least }) => sum + (least === 0 ? 0 : least * fewest(part)), 0);
  const written = new Map<string, string>();
  const shortest = measure(chosen(pattern));
  if (Math.max(shortest, length) > longestText) return undefined;
  let missing = length - shortest;
  let toPass = passed;

  function writeSequence(sequence: Sequence): string {
    return sequence.map(writeRepeated).join('');
  }

  function writeRepeated({ part, least, most: often }: Repeated): string {
    let times = least;
    if (missing > 0 && often > least) {
      toPass -= 1;
      const each = Math.max(1, fewest(part));
      if (toPass < 0) times = Math.min(often, least + Math.ceil(missing / each));
      missing -= (times - least) * each;
    }
    if (part.kind === 'place' || times === 0) return '';
    if (part.kind === 'reference') return (written.get(part.to) ?? '').repeat(times);
    if (part.kind === 'character') {
      const characters = known.get(part.token) ?? charactersIn(part.token, order);
      known.set(part.token, characters);
      const at = (index: number): number =>
        random === undefined ? index % characters.length : Math.floor(random() * characters.length);
      return Array.from({ length: times }, (_, index) => characters[at(index)] ?? '').join('');
    }
    const texts = Array.from({ length: times }, () => writeSequence(chosen(part.alternatives)));
    for (const name of part.names) written.set(name, texts.at(-1) ?? '');
    return texts.join('');
  }

  return writeSequence(chosen(pattern));
}

/**
 * Returns the plainest text of a pattern that fits, always the same one; undefined if no tried text fits.
 *
 * @param shortest - the minimum number of code points
 * @param fits - returns whether a text fits, because lookarounds are ignored when texts are written
 */
export function findText(
  pattern: string,
  shortest: number,
  fits: (text: string) => boolean,
): string | undefined {
  const parsed = parse(pattern);
  const tried = new Set<string | undefined>([undefined]);
  for (const length of [shortest, shortest + most.more]) {
    for (let alternative = 0; alternative < most.alternatives; alternative += 1) {
      for (let passed = 0; passed < most.quantifiers; passed += 1) {
        for (const order of [alphabet, mixed]) {
          const text = write(parsed, { alternative, order, passed, length });
          if (text !== undefined && !tried.has(text) && fits(text)) return text;
          tried.add(text);
        }
      }
    }
  }
  return undefined;
}

/** The number of texts to draw until one fits, before the plainest one is used. */
const mostDrawn = 20;

/**
 * Prepares to draw fitting texts of a pattern, mostly of letters and digits. Returns undefined if no fitting text is
 * found.
 *
 * @param bounds - the minimum and maximum number of characters
 * @param fits - returns whether a text fits, because lookarounds are ignored when texts are written
 * @returns a function from a number to a text; 0 gives the plainest one
 */
export function createTextDrawer(
  pattern: string,
  bounds: { readonly shortest: number; readonly longest: number },
  fits: (text: string) => boolean,
): ((number: number) => string) | undefined {
  const parsed = parse(padPattern(pattern));
  const least = Math.max(bounds.shortest, Math.min(...parsed.map(lengthOf)));
  const plainest = findText(pattern, bounds.shortest, fits) ?? findText(padPattern(pattern), least, fits);
  if (plainest === undefined) return undefined;
  const spread = Math.min(Math.max(bounds.longest - least, 0), most.more);
  const [ofAll, ofPlain]: readonly KnownCharacters[] = [new Map(), new Map()];
  return (number) => {
    const random = createRandom(Math.imul(number, 0x9e3779b1));
    for (let tries = 0; tries < (number === 0 ? 0 : mostDrawn); tries += 1) {
      // Every fourth text has characters of all kinds, which passwords often require.
      const isMixed = random() < 0.25;
      const way = {
        alternative: 0,
        order: isMixed ? alphabet : plainAlphabet,
        passed: Math.floor(random() * most.quantifiers),
        length: least + Math.round(random() * spread),
        random,
      };
      const text = write(parsed, way, isMixed ? ofAll : ofPlain);
      if (text !== undefined && fits(text)) return text;
    }
    return plainest;
  };
}

/** Pads a pattern without anchors, which also matches longer texts: `[A-Z]` becomes `[a-z]*(?:[A-Z])[a-z]*`. */
function padPattern(pattern: string): string {
  const pieces: readonly string[] = pattern.match(tokens) ?? [];
  if (pieces.includes('|') && pieces.some((piece) => piece === '^' || piece === '$')) return pattern;
  const [start, end] = [pieces[0] === '^' ? '' : '[a-z]*', pieces.at(-1) === '$' ? '' : '[a-z]*'];
  return start === '' && end === '' ? pattern : `${start}(?:${pattern})${end}`;
}
