import type { HeaderList } from '../../http/header-list.ts';

/** Reads names and values in turn, as Node has them in `rawHeaders`, as a list of fields. */
export function toHeaderList(fields: readonly string[]): HeaderList {
  const list: (readonly [name: string, value: string])[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    list.push([fields[index] ?? '', fields[index + 1] ?? '']);
  }
  return list;
}
