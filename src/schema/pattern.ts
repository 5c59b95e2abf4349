import { RE2JS } from 're2js';

/** Holds texts against a `pattern` (JSON Schema 2020-12 validation §6.3.3), in time that is linear in their length. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Texts of more UTF-16 units than this are not judged; undefined where all are. See {@link judgeWhatIsKnown}. */
  readonly longest: number | undefined;
  /** The pattern, by which those who keep many tell them apart. */
  readonly toString: () => string;
}

/** Escapes, classes, what opens and closes groups, quantifiers, and every other character alone. */
export const tokens: RegExp =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gisu;
/** How often the thing before it may come. */
export const quantifier: RegExp = /^(?:[*+?]|\{(?<least>\d+)(?<isRange>,(?<most>\d*))?\})\??$/u;

const backReference = /^\\[1-9k]/u;

/** So many ways of matching are few, for each beginning and for a whole text. */
const [fewForEach, fewInAll] = [20, 1_000_000];
/** So many steps of a backtracking engine are over in some milliseconds. */
const mostSteps = 1_000_000;
/** So many take less than compiling a pattern anew does, even for each text of a long list. */
const soonOver = 10_000;
/** The longest text of a group that is repeated: each character may double the ways of matching. */
const longestOfNested = 16;

/** What counts higher than this in several places is judged on texts of so many characters. */
const [mostCounted, longestOfCounted] = [500, 1_000];

/** How a backtracking engine goes about a pattern. */
interface Cost {
  /** How many of its quantifiers have no upper bound, and how many leave a choice. */
  readonly open: number;
  readonly choices: number;
  /** In how many ways the others and the alternatives may match. */
  readonly ways: number;
  /** Whether a group is repeated, so that each round may match in several ways. */
  readonly isNested: boolean;
  /** Whether it is tried at the beginning of a text alone. */
  readonly isAnchored: boolean;
}

/** Returns how many levels of groups a piece opens; -1 if it closes one. */
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
 * A pattern for the engine of JavaScript.
 *
 * @throws SyntaxError where it is none
 */
export function toNative(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // `\-` has no meaning with the flag.
    return new RegExp(pattern);
  }
}

const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;
const space = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const noSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

/** RE2 repeats a thing so often at most … */
const mostRepeats = 1_000;
/** … and each time more is a state more to be in. */
const mostStates = 5_000;

/** Where the thing begins that ends before a token: a group at its opening, all else alone. */
function beginningOf(pieces: readonly string[], end: number): number {
  let depth = 0;
  for (let at = end - 1; at > 0; at -= 1) {
    depth -= levelOf(pieces[at] ?? '');
    if (depth <= 0) return at;
  }
  return 0;
}

/**
 * A thing so often, and no count above what RE2 takes: `a{5,1500}` as `(?:a{5,999}|a{1000}a{0,500})`. In `a{5,1000}a{0,500}` each
 * character would belong to either, and a text of so many be read in as many ways.
 */
function repeat(thing: string, least: number, most: number): string {
  if (most <= mostRepeats) return `${thing}{${least},${most}}`;
  const further = `${thing}{${mostRepeats}}${repeat(thing, Math.max(0, least - mostRepeats), most - mostRepeats)}`;
  return least >= mostRepeats ? further : `(?:${thing}{${least},${mostRepeats - 1}}|${further})`;
}

/** What is repeated more often than RE2 repeats a thing, in a form that it takes. */
function splitRepeats(pattern: string): string {
  const pieces = pattern.match(tokens) ?? [];
  const split: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    const { least = '', isRange, most = '' } = quantifier.exec(piece)?.groups ?? {};
    const to = Number(isRange === undefined ? least : most);
    const thing = to > mostRepeats ? pieces.slice(beginningOf(pieces, at), at) : [];
    // In a group that holds another quantifier each round may end in many places.
    const isSplit =
      thing.length > 0 && to * thing.length <= mostStates && !thing.some((each) => quantifier.test(each));
    if (isSplit) split.splice(-thing.length, Infinity, repeat(thing.join(''), Number(least), to));
    else split.push(piece);
  }
  return split.join('');
}

/** Characters that are written as two halves, by their code: RE2 takes each half for a character. */
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

