import type { Contract } from '../contract/contract.ts';
import type { TextLocation } from '../document/document.ts';
import type { JsonPointer } from '../json/pointer.ts';

/** Whom a change breaks: those who send requests and read responses, or the implementations of the document. */
export type Party = 'clients' | 'services';

/** Two documents to compare. */
export interface Contracts {
  readonly old: Contract;
  readonly new: Contract;
}

/** A change between two documents. Changes of shared components are one change. */
export interface Change {
  /** A name for programs: `property-required`. */
  readonly kind: string;
  /** A `warning` is a possible break that the documents do not decide. */
  readonly level: 'break' | 'warning' | 'note';
  /** Empty unless the level is `break`. */
  readonly breaks: readonly Party[];
  /** `GET /orders/{id}`, as the newer document has them; empty if it concerns the whole document. */
  readonly operations: readonly string[];
  /** A sentence without its full stop. */
  readonly message: string;
  /** The document that has the place: the old one if something is gone. */
  readonly document: keyof Contracts;
  readonly pointer: JsonPointer;
  readonly location: TextLocation;
}

/** A change that was found in one operation. */
export type Found = Pick<Change, 'kind' | 'breaks' | 'message' | 'document' | 'pointer'> & {
  readonly isWarning?: boolean;
  /** `GET /orders/{id}`; undefined for the whole document. */
  readonly operation: string | undefined;
};

/** A list of changes. It merges those of one place that several operations share. */
export class ChangeList {
  readonly #found = new Map<string, [Found, ...Found[]]>();

  /** Adds a change. */
  add(found: Found): void {
    const { kind, document, pointer, message } = found;
    // Operations show one component below several paths: `name`, `items[].name`.
    const key = [kind, document, pointer, message.replace(/`[^`]*[.\]]([^`.\]]+)`/u, '`$1`')].join('\0');
    const same = this.#found.get(key);
    if (same === undefined) this.#found.set(key, [found]);
    else same.push(found);
  }

  /** Returns the changes: breaks of clients, of services, warnings, notes; each in the order in which they were found. */
  list(contracts: Contracts): readonly Change[] {
    const changes = [...this.#found.values()].map((all): Change => {
      const [shortest] = all.toSorted((one, other) => one.message.length - other.message.length);
      const { kind, document, pointer, message } = shortest ?? all[0];
      const breaks = (['clients', 'services'] as const).filter((party) =>
        all.some((each) => each.breaks.includes(party)),
      );
      const calm = all.some(({ isWarning }) => isWarning === true) ? 'warning' : 'note';
      const contract = contracts[document];
      return {
        kind,
        level: breaks.length > 0 ? 'break' : calm,
        breaks,
        operations: [...new Set(all.flatMap(({ operation }) => operation ?? []))],
        message,
        document,
        pointer,
        location: contract.locate(contract.placeOf(pointer)) ?? { file: contract.source, line: 1, column: 1 },
      };
    });
    const rank = ({ level, breaks }: Change): number =>
      ['clients', 'services', 'warning', 'note'].indexOf(breaks[0] ?? level);
    return changes.toSorted((one, other) => rank(one) - rank(other));
  }
}
