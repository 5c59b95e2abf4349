/** Characters that services refuse, with what stands for them in a pattern where all of a class are refused. */
const classes: readonly { readonly characters: readonly string[]; readonly pattern: string }[] = [
  { characters: ['\u0000', '\u0007'], pattern: '\\u0000-\\u001F' },
  { characters: ['é', '日', '😀'], pattern: '\\u0080-\\u{10FFFF}' },
  { characters: ['日', '😀'], pattern: '\\u0100-\\u{10FFFF}' },
  { characters: ['<', '>'], pattern: '<>' },
  { characters: ['7'], pattern: '0-9' },
  { characters: ['\u0000'], pattern: '\\u0000' },
  { characters: ['\u0007'], pattern: '\\u0001-\\u001F' },
  { characters: ['😀'], pattern: '\\u{10000}-\\u{10FFFF}' },
  { characters: [' '], pattern: ' ' },
  { characters: ["'"], pattern: "'" },
  { characters: ['"'], pattern: '"' },
  { characters: ['&'], pattern: '&' },
  { characters: ['<'], pattern: '<' },
  { characters: ['>'], pattern: '>' },
  { characters: ['%'], pattern: '%' },
  { characters: ['.'], pattern: '.' },
  { characters: ['_'], pattern: '_' },
  { characters: ['-'], pattern: '\\-' },
];
/** What a text that is a name or a word may hold besides letters. */
const mild: ReadonlyMap<string, string> = new Map([
  ['7', '0-9'],
  [' ', ' '],
  ["'", "'"],
  ['.', '.'],
  ['_', '_'],
  ['-', '\\-'],
]);
const characters = [...new Set(classes.flatMap((each) => each.characters))];

/**
 * Finds characters that a service refuses within a text.
 *
 * @param input.isValid - whether the schema takes a text with these characters in it
 * @param input.takes - whether the service takes it
 * @returns a pattern of JSON Schema that texts match without them, or undefined where none is refused
 */
export async function findTextPattern(input: {
  readonly isValid: (characters: string) => boolean;
  readonly takes: (characters: string) => Promise<boolean>;
}): Promise<string | undefined> {
  const allowed = characters.filter(input.isValid);
  const together = allowed.join('');
  if (allowed.length === 0 || (input.isValid(together) && (await input.takes(together)))) {
    return undefined;
  }
  const refused = new Set<string>();
  for (const character of allowed) {
    if (!(await input.takes(character))) {
      refused.add(character);
    }
  }
  return refused.size === 0 ? undefined : (fewAllowed(refused) ?? withoutRefused(refused));
}

/** Names what is left where next to nothing is: letters, and what of these is not refused. */
function fewAllowed(refused: ReadonlySet<string>): string | undefined {
  const isFew = characters.every((character) => refused.has(character) || mild.has(character));
  const left = [...mild].flatMap(([character, pattern]) => (refused.has(character) ? [] : [pattern]));
  return isFew ? `^[A-Za-z${left.join('')}]*$` : undefined;
}

function withoutRefused(found: ReadonlySet<string>): string {
  const refused = new Set(found);
  const parts: string[] = [];
  for (const { characters: members, pattern } of classes) {
    if (members.every((character) => refused.has(character))) {
      parts.push(pattern);
      members.forEach((character) => refused.delete(character));
    }
  }
  return `^[^${parts.join('')}]*$`;
}
