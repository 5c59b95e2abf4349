import type { Operation } from '../../contract/operation.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { drawNumber } from './draw-number.ts';
import type { ActiveFaultRule, Delay, FaultMatch, FaultRule, FaultRules, StartChange } from './fault-rule.ts';
import { findFreeName } from './find-free-name.ts';
import { isSameRule, nameRules, type NamedRule } from './name-rules.ts';
import { parseFaultRule } from './parse-fault-rule.ts';

/** What of a request rules are held against. */
export interface FaultSubject {
  readonly method: string;
  /** As it was sent, without its query. */
  readonly sentPath: string;
  /** The same without the prefix of a server. */
  readonly path: string;
  /** The template of the document that it fits. */
  readonly template: string | undefined;
  /** The id of the operation that it leads to. */
  readonly operation: string | undefined;
}

/** What makes a request go wrong. */
export interface TakenFault {
  readonly rule: FaultRule;
  readonly id: string;
  readonly delayMs: number;
}

/** The rules of a mock, as the steps of an answer use them. */
export interface FaultBook extends FaultRules {
  /** Whether no rule is there, so that nothing needs to be looked at. */
  isEmpty(): boolean;
  /** Counts a request, and gives what makes it go wrong: the first rule that is for it and whose turn it is. */
  take(subject: FaultSubject): TakenFault | undefined;
  /** The delay of a fault that a request brought with it. */
  drawDelay(delay: Delay | undefined): number;
}

/** A rule with its counts, which go on. */
interface Entry extends NamedRule {
  seen: number;
  applied: number;
}

/** The subject that faults which requests bring with them are drawn for; no rule can have it as its id. */
const ofRequests = '';

function isFor({ operation, method, path }: FaultMatch, subject: FaultSubject): boolean {
  return (
    (operation === undefined || operation === subject.operation) &&
    (method === undefined || method.toUpperCase() === subject.method) &&
    (path === undefined || path === subject.path || path === subject.sentPath || path === subject.template)
  );
}

function toEntry(named: NamedRule): Entry {
  return { ...named, seen: 0, applied: 0 };
}

function toActive({ id, rule, seen, applied }: Entry): ActiveFaultRule {
  return { ...rule, id, enabled: rule.enabled ?? true, seen, applied };
}

/**
 * Keeps the rules that make requests go wrong. What they do follows from the seed, the rule and how many
 * requests it was for, and from nothing else.
 *
 * @param input.operations - those that a rule may name, as they are now
 * @param input.rules - in force from the start
 * @throws ClocheError OPTION_INVALID for a rule that says nothing or what cannot be
 */
export function createFaultRules(input: {
  readonly seed: number;
  readonly operations: () => readonly Operation[];
  readonly rules: readonly FaultRule[];
}): FaultBook {
  const { seed, operations } = input;
  const entries: Entry[] = [];
  let start: readonly NamedRule[] = [];
  let requests = 0;

  function toMs(delay: Delay | undefined, subject: string, turn: number): number {
    if (delay === undefined || typeof delay === 'number') {
      return delay ?? 0;
    }
    const [from, to] = delay;
    return from + drawNumber({ seed, subject, use: 'delay', turn }) * (to - from);
  }

  function isTaken({ id, rule, seen, applied }: Entry): boolean {
    const { times = Infinity, share = 1 } = rule;
    return (
      applied < times && (share === 1 || drawNumber({ seed, subject: id, use: 'share', turn: seen }) < share)
    );
  }

  function read(given: FaultRule): FaultRule {
    // `as`: a rule is plain data; what is none is what is looked for.
    const value = given as unknown as JsonValue;
    const reading = parseFaultRule(value, { operations: operations() });
    if (reading.kind === 'problems') {
      const reasons = reading.problems.map(({ pointer, reason }) => `${pointer} ${reason}`.trim());
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use as a fault rule',
        // An undefined that no type let in has no text.
        subject: value === undefined ? 'undefined' : stringifyJson(value),
        reason: reasons.join('; '),
        remedy: reading.problems[0]?.remedy ?? '',
      });
    }
    return reading.rule;
  }

  function listIds(): readonly string[] {
    return entries.map(({ id }) => id);
  }

  function put(given: FaultRule): ActiveFaultRule {
    const rule = read(given);
    const entry = toEntry({ id: rule.id ?? findFreeName(new Set(listIds())), rule });
    const place = entries.findIndex(({ id }) => id === entry.id);
    entries.splice(place === -1 ? entries.length : place, 1, entry);
    return toActive(entry);
  }

  function replaceStart(given: readonly FaultRule[]): StartChange {
    const before = new Map(start.map(({ id, rule }) => [id, rule]));
    const taken = listIds().filter((id) => !before.has(id));
    const next = nameRules({ rules: given.map(read), before: start, taken });
    const ids = next.map(({ id }) => id);
    const isKept = ({ id, rule }: NamedRule): boolean => {
      const was = before.get(id);
      return was !== undefined && isSameRule(was, rule);
    };
    // What was switched over or deleted since goes on so, until its rule says something else.
    const ofStart = next.flatMap((named) =>
      isKept(named) ? entries.filter(({ id }) => id === named.id) : [toEntry(named)],
    );
    const others = entries.filter(({ id }) => !ids.includes(id) && !before.has(id));
    entries.splice(0, entries.length, ...ofStart, ...others);
    start = next;
    return {
      added: ids.filter((id) => !before.has(id)),
      changed: next.filter((named) => before.has(named.id) && !isKept(named)).map(({ id }) => id),
      removed: [...before.keys()].filter((id) => !ids.includes(id)),
    };
  }

  replaceStart(input.rules);
  return {
    list: () => entries.map(toActive),
    put,
    delete(id) {
      const place = entries.findIndex((entry) => entry.id === id);
      if (place !== -1) {
        entries.splice(place, 1);
      }
      return place !== -1;
    },
    replaceStart,
    clear() {
      entries.length = 0;
    },
    reset() {
      // Not checked once more: the contract may have changed since, and a rule for what is gone is for nothing.
      entries.splice(0, entries.length, ...start.map(toEntry));
      requests = 0;
    },
    isEmpty: () => entries.length === 0,
    take(subject) {
      for (const entry of entries) {
        const { id, rule } = entry;
        if (rule.enabled !== false && isFor(rule, subject)) {
          entry.seen += 1;
          if (isTaken(entry)) {
            entry.applied += 1;
            return { rule, id, delayMs: toMs(rule.delay, id, entry.seen) };
          }
        }
      }
      return undefined;
    },
    drawDelay(delay) {
      requests += 1;
      return toMs(delay, ofRequests, requests);
    },
  };
}
