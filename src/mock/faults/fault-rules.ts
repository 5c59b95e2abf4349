import type { Operation } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { hashText } from '../../json/fingerprint.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import type { ActiveFaultRule, Delay, FaultMatch, FaultRule, FaultRules, StartChange } from './fault.ts';
import { parseFaultRule } from './parse-rule.ts';

/** Draws a pseudo-random number from 0 to 1 without state: the hash of an ASCII text, mixed as at the end of MurmurHash3. */
function drawNumber(text: string): number {
  let hash = hashText(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function findFreeName(used: ReadonlySet<string>): string {
  let number = 1;
  while (used.has(`fault-${number}`)) {
    number += 1;
  }
  return `fault-${number}`;
}

/** A rule with its id, which is given or generated. */
interface NamedRule {
  readonly id: string;
  readonly rule: FaultRule;
}

function isSameRule(one: FaultRule, other: FaultRule): boolean {
  // `as`: a rule is plain data.
  return jsonEqual(one as unknown as JsonValue, other as unknown as JsonValue);
}

/**
 * Names rules. A rule that is the same as before keeps its id; another without an id gets the first free one of
 * fault-1, fault-2 … Of two rules with the same id, the later replaces the first.
 */
function nameRules(input: {
  readonly rules: readonly FaultRule[];
  /** The rules with their previous ids. */
  readonly before: readonly NamedRule[];
  /** The ids of other rules. */
  readonly others: readonly string[];
}): readonly NamedRule[] {
  const { rules, others } = input;
  const given = rules.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const used = new Set([...others, ...given]);
  const left = input.before.filter(({ id }) => !used.has(id));
  const kept = rules.map((rule) => {
    const place = rule.id === undefined ? left.findIndex((each) => isSameRule(each.rule, rule)) : -1;
    return place === -1 ? rule.id : left.splice(place, 1)[0]?.id;
  });
  kept.forEach((id) => id !== undefined && used.add(id));
  const named = rules.map((rule, index): NamedRule => {
    const id = kept[index] ?? findFreeName(used);
    used.add(id);
    return { id, rule };
  });
  return [...new Map(named.map((each) => [each.id, each])).values()];
}

/** The properties of a request that rules match. */
export interface FaultSubject {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly sentPath: string;
  /** The path without the prefix of a server. */
  readonly path: string;
  /** The path template of the document that it matches. */
  readonly template: string | undefined;
  /** The id of the operation that it matches. */
  readonly operation: string | undefined;
}

interface TakenFault {
  readonly rule: FaultRule;
  readonly id: string;
  readonly delayMs: number;
}

/** A rule with its counts. */
interface Entry extends NamedRule {
  seen: number;
  applied: number;
}

/** The id that is used to draw delays of faults in the field Cloche-Fault; no rule can have it. */
const ofRequests = '';

function isFor({ operation, method, path }: FaultMatch, subject: FaultSubject): boolean {
  return (
    (operation === undefined || operation === subject.operation) &&
    (method === undefined || method.toUpperCase() === subject.method) &&
    (path === undefined || path === subject.path || path === subject.sentPath || path === subject.template)
  );
}

function toEntry({ id, rule }: NamedRule): Entry {
  return { id, rule, seen: 0, applied: 0 };
}

function toActive({ id, rule, seen, applied }: Entry): ActiveFaultRule {
  return { ...rule, id, enabled: rule.enabled ?? true, seen, applied };
}

/**
 * The fault rules. Their effect depends only on the seed, the rule and the number of requests that it matched.
 *
 * @throws ClocheError OPTION_INVALID for a rule that has no effect or is impossible
 */
export class FaultMatcher implements FaultRules {
  readonly #seed: number;
  readonly #operations: () => readonly Operation[];
  readonly #entries: Entry[] = [];
  #start: readonly NamedRule[] = [];
  #requests = 0;

  constructor(input: {
    readonly seed: number;
    /** Returns the current operations, which a rule may name. */
    readonly operations: () => readonly Operation[];
    /** The initial rules. */
    readonly rules: readonly FaultRule[];
  }) {
    this.#seed = input.seed;
    this.#operations = input.operations;
    this.replaceStart(input.rules);
  }

  /** Draws a number. The use keeps the draws of one request independent. */
  #draw(use: 'share' | 'delay', turn: number, id: string): number {
    return drawNumber(`${this.#seed} ${use} ${turn} ${id}`);
  }

  #toMs(delay: Delay | undefined, subject: string, turn: number): number {
    if (delay === undefined || typeof delay === 'number') return delay ?? 0;
    const [from, to] = delay;
    return from + this.#draw('delay', turn, subject) * (to - from);
  }

  #isTaken({ id, rule, seen, applied }: Entry): boolean {
    const { times = Infinity, share = 1 } = rule;
    return applied < times && (share === 1 || this.#draw('share', seen, id) < share);
  }

  #read(given: FaultRule): FaultRule {
    // `as`: a rule is plain data; the parser reports anything else.
    const value = given as unknown as JsonValue;
    const reading = parseFaultRule(value, { operations: this.#operations() });
    if (reading.kind === 'problems') {
      const reasons = reading.problems.map(({ pointer, reason }) => `${pointer} ${reason}`.trim());
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use as a fault rule',
        // A caller without type checks may pass undefined, which has no JSON.
        subject: value === undefined ? 'undefined' : stringifyJson(value),
        reason: reasons.join('; '),
        remedy: reading.problems[0]?.remedy ?? '',
      });
    }
    return reading.rule;
  }

  put(given: FaultRule): ActiveFaultRule {
    const rule = this.#read(given);
    const entry = toEntry({ id: rule.id ?? findFreeName(new Set(this.#entries.map(({ id }) => id))), rule });
    const place = this.#entries.findIndex(({ id }) => id === entry.id);
    this.#entries.splice(place === -1 ? this.#entries.length : place, 1, entry);
    return toActive(entry);
  }

  replaceStart(given: readonly FaultRule[]): StartChange {
    const before = new Map(this.#start.map(({ id, rule }) => [id, rule]));
    const others = this.#entries.filter(({ id }) => !before.has(id));
    const next = nameRules({
      rules: given.map((each) => this.#read(each)),
      before: this.#start,
      others: others.map(({ id }) => id),
    });
    const ids = next.map(({ id }) => id);
    const isKept = ({ id, rule }: NamedRule): boolean => {
      const was = before.get(id);
      return was !== undefined && isSameRule(was, rule);
    };
    // A rule that was disabled or deleted since stays so, until it changes.
    const ofStart = next.flatMap((named) =>
      isKept(named) ? this.#entries.filter(({ id }) => id === named.id) : [toEntry(named)],
    );
    this.#entries.splice(
      0,
      this.#entries.length,
      ...ofStart,
      ...others.filter(({ id }) => !ids.includes(id)),
    );
    this.#start = next;
    return {
      added: ids.filter((id) => !before.has(id)),
      changed: next.filter((named) => before.has(named.id) && !isKept(named)).map(({ id }) => id),
      removed: [...before.keys()].filter((id) => !ids.includes(id)),
    };
  }

  list(): readonly ActiveFaultRule[] {
    return this.#entries.map(toActive);
  }

  delete(id: string): boolean {
    const place = this.#entries.findIndex((entry) => entry.id === id);
    if (place !== -1) this.#entries.splice(place, 1);
    return place !== -1;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  reset(): void {
    // The rules are not checked again: the contract may have changed, and a rule for a removed operation matches
    // nothing.
    this.#entries.splice(0, this.#entries.length, ...this.#start.map(toEntry));
    this.#requests = 0;
  }

  /** Returns true if there is no rule. */
  isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Counts a request, and returns the first rule that applies to it. */
  take(subject: FaultSubject): TakenFault | undefined {
    for (const entry of this.#entries) {
      const { id, rule } = entry;
      if (rule.enabled !== false && isFor(rule, subject)) {
        entry.seen += 1;
        if (this.#isTaken(entry)) {
          entry.applied += 1;
          return { rule, id, delayMs: this.#toMs(rule.delay, id, entry.seen) };
        }
      }
    }
    return undefined;
  }

  /** Returns the delay of a fault in the field Cloche-Fault. */
  drawDelay(delay: Delay | undefined): number {
    this.#requests += 1;
    return this.#toMs(delay, ofRequests, this.#requests);
  }
}
