import { ClocheError } from '../../errors/cloche-error.ts';

/** A row of data that the contract does not take. */
export interface BadRow {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** Its place among the rows of the collection, from 0. */
  readonly index: number;
  /** Where the row stands in the file it came from: `orders.yaml:12:3`; undefined where it came from none. */
  readonly place?: string | undefined;
  /** Why it is not taken, in words, without a full stop. */
  readonly reason: string;
}

/** Data that the contract does not take; nothing of it was kept. */
export class DataError extends ClocheError {
  readonly rows: readonly BadRow[];

  /**
   * @param input.subject - the file, or the name of what was given
   * @param input.rows - every bad row, at least one
   */
  constructor(input: { readonly subject: string; readonly rows: readonly BadRow[] }) {
    const { subject, rows } = input;
    const named = rows
      .slice(0, mostNamed)
      .map(
        ({ collection, index, place, reason }) => `${place ?? `${collection}, row ${index + 1}`}: ${reason}`,
      );
    const rest = rows.length - named.length;
    super('DATA_INVALID', {
      attempt: 'take the data of',
      subject,
      reason: `${named.join('; ')}${rest > 0 ? `; and ${rest} more rows` : ''}`,
      remedy: 'Mend them; nothing was taken, and what was there is as it was',
    });
    this.rows = rows;
  }
}

/** More rows than these make no sentence. */
const mostNamed = 10;
