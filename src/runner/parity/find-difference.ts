import { describeReceived } from '../../check/describe-subject.ts';
import type { Judged } from '../../check/judged.ts';
import { classifyStatus } from '../../check/status-class.ts';
import { readAnswerMembers } from './read-answer-members.ts';
import { readErrorCode } from './read-error-code.ts';
import { sameMembers } from './same-members.ts';

/** In what two answers to one request differ, and each of the two in words, free of generated values. */
export interface Difference {
  /**
   * `answer`: one is none, or they are none of different kinds; `shape`: no content, a problem (RFC 9457), or
   * other content; `code`: the one integer of a refusal; `members`: what was sent and comes back; `more`: members
   * that the document does not declare.
   */
  readonly what: 'answer' | 'status' | 'shape' | 'code' | 'members' | 'more';
  readonly words: readonly [mine: string, other: string];
}

/** The content of an answer, as a policy tells contents apart. */
function shapeOf({ answer, exchange }: Judged): 'empty' | 'problem' | 'content' {
  if (answer.kind === 'none' || exchange.request.method === 'HEAD' || answer.content.kind === 'none') {
    return 'empty';
  }
  const type = describeReceived(answer);
  return type.includes('application/problem+json') ? 'problem' : 'content';
}

function compareWords(
  what: Difference['what'],
  [mine, other]: readonly [string, string],
): Difference | undefined {
  return mine === other ? undefined : { what, words: [mine, other] };
}

function compareContents(mine: Judged, other: Judged): Difference | undefined {
  // What stands in the answer to an operation that nobody declared is nobody's matter.
  if (mine.operation === undefined) {
    return undefined;
  }
  const shape = compareWords('shape', [shapeOf(mine), shapeOf(other)]);
  if (shape !== undefined) {
    return { ...shape, words: [withShape(mine, shape.words[0]), withShape(other, shape.words[1])] };
  }
  if (classifyStatus(mine.answer) !== 'accepted') {
    const codes = [readErrorCode(mine), readErrorCode(other)] as const;
    return codes[0] === undefined || codes[1] === undefined
      ? undefined
      : compareWords('code', [`the code ${codes[0]}`, `the code ${codes[1]}`]);
  }
  const members = [readAnswerMembers(mine), readAnswerMembers(other)] as const;
  const changed = sameMembers(mine, other);
  if (changed !== undefined) {
    return { what: 'members', words: [`its own ${changed}`, `another ${changed}`] };
  }
  return members[0] === undefined || members[1] === undefined
    ? undefined
    : compareWords('more', [members[0].words, members[1].words]);
}

function withShape({ answer }: Judged, shape: string): string {
  return `${describeReceived(answer)}${shape === 'empty' ? ', no content' : ''}`;
}

/**
 * Compares what two services answered to one request, by classes: status, kind of content, the code of a
 * refusal, and of what a create answers with the members that were sent. Texts and whatever a service makes up are
 * left out.
 *
 * @returns the first difference, the gravest first; undefined where they answer alike
 */
export function findDifference(mine: Judged, other: Judged): Difference | undefined {
  const words = [describeReceived(mine.answer), describeReceived(other.answer)] as const;
  if (mine.answer.kind === 'none' || other.answer.kind === 'none') {
    const kinds = [mine, other].map(({ exchange }) => exchange.answer.kind);
    return kinds[0] === kinds[1] ? undefined : { what: 'answer', words };
  }
  if (mine.answer.response.status !== other.answer.response.status) {
    return { what: 'status', words };
  }
  return compareContents(mine, other);
}
