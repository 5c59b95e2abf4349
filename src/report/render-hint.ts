import { quoteText } from '../http/quote-for-bash.ts';

/**
 * The line of shell that has to run before any of some lines is pasted, as variables stand in them in the place
 * of secrets.
 *
 * @param meanings - what each secret is, in words, in the order of the secrets
 * @returns `export CLOCHE_TOKEN='the token'`, or undefined where no line names a variable
 */
export function renderExport(lines: readonly string[], meanings: readonly string[]): string | undefined {
  const wanted = meanings.flatMap((meaning, index) => {
    const name = index === 0 ? 'CLOCHE_TOKEN' : `CLOCHE_TOKEN_${index + 1}`;
    return lines.some((line) => new RegExp(`\\$\\{?${name}(?!\\w)`, 'u').test(line))
      ? [`${name}=${quoteText(meaning)}`]
      : [];
  });
  return wanted.length === 0 ? undefined : `export ${wanted.join(' ')}`;
}

/**
 * What is to be done before a line of a finding is pasted; its own command is on a line of its own.
 *
 * @param options.about - a sentence about the requests
 */
export function renderHint(
  lines: readonly string[],
  { meanings, about }: { readonly meanings: readonly string[]; readonly about: string },
): readonly string[] {
  if (lines.length === 0) {
    return [];
  }
  const command = renderExport(lines, meanings);
  return [
    '',
    `${about}${command === undefined ? '' : ' Before you paste one:'}`,
    ...(command === undefined ? [] : [`  ${command}`]),
  ];
}
