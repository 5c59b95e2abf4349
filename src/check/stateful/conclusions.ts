import type { Contract } from '../../contract/contract.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { SequenceConclusion } from '../define-check.ts';
import { type CheckId, type Clause, type Finding, quoteRfc } from '../finding.ts';
import type { Step } from './trace-steps.ts';

/** A conclusion from a trace, with the check that it belongs to. */
export type StatefulConclusion = StatedConclusion & { readonly check: CheckId };

type StatedConclusion = SequenceConclusion & Pick<Finding, 'clause' | 'cause'>;

/** Records a conclusion from some steps; `shownBy` may be in any order and have duplicates. */
export type Conclude = (
  check: CheckId,
  conclusion: Omit<StatedConclusion, 'of' | 'shownBy'> & {
    readonly of: Step;
    readonly shownBy: readonly Step[];
  },
) => void;

/** Collects conclusions. */
export function createConclusions(): {
  readonly all: readonly StatefulConclusion[];
  readonly conclude: Conclude;
} {
  const all: StatefulConclusion[] = [];
  return {
    all,
    conclude(check, { of, shownBy, ...conclusion }) {
      const steps = [...new Set(shownBy)].toSorted((left, right) => left.index - right.index);
      all.push({ ...conclusion, check, of: of.judged, shownBy: steps.map(({ judged }) => judged) });
    },
  };
}

/** The clause that safe methods change nothing. */
export const safeMethodClause: Clause = quoteRfc(
  'RFC 9110 §9.2.1',
  'Request methods are considered "safe" if their defined semantics are essentially read-only',
);

/** Returns the clause that specifies an update in the notation of the step. */
export function patchClause({ notation }: Step): Clause {
  switch (notation) {
    case 'json-patch':
      return quoteRfc(
        'RFC 6902 §4',
        'Operation objects MUST have exactly one "op" member, whose value indicates the operation to perform',
      );
    case 'merge-patch':
      return quoteRfc(
        'RFC 7396 §2',
        'Null values in the merge patch are given special meaning to indicate the removal of existing values in the target',
      );
    case 'plain':
      return quoteRfc(
        'RFC 5789 §2',
        'The PATCH method requests that a set of changes described in the request entity be applied to the resource identified by the Request-URI',
      );
  }
}

/** Returns whether a text of an operation or of its responses matches some words. */
export function documentSays(step: Step, contract: Contract, words: RegExp): boolean {
  const operation = step.operation && resolvePointer(contract.root, step.operation.pointer);
  if (!isJsonObject(operation)) return false;
  const texts = [operation['summary'], operation['description'], operation['operationId']];
  const responses = step.operation?.responses.map(({ description }) => description) ?? [];
  return [...texts, ...responses].some((text) => typeof text === 'string' && words.test(text));
}
