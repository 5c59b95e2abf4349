/** What belongs to one connection, whether or not Connection names it (RFC 9110 §7.6.1). */
const always: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);
/** What says where a message ends and where it goes stays, whoever names it: without it there is no message. */
const never: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** Header fields parted into those that travel on and those of one connection. */
export interface PartedFields {
  /** Names and values in turn, in the order and spelling in which they came. */
  readonly kept: readonly string[];
  /** What Connection lists, in lower case: `close`, `upgrade`. */
  readonly options: ReadonlySet<string>;
  /** The fields that do not travel on, by their name in lower case. */
  readonly removed: ReadonlyMap<string, string>;
}

function* pairs(fields: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < fields.length; index += 2) {
    yield [fields[index] ?? '', fields[index + 1] ?? ''];
  }
}

/**
 * Parts header fields into those that travel on and those of one connection (RFC 9110 §7.6.1).
 *
 * @param fields - names and values in turn, as Node has them in `rawHeaders`
 */
export function partHopFields(fields: readonly string[]): PartedFields {
  const options = new Set<string>();
  for (const [name, value] of pairs(fields)) {
    if (name.length === 10 && name.toLowerCase() === 'connection') {
      value.split(',').forEach((option) => options.add(option.trim().toLowerCase()));
    }
  }
  const kept: string[] = [];
  const removed = new Map<string, string>();
  for (const [name, value] of pairs(fields)) {
    const key = name.toLowerCase();
    if (always.has(key) || (options.has(key) && !never.has(key))) {
      const before = removed.get(key);
      removed.set(key, before === undefined ? value : `${before}, ${value}`);
    } else {
      kept.push(name, value);
    }
  }
  return { kept, options, removed };
}
