import type { JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { compareKeywords, type Difference, type Effect } from './compare-keywords.ts';
import {
  type Alternative,
  areDisjoint,
  below,
  componentPlace,
  isNull,
  itemView,
  listAlternatives,
  listNames,
  type Located,
  memberView,
  otherMembersView,
  placeOf,
  splitByKind,
  type View,
} from './schema-alternatives.ts';

/** A change of a schema, and its effect on the valid values. */
export interface SchemaChange {
  readonly kind: string;
  readonly effect: Effect;
  /** The place in the value: `items[].name`; empty for the value itself. */
  readonly path: string;
  /** The rest of a sentence about it: `is required now`. */
  readonly says: string;
  readonly document: 'old' | 'new';
  readonly pointer: JsonPointer;
}

/** 1 if a wider subschema makes the schema wider, -1 if narrower, 0 if that is unknown. */
type Variance = 1 | -1 | 0;

interface Views {
  readonly old: View;
  readonly now: View;
}

/** Two subschemas, and the path to their values. */
interface Edge extends Views {
  readonly step: string;
  readonly variance?: Variance;
}

/** The differences of two views, and their subschemas, which may contain the views again. */
interface Node {
  readonly differences: Difference[];
  readonly edges: Edge[];
  /** Judges the alternatives that only one document has. */
  judge?: () => readonly Difference[];
  /** What it returned, by the nesting of comparisons: deep ones are less exact. */
  readonly judged: (readonly Difference[])[];
  /** The last collection that visited it, by variance. */
  readonly visits: Map<Variance, number>;
  /** Whether there is no difference in it or below it. */
  isQuiet?: true;
  /** The nodes of the edges, except those without any difference. */
  children?: readonly { readonly node: Node; readonly step: string; readonly variance: Variance }[];
}

function createNode(): Node {
  return { differences: [], edges: [], judged: [], visits: new Map() };
}

/** A node on the way of a collection. */
interface Visit {
  readonly node: Node;
  readonly step: string;
  readonly variance: Variance;
  readonly above: Visit | undefined;
}

/** Returns the path to a visited value: `items[].name`. */
function pathOf({ step, above }: Pick<Visit, 'step' | 'above'>): string {
  const path = above === undefined ? '' : pathOf(above);
  return path === '' || step === '' || step.startsWith('[') ? path + step : `${path}.${step}`;
}

/** The number of nested comparisons that decide whether one alternative covers another. */
const mostNested = 2;

/**
 * Compares schemas of one document with those of another. Subschemas that both documents share are compared once.
 *
 * If no change is `narrower` or `changed`, each value that was valid is still valid, except for properties that the old
 * schema allowed without declaring them. If none is `wider` or `changed`, the same is true the other way round.
 */
export class SchemaComparison {
  readonly #nodes = new Map<string, Node>();
  readonly #ids = new WeakMap<JsonObject, number>();
  #nextId = 0;
  #runs = 0;
  #nesting = 0;

  /** Returns the changes between two schemas; an undefined one accepts every value. */
  compare(old: CompiledSchema | undefined, now: CompiledSchema | undefined): readonly SchemaChange[] {
    const start = this.#nodeOf({
      old:
        old === undefined
          ? []
          : [{ schema: old.schema, side: { document: 'old', compiled: old }, pointer: '' }],
      now:
        now === undefined
          ? []
          : [{ schema: now.schema, side: { document: 'new', compiled: now }, pointer: '' }],
    });
    return this.#collect(start);
  }

  /** Collects the changes below a node, breadth first, so that paths are short. */
  #collect(start: Node): readonly SchemaChange[] {
    const found: SchemaChange[] = [];
    const run = (this.#runs += 1);
    const queue: Visit[] = [];
    const enter = (visit: Visit): void => {
      const { node, variance } = visit;
      if (node.isQuiet === true || node.visits.get(variance) === run) return;
      node.visits.set(variance, run);
      queue.push(visit);
    };
    enter({ node: start, step: '', variance: 1, above: undefined });
    for (const visit of queue) {
      for (const { kind, effect, says, member = '', at } of this.#differencesOf(visit.node)) {
        const [part, ...tokens] = at;
        found.push({
          kind,
          effect: vary(effect, visit.variance),
          path: pathOf({ step: member, above: visit }),
          says,
          document: part.side.document,
          pointer: placeOf(part, ...tokens),
        });
      }
      for (const { node, step, variance } of this.#childrenOf(visit.node)) {
        // `as`: products of variances are variances. The sum removes negative zero.
        enter({ node, step, variance: (visit.variance * variance + 0) as Variance, above: visit });
      }
    }
    if (found.length === 0 && this.#nesting === 0) for (const { node } of queue) node.isQuiet = true;
    return found;
  }

  #differencesOf(node: Node): readonly Difference[] {
    const judged = this.#judge(node);
    return judged.length === 0 ? node.differences : [...node.differences, ...judged];
  }

  #judge(node: Node): readonly Difference[] {
    const known = node.judged[this.#nesting];
    if (known !== undefined || node.judge === undefined) return known ?? [];
    // Inside its own judgement, a node has no differences.
    node.judged[this.#nesting] = [];
    return (node.judged[this.#nesting] = node.judge());
  }

  #childrenOf(node: Node): NonNullable<Node['children']> {
    node.children ??= node.edges
      .map(({ step, variance = 1, ...views }) => ({ node: this.#nodeOf(views), step, variance }))
      .filter(({ node: { differences, edges, judge } }) => differences.length + edges.length > 0 || judge);
    return node.children;
  }

  #keyOf(view: View): string {
    const ids = view.map(({ schema }) => {
      if (!isJsonObject(schema)) return schema === false ? 'false' : 'true';
      const id = this.#ids.get(schema) ?? (this.#nextId += 1);
      this.#ids.set(schema, id);
      return id;
    });
    return [...new Set(ids)].join(',');
  }

  #nodeOf({ old, now }: Views): Node {
    const key = `${this.#keyOf(old)} ${this.#keyOf(now)}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = createNode();
    this.#nodes.set(key, node);
    this.#fill(node, { old, now });
    return node;
  }

  #fill(node: Node, views: Views): void {
    const [old, now] = [listAlternatives(views.old), listAlternatives(views.now)];
    const [[first, ...more], [last, ...others]] = [old.list, now.list];
    const isSplit = old.isSplit && now.isSplit;
    const [closed] = (first === undefined ? views.old : views.now).toSorted((one) =>
      one.schema === false ? -1 : 1,
    );
    if (first === undefined || last === undefined) {
      if (first === last || closed === undefined) return;
      const [effect, says] =
        first === undefined ? ['wider', 'is allowed now'] : ['narrower', 'is not allowed any more'];
      // `as`: both are effects.
      node.differences.push({ kind: 'allowed', effect: effect as Effect, says, at: [closed] });
    } else if (more.length + others.length === 0) {
      compareAlternatives(node, { old: first, now: last, isSplit });
    } else {
      this.#match(node, old.list, now.list);
    }
  }

  /** Compares alternatives pairwise: of one component, of null, at one place; then those that are left. */
  #match(node: Node, ...lists: readonly [old: readonly Alternative[], now: readonly Alternative[]]): void {
    const hasBranches = lists.some((list) => list.filter((each) => !isNull(each)).length > 1);
    const [olds = [], nows = []] = hasBranches
      ? lists.map((list) => list.flatMap((each) => splitByKind(each, false)))
      : lists;
    const left = { olds: new Set(olds), nows: new Set(nows) };
    const pairs: Node[] = [];
    const pair = (isPair: (old: Alternative, now: Alternative) => boolean): void => {
      for (const old of left.olds) {
        const now = [...left.nows].find((each) => isNull(old) === isNull(each) && isPair(old, each));
        if (now === undefined) continue;
        left.olds.delete(old);
        left.nows.delete(now);
        pairs.push(compareAlternatives(createNode(), { old, now, isSplit: true }));
      }
    };
    pair(
      (old, now) =>
        isNull(old) || (old.name() === now.name() && (isComponent(old) || !areDisjoint(old, now))),
    );
    pair((old, now) => !(isComponent(old) && isComponent(now)) && !areDisjoint(old, now));
    for (const each of pairs) {
      node.differences.push(...each.differences);
      node.edges.push(...each.edges);
    }
    const isExclusive = [...olds, ...nows].some((each) => each.isExclusive);
    if (left.olds.size + left.nows.size + Number(isExclusive) === 0) return;
    node.judge = () => {
      const found = [
        ...[...left.olds].flatMap((each) => this.#judgeLeft(each, nows, true)),
        ...[...left.nows].flatMap((each) => this.#judgeLeft(each, olds, false)),
      ];
      const [part] = nows[0]?.parts ?? [];
      const hasWarning = found.some(({ effect }) => effect === 'changed');
      const isChanged =
        left.olds.size + left.nows.size > 0 ||
        pairs.some((each) => this.#nested(each).some(({ effect }) => effect !== 'note'));
      if (!isExclusive || part === undefined || hasWarning || !isChanged) return found;
      const hasOverlap = [olds, nows].some((list) =>
        list.some((one, index) => list.slice(index + 1).some((other) => !areDisjoint(one, other))),
      );
      const says = 'may match other branches of its oneOf now';
      return hasOverlap
        ? [...found, { kind: 'branches-changed', effect: 'changed', says, at: [part] }]
        : found;
    };
  }

  /** Judges an alternative that only one document has: others may cover it. */
  #judgeLeft(each: Alternative, others: readonly Alternative[], isOld: boolean): readonly Difference[] {
    const [lost, kept]: readonly [Effect, Effect] = isOld ? ['narrower', 'wider'] : ['wider', 'narrower'];
    const results = others.map((other) => {
      const ends = isOld ? { old: each, now: other } : { old: other, now: each };
      return this.#nested(compareAlternatives(createNode(), { ...ends, isSplit: true }));
    });
    if (results.some((changes) => changes.every(({ effect }) => effect === kept))) return [];
    const isSure = results.every((changes) => changes.some(({ effect }) => effect === lost));
    let what = isComponent(each) ? `\`${each.name().split('/').at(-1) ?? ''}\`` : 'another alternative';
    if (isNull(each)) what = 'null';
    const says = isOld ? `cannot be ${what} any more` : `can be ${what} now`;
    const [part] = each.parts;
    const kind = isOld ? 'alternative-removed' : 'alternative-added';
    return part === undefined ? [] : [{ kind, effect: isSure ? lost : 'changed', says, at: [part] }];
  }

  /** Returns the changes of a node inside the decision about another one; an unknown one if it is too deep. */
  #nested(node: Node): readonly Pick<SchemaChange, 'effect'>[] {
    if (this.#nesting >= mostNested) return [{ effect: 'changed' }];
    this.#nesting += 1;
    try {
      return this.#collect(node);
    } finally {
      this.#nesting -= 1;
    }
  }
}

function isComponent(alternative: Alternative): boolean {
  return componentPlace.test(alternative.name());
}

function vary(effect: Effect, variance: Variance): Effect {
  if (variance === 1 || effect === 'note' || effect === 'changed') return effect;
  if (variance === 0) return 'changed';
  return effect === 'wider' ? 'narrower' : 'wider';
}

interface AlternativePair {
  readonly old: Alternative;
  readonly now: Alternative;
  readonly isSplit: boolean;
}

/** Adds the differences of two alternatives to a node, and the pairs of their subschemas as its edges. */
function compareAlternatives(node: Node, { old, now, isSplit }: AlternativePair): Node {
  const pair = { old, now, add: (difference: Difference) => node.differences.push(difference) };
  if (!compareKeywords(pair)) return node;
  const haveBoth = (kind: 'object' | 'array'): boolean => old.kinds.has(kind) && now.kinds.has(kind);
  if (haveBoth('object')) compareMembers(node, old, now);
  if (haveBoth('array')) compareItems(node, old, now);
  compareInner(node, { old, now, isSplit });
  return node;
}

function compareMembers({ differences, edges }: Node, old: Alternative, now: Alternative): void {
  const [formers, laters] = [listNames(old, 'properties'), listNames(now, 'properties')];
  const [needed, needs] = [listNames(old, 'required'), listNames(now, 'required')];
  for (const member of new Set([...formers.keys(), ...laters.keys()])) {
    const [former, later] = [memberView(old, member), memberView(now, member)];
    const at = laters.get(member) ?? formers.get(member);
    const other = former.isDeclared ? later : former;
    const isClosed = other.view.some(({ schema }) => schema === false);
    if ((former.isDeclared && later.isDeclared) || (other.view.length > 0 && !isClosed)) {
      edges.push({ step: member, old: former.view, now: later.view });
    } else if (at !== undefined && former.isDeclared) {
      const effect = isClosed ? 'narrower' : 'changed';
      const says = isClosed ? 'is not allowed any more' : 'is not declared any more';
      if (isClosed || !needed.has(member) || needs.has(member))
        differences.push({ kind: 'property-removed', effect, says, member, at });
    } else if (at !== undefined && (isClosed || !needs.has(member))) {
      differences.push({
        kind: 'property-added',
        effect: isClosed ? 'wider' : 'note',
        says: 'is new',
        member,
        at,
      });
    }
  }
  for (const [member, at] of needs) {
    const says = formers.has(member) ? 'is required now' : 'is new and required';
    if (!needed.has(member))
      differences.push({ kind: 'property-required', effect: 'narrower', says, member, at });
  }
  for (const [member, at] of needed) {
    const says = laters.has(member) ? 'is not required any more' : 'is gone, and was required';
    if (!needs.has(member))
      differences.push({ kind: 'property-optional', effect: 'wider', says, member, at });
  }
  const others = { old: otherMembersView(old), now: otherMembersView(now) };
  if (others.old.length + others.now.length > 0) edges.push({ step: '*', ...others });
}

function compareItems({ edges }: Node, old: Alternative, now: Alternative): void {
  const lengths = [...old.parts, ...now.parts].map(({ schema: { prefixItems } }) =>
    Array.isArray(prefixItems) ? prefixItems.length : 0,
  );
  const count = Math.max(0, ...lengths);
  for (let index = 0; index <= count; index += 1) {
    const views = { old: itemView(old, index), now: itemView(now, index) };
    const step = index < count ? `[${index}]` : '[]';
    if (views.old.length + views.now.length > 0) edges.push({ step, ...views });
  }
}

/** Other keywords with subschemas. `if` selects a schema, so that its own change may have any effect. */
const inner: readonly (readonly [keyword: string, variance: Variance])[] = [
  ['not', -1],
  ['propertyNames', 1],
  ['contains', 1],
  ['patternProperties', 1],
  ['dependentSchemas', 1],
  ['unevaluatedItems', 1],
  ['if', 0],
  ['then', 1],
  ['else', 1],
];

function listInner(
  { parts }: Alternative,
  isSplit: boolean,
): ReadonlyMap<string, { at: Located; variance: Variance }> {
  const found = new Map<string, { at: Located; variance: Variance }>();
  const keywords = isSplit ? inner : [...inner, ['anyOf', 1] as const, ['oneOf', 0] as const];
  for (const part of parts) {
    for (const [keyword, variance] of keywords) {
      const value: JsonValue | undefined = part.schema[keyword];
      const isMap = keyword === 'patternProperties' || keyword === 'dependentSchemas';
      const names = isMap && isJsonObject(value) ? Object.keys(value) : [undefined];
      const tokens = Array.isArray(value) ? [...value.keys()] : names;
      for (const token of tokens) {
        let label = `${keyword} ${token ?? ''}`;
        while (found.has(label)) label += ' ';
        for (const at of below(part, keyword, token)) found.set(label, { at, variance });
      }
    }
  }
  return found;
}

function compareInner({ differences, edges }: Node, { old, now, isSplit }: AlternativePair): void {
  const [formers, laters] = [listInner(old, isSplit), listInner(now, isSplit)];
  for (const label of new Set([...formers.keys(), ...laters.keys()])) {
    const [former, later] = [formers.get(label), laters.get(label)];
    const [keyword = ''] = label.split(' ');
    if (former !== undefined && later !== undefined) {
      edges.push({ step: '', old: [former.at], now: [later.at], variance: later.variance });
      continue;
    }
    const at = later?.at ?? former?.at;
    if (at === undefined) continue;
    const sure = later === undefined ? 'wider' : 'narrower';
    const isUnsure = /^(?:if|then|else|anyOf|oneOf)$/u.test(keyword);
    const says = later === undefined ? `no longer has ${keyword}` : `has ${keyword} now`;
    differences.push({ kind: keyword, effect: isUnsure ? 'changed' : sure, says, at: [at] });
  }
}
