import type { KeySlot } from '../../arbitrary/key-slot.ts';
import type { RequestCase } from '../../arbitrary/request-case.ts';
import type { Judged } from '../../check/judged.ts';
import { classifyStatus } from '../../check/status-class.ts';
import type { KeyBinding } from '../session.ts';

/** What two services did with a key: both took it, or one of them alone, so that they hold different things. */
type Past = 'both' | 'one';

/** Knows of each key whether two services have the same to say of it. */
export interface KeyHistory {
  /** Whether two answers to a request can be compared: nothing that was stored sets the services apart. */
  readonly mayCompare: (
    request: RequestCase,
    keys: KeyBinding,
    pair: readonly [mine: Judged, other: Judged],
  ) => boolean;
  /** Notes what became of the keys of a request. */
  readonly note: (
    request: RequestCase,
    keys: KeyBinding,
    pair: readonly [mine: Judged, other: Judged],
  ) => void;
}

function slotsOf({ body = [] }: RequestCase): readonly KeySlot[] {
  return body.flatMap((part) => (typeof part === 'object' && 'slot' in part ? [part] : []));
}

function nameOf({ slot, class: kind, variant }: KeySlot): string {
  return `${slot} ${kind} ${variant}`;
}

/**
 * Creates an empty history. A key that a case chose itself may be stored by one of the services since last week, and
 * one that only one of them took tells what is known already.
 */
export function createKeyHistory(): KeyHistory {
  const bindings = new WeakMap<KeyBinding, Map<string, Past>>();
  return {
    mayCompare(request, keys, [mine, other]) {
      const { key, body } = mine.request;
      const slots = slotsOf(request);
      const pasts = slots.map((slot) => bindings.get(keys)?.get(nameOf(slot)));
      if (pasts.includes('one')) {
        return false;
      }
      if (key === 'none' || key === 'allocated' || body.kind === 'invalid' || body.kind === 'malformed') {
        return true;
      }
      // That a refused key stays taken, and that two keys are taken for one, are findings of their own.
      if (key === 'twin') {
        return classifyStatus(mine.answer) === 'accepted' || classifyStatus(other.answer) !== 'accepted';
      }
      return key === 'sent' && slots.length > 0 && pasts.every((past) => past === 'both');
    },
    note(request, keys, pair) {
      const taken = pair.filter(({ answer }) => classifyStatus(answer) === 'accepted').length;
      if (taken === 0) {
        return;
      }
      const known = bindings.get(keys) ?? new Map<string, Past>();
      bindings.set(keys, known);
      for (const slot of slotsOf(request)) {
        const isSame = taken === 2 && known.get(nameOf(slot)) !== 'one';
        if (taken === 2 || known.get(nameOf(slot)) === undefined) {
          known.set(nameOf(slot), isSame ? 'both' : 'one');
        }
      }
    },
  };
}
