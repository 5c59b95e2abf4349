import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { type JsonPointer, pointerTokens } from './pointer.ts';

/** A range of a text, in UTF-16 code units. It includes `start` and excludes `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface ValuePlace {
  readonly value: TextRange;
  /** The key and the value together; only the value if it is not a member of an object. */
  readonly member: TextRange;
}

function rangeOf({ loc }: Pick<ValueNode, 'loc'>): TextRange {
  return { start: loc.start.offset, end: loc.end.offset };
}

function step(node: ValueNode, token: string): { value: ValueNode; member: TextRange } | undefined {
  if (node.type === 'Array') {
    const value = node.elements[Number(token)]?.value;
    return value === undefined ? undefined : { value, member: rangeOf(value) };
  }
  if (node.type !== 'Object') return undefined;
  // The last of equal keys counts.
  const member = node.members.findLast(
    ({ name }) => (name.type === 'String' ? name.value : name.name) === token,
  );
  return member === undefined ? undefined : { value: member.value, member: rangeOf(member) };
}

/**
 * Finds the ranges of values in a JSON text (RFC 8259), in the order of the pointers. A range is undefined if the value
 * is missing. All are undefined if the text is not JSON.
 */
export function locateValues(
  text: string,
  pointers: readonly JsonPointer[],
): readonly (ValuePlace | undefined)[] {
  let root: ValueNode;
  try {
    root = parse(text, { mode: 'json' }).body;
  } catch {
    return pointers.map(() => undefined);
  }
  return pointers.map((pointer) => {
    let found: { value: ValueNode; member: TextRange } | undefined = { value: root, member: rangeOf(root) };
    for (const token of pointerTokens(pointer)) {
      found = found && step(found.value, token);
    }
    return found && { value: rangeOf(found.value), member: found.member };
  });
}
