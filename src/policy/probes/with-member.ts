import type { ProbeMember, ProbePiece } from '../probe.ts';

/** The members of an object with the value of one changed; one that is not there is added at the end. */
export function withMember(
  members: readonly ProbeMember[],
  name: string,
  value: readonly ProbePiece[],
): readonly ProbeMember[] {
  return members.some((member) => member.name === name)
    ? members.map((member) => (member.name === name ? { name, value } : member))
    : [...members, { name, value }];
}
