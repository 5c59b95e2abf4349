/** A member of whatever JSON held; undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? // `as`: an object that has the member.
      (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A member that is a text. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
}

/** A member that is a number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const number = memberOf(value, name);
  return typeof number === 'number' ? number : undefined;
}

/** The items of a member that is a list; none where it is not. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const items: unknown = memberOf(value, name);
  return Array.isArray(items) ? items : [];
}
