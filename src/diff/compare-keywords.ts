import { compareNumbers, type ExactNumber, isMultipleOf } from '../json/exact-number.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { integerFormats } from '../schema/exact-keywords.ts';
import { formats, userFormats } from '../schema/formats.ts';
import { valueKey } from '../schema/walk.ts';
import { accepts, type Alternative, type Kind, type Located } from './schema-alternatives.ts';

/**
 * The effect of a change on the valid values: some are not valid any more, some became valid, both may be true, or
 * neither.
 */
export type Effect = 'narrower' | 'wider' | 'changed' | 'note';

/** A difference between two schemas of one value. */
export interface Difference {
  readonly kind: string;
  readonly effect: Effect;
  /** The rest of a sentence about the value: `is required now`. */
  readonly says: string;
  /** The property that it is about, instead of the value itself. */
  readonly member?: string;
  /** The schema, and the keyword in it. */
  readonly at: readonly [part: Located, ...tokens: (string | number)[]];
}

/** Two alternatives to compare, and a function that receives their differences. */
interface Pair {
  readonly old: Alternative;
  readonly now: Alternative;
  readonly add: (difference: Difference) => void;
}

const longest = 60;

/** Returns a value for a sentence; a long one is cut. */
function showValue(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function showValues(values: readonly (readonly [key: string, value: JsonValue])[]): string {
  const shown = values.slice(0, 5).map(([, value]) => showValue(value));
  const more = values.length > shown.length ? ` or ${values.length - shown.length} others` : '';
  return `${shown.join(', ')}${more}`;
}

function nameKinds(kinds: readonly Kind[]): string {
  const isNumber = kinds.includes('integer') && kinds.includes('fraction');
  const words = kinds
    .filter((kind) => !(isNumber && kind === 'integer'))
    .map((kind) => (kind === 'fraction' ? 'number' : kind))
    .map((name) => (name === 'null' ? name : `${/^[aio]/u.test(name) ? 'an' : 'a'} ${name}`));
  return words.join(' or ');
}

function findAt(
  alternatives: readonly Alternative[],
  keywords: readonly string[],
): Difference['at'] | undefined {
  for (const keyword of keywords) {
    const part = alternatives.flatMap(({ parts }) => parts).find(({ schema }) => keyword in schema);
    if (part !== undefined) return [part, keyword];
  }
  const [part] = alternatives.flatMap(({ parts }) => parts);
  return part && [part];
}

/** Compares the keywords that apply to a value itself. Returns whether its members can be compared. */
export function compareKeywords(pair: Pair): boolean {
  const { old, now } = pair;
  compareAnnotations(pair);
  if (!compareTypes(pair)) return false;
  const has = (...kinds: readonly Kind[]): boolean =>
    kinds.some((kind) => old.kinds.has(kind) && now.kinds.has(kind));
  for (const limit of limits) if (has(...limit.kinds)) compareLimits(pair, limit);
  for (const constraint of constraints)
    if (has(...constraint.kinds)) compareConstraints(pair, constraint, has);
  return true;
}

/** Compares types and listed values. Returns whether other keywords may matter. */
function compareTypes({ old, now, add }: Pair): boolean {
  const at = findAt([now, old], ['enum', 'const', 'type']);
  if (at === undefined) return true;
  const change = (kind: string, effect: Effect, says: string): void => add({ kind, effect, says, at });
  const lost = [...(old.values ?? [])].filter(([, value]) => !accepts(now, value));
  const gained = [...(now.values ?? [])].filter(([, value]) => !accepts(old, value));
  if (lost.length > 0) change('value-removed', 'narrower', `cannot be ${showValues(lost)} any more`);
  if (gained.length > 0) change('value-added', 'wider', `can be ${showValues(gained)} now`);
  if (old.values === undefined && now.values === undefined) return compareKinds({ old, now }, change);
  if (old.values === undefined) {
    change('values-listed', 'narrower', `can only be ${showValues([...(now.values ?? [])])} now`);
  } else if (now.values === undefined) {
    change('values-unlisted', 'wider', `is no longer limited to ${showValues([...old.values])}`);
  }
  return false;
}

function compareKinds(
  { old, now }: Pick<Pair, 'old' | 'now'>,
  change: (kind: string, effect: Effect, says: string) => void,
): boolean {
  const kinds = [...now.kinds];
  const gained = kinds.filter((kind) => !old.kinds.has(kind));
  const lost = [...old.kinds].filter((kind) => !now.kinds.has(kind));
  if (gained.length === kinds.length) {
    const says = `is ${nameKinds(kinds)} now, not ${nameKinds([...old.kinds])}`;
    change('type-changed', 'narrower', says);
    change('type-changed', 'wider', says);
    return false;
  }
  if (lost.length > 0) {
    const isNumber = lost.length === 1 && lost[0] === 'fraction';
    const says =
      old.isTyped && !isNumber ? `cannot be ${nameKinds(lost)} any more` : `must be ${nameKinds(kinds)} now`;
    change('type-narrowed', 'narrower', says);
  }
  if (gained.length > 0) {
    const says = now.isTyped ? `can be ${nameKinds(gained)} now` : 'can be of any type now';
    change('type-widened', 'wider', says);
  }
  return true;
}

function compareAnnotations({ old, now, add }: Pair): void {
  for (const keyword of ['deprecated', 'readOnly', 'writeOnly']) {
    const [part] = now.parts.filter(({ schema }) => schema[keyword] === true);
    const wasTrue = old.parts.some(({ schema }) => schema[keyword] === true);
    if (part === undefined || wasTrue) continue;
    const kind = keyword.toLowerCase();
    // A request need not send what is read-only; a service may ignore it.
    const effect = keyword === 'deprecated' ? 'note' : 'changed';
    add({ kind, effect, says: `is ${kind.replace('only', '-only')} now`, at: [part, keyword] });
  }
  const [former, later] = [old, now].map(({ parts }) => parts.find(({ schema }) => 'default' in schema));
  const [value, next] = [former, later].map((part) => part?.schema['default']);
  const at = later ?? former;
  if (at === undefined || (value !== undefined && next !== undefined && valueKey(value) === valueKey(next)))
    return;
  const says = next === undefined ? 'has no default any more' : `has the default ${showValue(next)} now`;
  add({ kind: 'default-changed', effect: 'note', says, at: [at, 'default'] });
}

type JsonNumber = number | ExactNumber;

interface LimitKeywords {
  readonly kinds: readonly Kind[];
  readonly inclusive: string;
  readonly exclusive?: string;
  readonly isMinimum: boolean;
  /** What is counted; the value itself if undefined. */
  readonly counted?: string;
}

const limits = [true, false].flatMap((isMinimum): LimitKeywords[] => {
  const [min, bound] = isMinimum ? (['min', 'Minimum'] as const) : (['max', 'Maximum'] as const);
  return [
    { kinds: ['string'], inclusive: `${min}Length`, counted: 'characters', isMinimum },
    { kinds: ['array'], inclusive: `${min}Items`, counted: 'items', isMinimum },
    { kinds: ['object'], inclusive: `${min}Properties`, counted: 'properties', isMinimum },
    { kinds: ['integer', 'fraction'], inclusive: `${min}imum`, exclusive: `exclusive${bound}`, isMinimum },
  ];
});

interface Limit {
  readonly value: JsonNumber;
  readonly isExclusive: boolean;
  readonly at: Difference['at'];
}

/** Returns a number that is greater if the second limit is tighter. */
function compareTightness(isMinimum: boolean, one: Limit, other: Limit): number {
  const order = compareNumbers(other.value, one.value) * (isMinimum ? 1 : -1);
  return order === 0 ? Number(other.isExclusive) - Number(one.isExclusive) : order;
}

function findLimit({ parts, kinds }: Alternative, keywords: LimitKeywords): Limit | undefined {
  const { inclusive, exclusive, isMinimum, counted } = keywords;
  const found = parts.flatMap((part) =>
    [inclusive, exclusive ?? ''].flatMap((keyword): Limit[] => {
      const value = part.schema[keyword];
      if (!isJsonNumber(value) || (counted !== undefined && isMinimum && value === 0)) return [];
      const isExclusive = keyword === exclusive;
      // Of integers, more than 0 is at least 1.
      return isExclusive && !kinds.has('fraction') && Number.isSafeInteger(value)
        ? [{ value: Number(value) + (isMinimum ? 1 : -1), isExclusive: false, at: [part, keyword] }]
        : [{ value, isExclusive, at: [part, keyword] }];
    }),
  );
  return found.toSorted((one, other) => compareTightness(isMinimum, one, other))[0];
}

function compareLimits({ old, now, add }: Pair, keywords: LimitKeywords): void {
  const { inclusive: kind, isMinimum, counted } = keywords;
  const [former, later] = [findLimit(old, keywords), findLimit(now, keywords)];
  const phrase = ({ value, isExclusive }: Limit): string => {
    const number = String(value);
    if (isExclusive) return `be ${isMinimum ? 'more' : 'less'} than ${number}`;
    const bound = `at ${isMinimum ? 'least' : 'most'} ${number}`;
    const noun = number === '1' ? counted?.replace(/ies$|s$/u, (end) => (end === 's' ? '' : 'y')) : counted;
    return noun === undefined ? `be ${bound}` : `have ${bound} ${noun}`;
  };
  if (later === undefined) {
    if (former === undefined) return;
    add({ kind, effect: 'wider', says: `need not ${phrase(former)} any more`, at: former.at });
    return;
  }
  const order = former === undefined ? 1 : compareTightness(isMinimum, former, later);
  if (order === 0) return;
  const before = former === undefined ? '' : `, before ${String(former.value)}`;
  const must = order > 0 ? 'must' : 'only has to';
  const effect = order > 0 ? 'narrower' : 'wider';
  add({ kind, effect, says: `${must} ${phrase(later)} now${before}`, at: later.at });
}

interface ConstraintKeyword {
  readonly keyword: string;
  readonly kinds: readonly Kind[];
  /** Returns whether each value that meets the first constraint meets the second one. */
  readonly implies?: (one: JsonValue, other: JsonValue) => boolean;
  /** Whether it restricts no value. */
  readonly isAnnotation?: true;
}

const constraints: readonly ConstraintKeyword[] = [
  { keyword: 'pattern', kinds: ['string'] },
  { keyword: 'format', kinds: ['string', 'integer', 'fraction'], implies: impliesFormat },
  {
    keyword: 'multipleOf',
    kinds: ['integer', 'fraction'],
    implies: (one, other) => isJsonNumber(one) && isJsonNumber(other) && isMultipleOf(one, other),
  },
  { keyword: 'uniqueItems', kinds: ['array'] },
  { keyword: 'minContains', kinds: ['array'] },
  { keyword: 'maxContains', kinds: ['array'] },
  { keyword: 'dependentRequired', kinds: ['object'] },
  { keyword: 'contentEncoding', kinds: ['string'], isAnnotation: true },
  { keyword: 'contentMediaType', kinds: ['string'], isAnnotation: true },
];

function impliesFormat(one: JsonValue, other: JsonValue): boolean {
  const [inner, outer] = [one, other].map((name) =>
    typeof name === 'string' ? integerFormats.get(name) : undefined,
  );
  return (
    one === other ||
    (inner !== undefined && outer !== undefined && compareNumbers(inner.maximum, outer.maximum) < 0)
  );
}

/** Returns whether a validator enforces a format of a kind of values. */
function isEnforced(format: JsonValue, has: (...kinds: readonly Kind[]) => boolean): boolean {
  if (typeof format !== 'string') return false;
  if (integerFormats.has(format)) return has('integer', 'fraction');
  const known = formats.get(format) ?? userFormats.get(format)?.test;
  const isOfNumbers = typeof known === 'object' && 'type' in known && known.type === 'number';
  return known !== undefined && typeof known !== 'boolean' && !isOfNumbers && has('string');
}

function compareConstraints(
  { old, now, add }: Pair,
  { keyword, isAnnotation, implies = (one, other) => valueKey(one) === valueKey(other) }: ConstraintKeyword,
  has: (...kinds: readonly Kind[]) => boolean,
): void {
  const list = ({ parts }: Alternative): readonly [JsonValue, Located<JsonObject>][] =>
    parts.flatMap((part) => {
      const value = part.schema[keyword];
      return value === undefined || value === false ? [] : [[value, part]];
    });
  const [formers, laters] = [list(old), list(now)];
  const gained = laters.filter(([later]) => !formers.some(([former]) => implies(former, later)));
  const lost = formers.filter(([former]) => !laters.some(([later]) => implies(later, former)));
  if (gained.length + lost.length === 0) return;
  const [[value, part] = []] = [...gained, ...laters];
  const [[formerValue, formerPart] = []] = [...lost, ...formers];
  const at: Located | undefined = part ?? formerPart;
  if (at === undefined) return;
  const show = (each: JsonValue): string => `${keyword}${each === true ? '' : ` ${showValue(each)}`}`;
  let effect: Effect = gained.length === 0 ? 'wider' : 'narrower';
  if (gained.length > 0 && lost.length > 0) effect = 'changed';
  const isLoose = keyword === 'format' && ![...gained, ...lost].some(([each]) => isEnforced(each, has));
  if (isLoose || isAnnotation === true) effect = 'note';
  const before = formerValue === undefined ? '' : `, not ${showValue(formerValue)}`;
  const says =
    value === undefined ? `no longer has ${show(formerValue ?? null)}` : `has ${show(value)} now${before}`;
  add({ kind: keyword, effect, says, at: [at, keyword] });
}
