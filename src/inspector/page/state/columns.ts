import { ExactNumber } from '../../../json/exact-number.ts';
import { stringifyJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { StateResource } from '../../../mock/state/rows.ts';

/** A column of a table of resources. */
export interface Column {
  /** Of the property that it shows. */
  readonly name: string;
  /** What it holds: numbers alone, texts that stand in a line, or longer ones. */
  readonly kind: 'number' | 'short' | 'long';
}

/** The columns of a table of resources. */
interface Columns {
  /** The property that is the key of each of them; undefined where none is. */
  readonly key: string | undefined;
  /** Of the other properties, the commonest first. */
  readonly columns: readonly Column[];
  /** How many more properties there are. */
  readonly left: number;
}

/** More columns than these nobody can compare; the rest shows when a resource is opened. */
const mostColumns = 12;
/** Texts up to this long are not wrapped. */
const shortText = 28;

/** Chooses the columns of a table: those of all properties that some resource of it has. */
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

/** Whether the key of a resource is what this property holds. */
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

/** What a cell shows of a value: a text without its quotes, anything else as JSON, nothing for what is not there. */
export function textOfCell(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}