/** What RE2 reads in another way than ECMAScript with the flag u (ECMA-262 §22.2.2): `.`, `\s` and a bracket in a class. */
function toRe2(pattern: string): string {
  const plain = splitRepeats(joinHalves(pattern)).replaceAll(tokens, (token) => {
    if (token === '.') return `[^${lineEnds}]`;
    if (token === String.raw`\s`) return `[${space}]`;
    if (token === String.raw`\S`) return `[${noSpace}]`;
    if (!token.startsWith('[') || token.length < 2) return token;
    return `[${token.slice(1, -1).replaceAll(/\\.|\[/gsu, (part) => inClass[part] ?? part)}]`;
  });
  return RE2JS.translateRegExp(plain);
}

/**
 * Takes the assertions apart that look ahead from the beginning of a text, which is what they are mostly for:
 * `^(?=.*\d)(?!x)\w+$` is three patterns, of which the second may not match.
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
    // An alternative begins anew.
    if (piece === '|' && depth === 0) return [{ source: pieces.join(''), matches: true }];
  }
  return [...parts, { source: (parts.length === 0 ? pieces : ['^', ...rest]).join(''), matches: true }];
}

function toLinear(pieces: readonly string[]): Pattern['test'] | undefined {
  // What refers back would be taken for the number of a character.
  if (pieces.some((piece) => backReference.test(piece))) return undefined;
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

/** The alternatives of a pattern, or of a group, at its top. */
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

/** Where the thing ends that begins a pattern. */
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

/** What is repeated, as often as it has to be; undefined where it is not repeated, or never more often. */
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
 * A pattern that the same texts match, with the thing that begins it and the thing that ends it repeated no more often than they
 * have to be: a match may begin and end anywhere (JSON Schema 2020-12 core §6.4), so that `[a-z]{1,1024}-\d*` asks for a
 * letter and a hyphen.
 */
function trimEnds(pieces: readonly string[], most = mostTrims): readonly string[] {
  return alternativesOf(pieces).flatMap((alternative, index) => [
    ...(index === 0 ? [] : ['|']),
    ...trimOne(alternative, most),
  ]);
}

/** So many things are looked at from the ends of a pattern, and groups in groups gone into: it may have thousands. */
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

function compile(pattern: string): Omit<Pattern, 'toString'> {
  // What refers back wants what came before as it was; a pattern that is none is refused as it is written.
  toNative(pattern);
  const written = pattern.match(tokens) ?? [];
  const pieces = written.some((piece) => backReference.test(piece)) ? written : trimEnds(written);
  const native = toNative(pieces.join(''));
  const { open, choices, ways, isNested, isAnchored } = estimate(pieces);
  const usual = open === 0 && isAnchored ? fewInAll : fewForEach;
  const few = choices === 1 && isAnchored ? Infinity : usual;
  if (!isNested && ways <= few && (open === 0 || (open === 1 && isAnchored))) {
    return { test: (text) => native.test(text), longest: undefined };
  }
  // Where it looks around or refers back, what is short is over soon all the same.
  const power = Math.max(1, open + (isAnchored ? 0 : 1));
  const most = isNested ? longestOfNested : Math.floor((mostSteps / ways) ** (1 / power));
  const longest = Math.max(longestOfNested, most);
  const upTo = (limit: number, test: Pattern['test']): Pattern['test'] => {
    return (text) => (text.length > limit ? assumeOf(`${pattern}\0${text}`) : test(text));
  };
  const onShort = upTo(longest, (text) => native.test(text));
  if (countsMuch(pieces)) {
    const linear = toLinear(pieces);
    return linear === undefined
      ? { test: onShort, longest }
      : { test: upTo(longestOfCounted, linear), longest: longestOfCounted };
  }
  if (isPlain(pieces)) {
    // Some patterns are as long as a list of all fonts: compiled when the first text is judged that is not over sooner.
    let test: Pattern['test'] | undefined;
    const soon = isNested ? 0 : Math.floor((soonOver / ways) ** (1 / power));
    return {
      test: (text) =>
        text.length <= soon ? native.test(text) : (test ??= toLinear(pieces) ?? onShort)(text),
      longest: undefined,
    };
  }
  const linear = toLinear(pieces);
  return linear === undefined ? { test: onShort, longest } : { test: linear, longest: undefined };
}

