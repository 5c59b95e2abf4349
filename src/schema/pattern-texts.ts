import { quantifier, toNative, tokens } from './pattern.ts';
import { createRandom } from './random.ts';

/** What stands in a pattern, and how often. */
interface Repeated {
  readonly part: Part;
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Repeated[];

type Part =
  | { readonly kind: 'character'; readonly token: string }
  /** Of no width: it asserts something of where it stands. */
  | { readonly kind: 'place' }
  /** To a group, by its number or its name. */
  | { readonly kind: 'reference'; readonly to: string }
  | {
      readonly kind: 'group';
      /** What it is referred to by; none of a group that only groups. */
      readonly names: readonly string[];
      readonly alternatives: readonly Sequence[];
    };

/** A token that stands for a place between characters. */
const zeroWidth = /^(?:[$^]|\\b)$/iu;
const reference = /^\\(?:k<(?<name>[^>]*)>|(?<number>[1-9]\d*))$/u;
const group = /^\((?:\?(?:(?<look><?[=!])|(?<plain>:)|<(?<name>[^>]*)>))?$/u;

function parse(pattern: string): readonly Sequence[] {
  const pieces = pattern.match(tokens) ?? [];
  let [at, groups] = [0, 0];

  /** What stands up to the end of a group, and past it. */
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
 * How many characters a text has at least that matches: `(a{1000}){1000}` asks for a million. What looks around counts
 * nothing, and what refers back as one.
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
/** In this order a few of them are of every kind, as passwords have to be. */
const mixed = alphabet.flatMap((_, index) => kinds.flatMap((kind) => kind.slice(index, index + 1)));

function charactersOf(token: string, candidates: readonly string[]): readonly string[] {
  try {
    const one = toNative(`^(?:${token})$`);
    return candidates.filter((character) => one.test(character));
  } catch {
    // What is part of something means nothing alone.
    return [];
  }
}

/**
 * Returns whether no text that matches a pattern holds a character. It returns false if the pattern is not anchored at both
 * ends, or has alternatives outside a group.
 */
export function excludesCharacter(pattern: string, character: string): boolean {
  const pieces = pattern.match(tokens) ?? [];
  const isAnchored = pieces[0] === '^' && pieces.at(-1) === '$' && parse(pattern).length === 1;
  const isCharacter = (piece: string): boolean => !/^[(|)]/u.test(piece) && !quantifier.test(piece);
  return (
    isAnchored && !pieces.some((each) => isCharacter(each) && charactersOf(each, [character]).length > 0)
  );
}

/** Characters by their codes (ECMA-262 §22.2.1, RegExpUnicodeEscapeSequence). */
const codes = /\\(?:u\{(?<point>[\da-f]+)\}|u(?<unit>[\da-f]{4})|x(?<byte>[\da-f]{2}))/giu;

/** Those that a token stands for, in the order of an alphabet, and where none is of it, those that are written in it. */
function charactersIn(token: string, order: readonly string[]): readonly string[] {
  // Most stand for themselves.
  if (token.length === 1 && token !== '.') return [token];
  const found = charactersOf(token, order);
  if (found.length > 0) return found;
  const plain = token.replaceAll(codes, (...[, point, unit, byte]) =>
    String.fromCodePoint(parseInt(String(point ?? unit ?? byte), 16)),
  );
  return charactersOf(token, [...plain]);
}

/** A longer text is not made: it is written a character at a time. */
const longestText = 10_000;
/** How many alternatives and quantifiers are tried, and how many characters more than there have to be. */
const most = { alternatives: 3, quantifiers: 4, more: 8 };

/** A way of writing a text. */
interface Way {
  /** Which of the alternatives is taken, or the last where there are fewer. */
  readonly alternative: number;
  readonly order: readonly string[];
  /** How many quantifiers are passed over before one counts higher than it must, to reach a length. */
  readonly passed: number;
  readonly length: number;
  /** Chooses a character and an alternative at random, a number from 0 to below 1; undefined takes them in order. */
  readonly random?: () => number;
}

/** The characters of a token, by the token: most patterns repeat theirs, and each is a regular expression of its own. */
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
  const fewest = (part: Part): number =>
    part.kind === 'group' ? measure(chosen(part.alternatives)) : part.kind === 'place' ? 0 : 1;
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
 * The plainest text of a pattern that fits, the same each time; undefined where none of those that are tried does.
 *
 * @param shortest - how many code points it should have at least
 * @param fits - says whether a text does: what looks around is not heeded as texts are written
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

/** How many texts are drawn for one that fits, before the plainest one is taken. */
const mostDrawn = 20;

/**
 * Prepares the drawing of texts of a pattern that fit, of letters and digits for the most part. Returns undefined if no text
 * is found that fits.
 *
 * @param bounds - the fewest and the most characters of a text
 * @param fits - returns whether a text does: what looks around is not heeded as texts are written
 * @returns draws the text of a number; 0 gives the plainest one
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
      // Each fourth text has characters of all kinds, as passwords need them.
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

/** A pattern that is not anchored also matches longer texts: `[A-Z]` becomes `[a-z]*(?:[A-Z])[a-z]*`. */
function padPattern(pattern: string): string {
  const pieces: readonly string[] = pattern.match(tokens) ?? [];
  if (pieces.includes('|') && pieces.some((piece) => piece === '^' || piece === '$')) return pattern;
  const [start, end] = [pieces[0] === '^' ? '' : '[a-z]*', pieces.at(-1) === '$' ? '' : '[a-z]*'];
  return start === '' && end === '' ? pattern : `${start}(?:${pattern})${end}`;
}
