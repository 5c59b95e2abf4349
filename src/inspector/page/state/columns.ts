import { ExactNumber } from '../../../json/exact-number.ts';
import { stringifyJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { StateResource } from '../../../mock/state/rows.ts';

/** A column of a table of resources. */
export interface Column {
  /** The name of the property that it shows. */
  readonly name: string;
  /** The type of its values: only numbers, texts that fit a line, or longer ones. */
  readonly kind: 'number' | 'short' | 'long';
}

/** The columns of a table of resources. */
interface Columns {
  /** The property that is the id of each resource; undefined if there is none. */
  readonly key: string | undefined;
  /** The columns of the other properties, the most frequent first. */
  readonly columns: readonly Column[];
  /** The number of omitted properties. */
  readonly left: number;
}

/** The maximum number of columns; an open resource shows all properties. */
const mostColumns = 12;
/** The maximum length of texts that are not wrapped. */
const shortText = 28;

/** Chooses the columns of a table from all properties of its resources. */
export function chooseColumns(resources: readonly StateResource[]): Columns {
  const values = new Map<string, JsonValue[]>();
  for (const { value } of resources) {
    for (const [name, member] of Object.entries(value)) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [member]);
      else known.push(member);
    }
  }
  const key = [...values.keys()].find((name) => resources.every((each) => isKey(each, name)));
  const others = [...values]
    .filter(([name]) => name !== key)
    .toSorted(([, left], [, right]) => right.length - left.length);
  return {
    key,
    columns: others.slice(0, mostColumns).map(([name, held]) => ({ name, kind: kindOf(held) })),
    left: Math.max(0, others.length - mostColumns),
  };
}

/** Returns whether a property contains the id of its resource. */
function isKey({ key, value }: StateResource, name: string): boolean {
  const held = Object.hasOwn(value, name) ? value[name] : undefined;
  return held !== undefined && stringifyJson(held) === key;
}

function kindOf(values: readonly JsonValue[]): Column['kind'] {
  const there = values.filter((value) => value !== null);
  const isNumber = (value: JsonValue): boolean => typeof value === 'number' || value instanceof ExactNumber;
  if (there.length > 0 && there.every(isNumber)) return 'number';
  return values.every((value) => textOfCell(value).length <= shortText) ? 'short' : 'long';
}

/** Returns the text of a cell: a string without quotes, another value as JSON, nothing if the value is missing. */
export function textOfCell(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}
