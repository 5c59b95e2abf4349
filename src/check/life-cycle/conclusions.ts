import type { Contract } from '../../contract/contract.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { SequenceConclusion } from '../define-check.ts';
import type { CheckId } from '../finding.ts';
import type { Step } from './steps.ts';

/** What a trace shows, of whichever check. */
export type LifeCycleConclusion = SequenceConclusion & { readonly check: CheckId };

/** Takes down what some steps show; those of `shownBy` come in any order, and more than once. */
export type Conclude = (
  check: CheckId,
  conclusion: Omit<SequenceConclusion, 'of' | 'shownBy'> & {
    readonly of: Step;
    readonly shownBy: readonly Step[];
  },
) => void;

/** Collects conclusions. */
export function createConclusions(): {
  readonly all: readonly LifeCycleConclusion[];
  readonly conclude: Conclude;
} {
  const all: LifeCycleConclusion[] = [];
  return {
    all,
    conclude(check, { of, shownBy, ...conclusion }) {
      const steps = [...new Set(shownBy)].toSorted((left, right) => left.index - right.index);
      all.push({ ...conclusion, check, of: of.judged, shownBy: steps.map(({ judged }) => judged) });
    },
  };
}

/** Whether the summary or the description of an operation, or of its responses, says something. */
export function documentSays(step: Step, contract: Contract, words: RegExp): boolean {
  const operation = step.operation && resolvePointer(contract.root, step.operation.pointer);
  if (!isJsonObject(operation)) return false;
  const texts = [operation['summary'], operation['description'], operation['operationId']];
  const responses = step.operation?.responses.map(({ description }) => description) ?? [];
  return [...texts, ...responses].some((text) => typeof text === 'string' && words.test(text));
}