/** Whether an alternative counts high in several places, so that RE2 may be in a thousand states and more with each character. */
function countsMuch(pieces: readonly string[]): boolean {
  return alternativesOf(pieces).some((alternative) => {
    const counts = alternative.map((piece) => Number(quantifier.exec(piece)?.groups?.['most'] ?? 0));
    return counts.filter((most) => most > mostCounted).length > 1;
  });
}

/** The escape of one character by its code, which is no half of another. */
const code = String.raw`u(?![dD][89a-fA-F])[\da-fA-F]{4}|x[\da-fA-F]{2}`;
/** Groups that do more than group, escapes but for the usual ones, classes that hold all or nothing, and ranges from or to a class. */
const unusual = new RegExp(
  String.raw`^\((?!\?:|$)|^\\(?![dwsDWSbB]|[^0-9A-Za-z]|${code})|^\[\^?\]|^\[.*(?:\\(?!${code})[0-9A-Zac-ce-rt-vx-z]|\\[dwsDWS]-|-\\[dwsDWS])`,
  'su',
);

/** Whether a pattern surely has a form that RE2 takes: no group but to group, usual escapes, nothing repeated too often. */
function isPlain(pieces: readonly string[]): boolean {
  const open = [1];
  let last = 1;
  for (const piece of pieces) {
    if (unusual.test(piece)) return false;
    if (piece.startsWith('(')) {
      open.push(1);
      continue;
    }
    const { least, isRange, most } = quantifier.exec(piece)?.groups ?? {};
    const bound = Number((isRange === undefined ? least : most || least) ?? 1);
    const repeated = quantifier.test(piece) ? last * Math.max(1, bound) : 1;
    last = piece === ')' ? (open.pop() ?? 1) : repeated;
    if (last > mostRepeats) return false;
    open.push(Math.max(open.pop() ?? 1, last));
  }
  return true;
}

/**
 * The texts of one judgement that no pattern of theirs could judge, in the order in which they came; which of them are taken not
 * to fit, a bit each; and how many have ever been met.
 */
const unjudged = { texts: new Map<string, number>(), unfit: 0, met: 0 };
/** Two to the power of this are tried. */
const mostUnjudged = 6;

function assumeOf(key: string): boolean {
  const { texts, unfit } = unjudged;
  const index = texts.get(key) ?? texts.size;
  texts.set(key, index);
  unjudged.met += 1;
  return ((unfit >> index) & 1) === 0;
}

/**
 * Judges a value by patterns that cannot judge a long text: wrong is what is wrong whichever of these texts fit, so that
 * neither `not` nor a name of `patternProperties` makes a problem of what nobody knows.
 */
export function judgeWhatIsKnown<Problem>(judge: () => readonly Problem[]): readonly Problem[] {
  const { texts } = unjudged;
  // To clear an empty map allocates memory, and each value is judged here.
  if (texts.size > 0) texts.clear();
  let problems = judge();
  if (problems.length === 0 || texts.size === 0) return problems;
  try {
    for (let unfit = 1; unfit < 2 ** texts.size; unfit += 1) {
      unjudged.unfit = unfit;
      const others = texts.size > mostUnjudged ? [] : judge();
      if (others.length === 0) return [];
      if (others.length < problems.length) problems = others;
    }
    return problems;
  } finally {
    unjudged.unfit = 0;
  }
}

/** Whether some work met a text that a pattern could not judge, so that what it found is not for sure. */
export function meetsUnjudged(work: () => unknown): boolean {
  const { met } = unjudged;
  work();
  return unjudged.met > met;
}

const known = new Map<string, Pattern>();
/** Documents are loaded anew while they are written. */
const mostKnown = 10_000;

/**
 * Reads a pattern with the flag u (JSON Schema 2020-12 core §6.4), and without where that has no meaning. What an engine
 * that backtracks may take long for is left to one that does not; what neither can do is tried on short texts alone.
 *
 * @throws SyntaxError where the pattern is none
 */
export function readPattern(pattern: string): Pattern {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const made = { ...compile(pattern), toString: () => pattern };
  known.set(pattern, made);
  return made;
}

/** Whether a text fits a pattern; none fits what is no pattern. See {@link readPattern}. */
export function fitsPattern(text: string, pattern: string): boolean {
  try {
    return readPattern(pattern).test(text);
  } catch {
    return false;
  }
}
