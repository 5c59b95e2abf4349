/** A secret and the variable of the shell that stands in its place. */
export type SecretVariable = readonly [secret: string, variable: string];

/**
 * Names a variable of the shell for each secret: the first stands for the token, further ones are numbered
 * from `_2` on.
 *
 * @param secrets - the token first, empty where there is none
 */
export function secretVariables(
  secrets: readonly string[],
  tokenVariable: string = 'CLOCHE_TOKEN',
): readonly SecretVariable[] {
  return secrets.map((secret, index) => [
    secret,
    index === 0 ? tokenVariable : `${tokenVariable}_${index + 1}`,
  ]);
}
