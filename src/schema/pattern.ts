import { loadRe2 } from './late-packages.ts';

/** A `pattern` (JSON Schema 2020-12 validation §6.3.3) that is tested in time linear in the length of the text. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Longer texts (in UTF-16 units) are not checked; undefined if all are. See {@link judgeWhatIsKnown}. */
  readonly longest: number | undefined;
  /** Returns the source, which identifies the pattern in a cache. */
  readonly toString: () => string;
}

/** The tokens of a pattern: escapes, classes, the start and end of groups, quantifiers, and any other character. */
export const tokens: RegExp =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gisu;
/** A quantifier: the number of repetitions of the element before it. */
export const quantifier: RegExp = /^(?:[*+?]|\{(?<least>\d+)(?<isRange>,(?<most>\d*))?\})\??$/u;

const backReference = /^\\[1-9k]/u;

/** Maximum numbers of ways to match that count as few: per start position, and per text. */
const [fewForEach, fewInAll] = [20, 1_000_000];
/** A backtracking engine takes some milliseconds for this number of steps. */
const mostSteps = 1_000_000;
/** This number of steps takes less time than compiling a pattern, even for each text of a long list. */
const soonOver = 10_000;
/** The maximum text length for a repeated group: each character may double the ways to match. */
const longestOfNested = 16;

/** The text length limit for patterns with several counts higher than the first number. */
const [mostCounted, longestOfCounted] = [500, 1_000];

/** The cost of a pattern in a backtracking engine. */
interface Cost {
  /** The number of quantifiers without an upper bound, and of those that leave a choice. */
  readonly open: number;
  readonly choices: number;
  /** The number of ways in which the other quantifiers and the alternatives may match. */
  readonly ways: number;
  /** Whether a group is repeated: each repetition may match in several ways. */
  readonly isNested: boolean;
  /** Whether it is only tried at the start of a text. */
  readonly isAnchored: boolean;
}

/** Returns the change in group depth by a token: 1, 0 or -1. */
function levelOf(piece: string): number {
  if (piece.startsWith('(')) return 1;
  return piece === ')' ? -1 : 0;
}

function estimate(pieces: readonly string[]): Cost {
  let [open, choices, ways, isNested] = [0, 0, 1, false];
  for (const [index, piece] of pieces.entries()) {
    if (piece === '|') ways *= 2;
    const found = quantifier.exec(piece);
    if (found === null) continue;
    const { least, isRange, most } = found.groups ?? {};
    const bound = isRange === undefined ? least : most;
    const longest = piece.startsWith('?') ? 1 : Number(bound || Infinity);
    isNested ||= pieces[index - 1] === ')' && longest > 1;
    if (longest > Number(least ?? 0)) choices += 1;
    if (longest === Infinity) open += 1;
    else ways *= longest - Number(least ?? 0) + 1;
  }
  return { open, choices, ways, isNested, isAnchored: pieces[0] === '^' && !pieces.includes('|') };
}

/**
 * Compiles a pattern with the JavaScript engine.
 *
 * @throws SyntaxError if the pattern is invalid
 */
export function toNative(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // `\-` is an error with the flag.
    return new RegExp(pattern);
  }
}

const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;
const space = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const noSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

/** The maximum number of repetitions in RE2. */
const mostRepeats = 1_000;
/** The maximum number of states for a repetition: each adds states. */
const mostStates = 5_000;

/** Returns the start of the element that ends before a token: the opening of a group, or one token. */
function beginningOf(pieces: readonly string[], end: number): number {
  let depth = 0;
  for (let at = end - 1; at > 0; at -= 1) {
    depth -= levelOf(pieces[at] ?? '');
    if (depth <= 0) return at;
  }
  return 0;
}

/**
 * Repeats an element with counts that RE2 accepts: `a{5,1500}` as `(?:a{5,999}|a{1000}a{0,500})`. In
 * `a{5,1000}a{0,500}` each character could match either part, so one text would match in many ways.
 */
function repeat(thing: string, least: number, most: number): string {
  if (most <= mostRepeats) return `${thing}{${least},${most}}`;
  const further = `${thing}{${mostRepeats}}${repeat(thing, Math.max(0, least - mostRepeats), most - mostRepeats)}`;
  return least >= mostRepeats ? further : `(?:${thing}{${least},${mostRepeats - 1}}|${further})`;
}

/** Splits repetitions that exceed the limit of RE2. */
function splitRepeats(pattern: string): string {
  const pieces = pattern.match(tokens) ?? [];
  const split: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    const { least = '', isRange, most = '' } = quantifier.exec(piece)?.groups ?? {};
    const to = Number(isRange === undefined ? least : most);
    const thing = to > mostRepeats ? pieces.slice(beginningOf(pieces, at), at) : [];
    // If a group contains another quantifier, each repetition may end in many places.
    const isSplit =
      thing.length > 0 && to * thing.length <= mostStates && !thing.some((each) => quantifier.test(each));
    if (isSplit) split.splice(-thing.length, Infinity, repeat(thing.join(''), Number(least), to));
    else split.push(piece);
  }
  return split.join('');
}

