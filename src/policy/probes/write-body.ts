import type { ProbeMember, ProbePiece } from '../probe.ts';

/** Writes a JSON object, each member once for each time that it is given. */
export function writeBody(members: readonly ProbeMember[]): readonly ProbePiece[] {
  const pieces = members.flatMap(({ name, value }, index): readonly ProbePiece[] => [
    `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
    ...value,
  ]);
  return ['{', ...pieces, '}'];
}