/** Joins escaped surrogate pairs into code points: RE2 treats each half as a character. */
function joinHalves(pattern: string): string {
  return pattern.replaceAll(
    /\\(?:u(?<high>d[89ab][\da-f]{2})\\u(?<low>d[c-f][\da-f]{2})|.)/gisu,
    (escape, high?: string, low?: string) => {
      if (high === undefined || low === undefined) return escape;
      const character = String.fromCharCode(parseInt(high, 16), parseInt(low, 16));
      return `\\u{${character.codePointAt(0)?.toString(16)}}`;
    },
  );
}

const inClass: Readonly<Record<string, string>> = {
  '[': String.raw`\[`,
  [String.raw`\s`]: space,
  [String.raw`\S`]: noSpace,
  [String.raw`\b`]: String.raw`\x{8}`,
};

/** Translates syntax that RE2 treats unlike ECMAScript with flag u (ECMA-262 §22.2.2): `.`, `\s`, `[` in a class. */
function toRe2(pattern: string): string {
  const plain = splitRepeats(joinHalves(pattern)).replaceAll(tokens, (token) => {
    if (token === '.') return `[^${lineEnds}]`;
    if (token === String.raw`\s`) return `[${space}]`;
    if (token === String.raw`\S`) return `[${noSpace}]`;
    if (!token.startsWith('[') || token.length < 2) return token;
    return `[${token.slice(1, -1).replaceAll(/\\.|\[/gsu, (part) => inClass[part] ?? part)}]`;
  });
  return loadRe2().translateRegExp(plain);
}

/**
 * Splits off lookaheads at the start of a text, the most common ones: `^(?=.*\d)(?!x)\w+$` is three patterns, and the
 * second must not match.
 */
function takeApart(
  pieces: readonly string[],
): readonly { readonly source: string; readonly matches: boolean }[] {
  const parts: { source: string; matches: boolean }[] = [];
  let from = 1;
  while (pieces[0] === '^' && (pieces[from] === '(?=' || pieces[from] === '(?!')) {
    let depth = 0;
    const end = pieces.findIndex((piece, at) => {
      if (at < from) return false;
      depth += levelOf(piece);
      return depth === 0;
    });
    if (end === -1 || quantifier.test(pieces[end + 1] ?? '')) break;
    parts.push({ source: `^(?:${pieces.slice(from + 1, end).join('')})`, matches: pieces[from] === '(?=' });
    from = end + 1;
  }
  const rest = pieces.slice(from);
  let depth = 0;
  for (const piece of rest) {
    depth += levelOf(piece);
    // A new alternative starts here.
    if (piece === '|' && depth === 0) return [{ source: pieces.join(''), matches: true }];
  }
  return [...parts, { source: (parts.length === 0 ? pieces : ['^', ...rest]).join(''), matches: true }];
}

function toLinear(pieces: readonly string[]): Pattern['test'] | undefined {
  // RE2 would interpret a back reference as a character code.
  if (pieces.some((piece) => backReference.test(piece))) return undefined;
  const RE2JS = loadRe2();
  try {
    const parts = takeApart(pieces).map(({ source, matches }) => ({
      linear: RE2JS.compile(toRe2(source), RE2JS.LOOKBEHINDS),
      matches,
    }));
    return (text) => parts.every(({ linear, matches }) => linear.test(text) === matches);
  } catch {
    return undefined;
  }
}

/** Returns the top-level alternatives of a pattern or of a group. */
function alternativesOf(pieces: readonly string[]): string[][] {
  const alternatives: string[][] = [[]];
  let depth = 0;
  for (const piece of pieces) {
    depth += levelOf(piece);
    if (piece === '|' && depth === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(piece);
  }
  return alternatives;
}

/** Returns the end of the first element of a pattern. */
function endOfFirst(pieces: readonly string[]): number {
  let depth = 0;
  return (
    1 +
    pieces.findIndex((piece) => {
      depth += levelOf(piece);
      return depth === 0;
    })
  );
}

/** Returns an element with its minimum repetitions; undefined if it is not repeated or has a fixed count. */
function toFewest(
  repeated: readonly string[],
  quantifierToken: string | undefined,
): readonly string[] | undefined {
  const found = quantifier.exec(quantifierToken ?? '');
  if (found === null) return undefined;
  const { least, isRange } = found.groups ?? {};
  if (least === '1' || found[0].startsWith('+')) return repeated;
  if (least !== undefined && least !== '0')
    return isRange === undefined ? undefined : [...repeated, `{${least}}`];
  return [];
}

/**
 * Reduces the first and last element of a pattern to their minimum repetitions. The same texts match, because a match
 * may start and end anywhere (JSON Schema 2020-12 core §6.4): `[a-z]{1,1024}-\d*` needs a letter and a hyphen.
 */
function trimEnds(pieces: readonly string[], most = mostTrims): readonly string[] {
  return alternativesOf(pieces).flatMap((alternative, index) => [
    ...(index === 0 ? [] : ['|']),
    ...trimOne(alternative, most),
  ]);
}

/** The maximum number of elements and nested groups to trim: a pattern may have thousands. */
const mostTrims = 50;

function trimOne(pieces: readonly string[], most: number): readonly string[] {
  if (most === 0) return pieces;
  const [opening = ''] = pieces;
  const end = endOfFirst(pieces);
  if ((opening === '(' || opening === '(?:') && end === pieces.length)
    return [opening, ...trimEnds(pieces.slice(1, -1), most - 1), ')'];
  const beginning = beginningOf(pieces, pieces.length - 1);
  const last = toFewest(pieces.slice(beginning, -1), pieces.at(-1));
  if (last !== undefined) return trimOne([...pieces.slice(0, beginning), ...last], most - 1);
  const first = toFewest(pieces.slice(0, end), pieces[end]);
  return first === undefined ? pieces : trimOne([...first, ...pieces.slice(end + 1)], most - 1);
}

function compile(pattern: string): Pattern {
  // Trimming would change back references. An invalid pattern is rejected as written.
  toNative(pattern);
  const written = pattern.match(tokens) ?? [];
  const pieces = written.some((piece) => backReference.test(piece)) ? written : trimEnds(written);
  const native = toNative(pieces.join(''));
  const { open, choices, ways, isNested, isAnchored } = estimate(pieces);
  const usual = open === 0 && isAnchored ? fewInAll : fewForEach;
  const few = choices === 1 && isAnchored ? Infinity : usual;
  const toString = (): string => pattern;
  if (!isNested && ways <= few && (open === 0 || (open === 1 && isAnchored))) {
    return { test: (text) => native.test(text), longest: undefined, toString };
  }
  // Short texts take little time even with look-around and back references.
  const power = Math.max(1, open + (isAnchored ? 0 : 1));
  const within = (steps: number): number => Math.floor((steps / ways) ** (1 / power));

  function prepare(): Pick<Pattern, 'test' | 'longest'> {
    const linear = toLinear(pieces);
    if (linear !== undefined && !countsMuch(pieces)) return { test: linear, longest: undefined };
    const longest =
      linear === undefined ? Math.max(longestOfNested, isNested ? 0 : within(mostSteps)) : longestOfCounted;
    const test = linear ?? ((text: string) => native.test(text));
    return {
      longest,
      test: (text) => (text.length > longest ? assume() : test(text)),
    };
  }

  // Patterns can be long, like a list of all fonts. They are compiled at the first text that needs it.
  let prepared: ReturnType<typeof prepare> | undefined;
  const soon = isNested ? 0 : within(soonOver);
  return {
    test: (text) => (text.length <= soon ? native.test(text) : (prepared ??= prepare()).test(text)),
    get longest() {
      return (prepared ??= prepare()).longest;
    },
    toString,
  };
}

/** Returns whether an alternative has several high counts: RE2 may then be in over a thousand states per character. */
function countsMuch(pieces: readonly string[]): boolean {
  return alternativesOf(pieces).some((alternative) => {
    const counts = alternative.map((piece) => Number(quantifier.exec(piece)?.groups?.['most'] ?? 0));
    return counts.filter((most) => most > mostCounted).length > 1;
  });
}

/** The number of texts so far that were too long for their patterns, and whether they are assumed to match. */
const unchecked = { met: 0, fit: true };

function assume(): boolean {
  unchecked.met += 1;
  return unchecked.fit;
}

/**
 * Validates a value with patterns that cannot check long texts. It reports problems only if there are any whether or
 * not these texts match. Without that, `not` and `patternProperties` could report false problems.
 */
export function judgeWhatIsKnown<Problem>(judge: () => readonly Problem[]): readonly Problem[] {
  const { met } = unchecked;
  const problems = judge();
  if (problems.length === 0 || unchecked.met === met) return problems;
  unchecked.fit = false;
  try {
    const others = judge();
    return others.length < problems.length ? others : problems;
  } finally {
    unchecked.fit = true;
  }
}

/** Returns whether some work used a pattern on a text that is too long, which makes its result uncertain. */
export function meetsUncheckedPattern(work: () => unknown): boolean {
  const { met } = unchecked;
  work();
  return unchecked.met > met;
}

const known = new Map<string, Pattern>();
/** Limits the cache: documents are reloaded while users edit them. */
const mostKnown = 10_000;

/**
 * Compiles a pattern with the flag u (JSON Schema 2020-12 core §6.4), or without it if that fails. A linear engine
 * handles patterns that backtrack too much. If it cannot, only short texts are tested.
 *
 * @throws SyntaxError if the pattern is invalid
 */
export function readPattern(pattern: string): Pattern {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const made = compile(pattern);
  known.set(pattern, made);
  return made;
}

/** Returns whether a text matches a pattern; false if the pattern is invalid. See {@link readPattern}. */
export function fitsPattern(text: string, pattern: string): boolean {
  try {
    return readPattern(pattern).test(text);
  } catch {
    return false;
  }
}
