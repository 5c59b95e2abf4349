import type { Contract, Operation } from '../../contract/contract.ts';
import { isSafeMethod } from '../../http/message.ts';
import type { CheckContext } from '../classify/subject.ts';
import { infoSentences, qualify, sentencesOf, type StatedConclusion } from './conclusions.ts';
import type { Step } from './trace-steps.ts';

/** A number with a unit of time. */
const time =
  /(?<number>\d+(?:\.\d+)?)[\s-]?(?<unit>milliseconds?|seconds?|minutes?|hours?|ms|s|secs?|min|h)\b/giu;
const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Words for responses that are late. */
const late =
  /\beventual|\bcach(?:ed|es?|ing)\b|\basynchronous|\bdelay|\bnear[- ]real|\bmay not (?:yet|immediately)\b|\bindexed\b|\blags?\b/iu;

/** Words for times until something happens. */
const timed = new RegExp(
  `\\b(?:up to|within|takes?|after|at most|every)\\W+(?!the (?:last|past))(?:[\\w.]+\\W+){0,3}?${time.source}`,
  'iu',
);

/** Words for changes that clients see. */
const visible =
  /\bappear|\bvisible|\breflect|\bpropagat|\bsearchable|\bconsisten|\brefresh|\bavailable|\btakes? effect|\bup to date|\bbe (?:shown|listed|found|seen|read)\b|\bshows? up/iu;

/** Returns the longest time in a sentence, in milliseconds; 0 without a number. */
function readTime(sentence: string): number {
  const times = [...sentence.matchAll(time)].map(({ groups }) => {
    const { number = 0, unit = '' } = groups ?? {};
    const name = /^milli|^ms/iu.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
    return Number(number) * (Object.entries(unitsMs).find(([each]) => each === name)?.[1] ?? 0);
  });
  return Math.max(0, ...times);
}

const lags = new WeakMap<Operation, number>();

/**
 * Returns how long responses may lag behind changes by the description of an operation, in milliseconds; 0 without such
 * a sentence, or without a number in it. The sentence of a change, or of the whole document, must be about what clients see.
 */
function statedLag(operation: Operation | undefined, contract: Contract): number {
  if (operation === undefined) return 0;
  const known = lags.get(operation);
  if (known !== undefined) return known;
  const isOfSight = (quote: string): boolean =>
    visible.test(quote) && (late.test(quote) || timed.test(quote));
  const own = sentencesOf(operation, contract).map(({ quote }) => quote);
  const isReader = isSafeMethod(operation.method);
  const stated = [
    ...own.filter((quote) => isOfSight(quote) || (isReader && late.test(quote))),
    ...infoSentences(contract).filter(isOfSight),
  ];
  const lag = Math.max(0, ...stated.map(readTime));
  lags.set(operation, lag);
  return lag;
}

const lagging = new WeakMap<Contract, boolean>();

/** Returns whether a document states a lag anywhere. */
export function statesLag(contract: Contract): boolean {
  const known = lagging.get(contract) ?? contract.operations.some((each) => statedLag(each, contract) > 0);
  lagging.set(contract, known);
  return known;
}

const changesBefore = (step: Step, steps: readonly Step[]): readonly Step[] =>
  steps.slice(0, step.index).filter(({ isSafe, outcome }) => !isSafe && outcome !== 'refused');

/** Returns how long the response of a step may lag behind the changes before it, in milliseconds. */
export function lagOf(step: Step, steps: readonly Step[], contract: Contract): number {
  if (!step.isSafe || !statesLag(contract)) return 0;
  const operations = [step, ...changesBefore(step, steps)].map(({ operation }) => operation);
  return Math.max(...operations.map((operation) => statedLag(operation, contract)));
}

/** Returns the time between the last change and a step, in milliseconds; 0 if it is unknown. */
export function sinceChange(step: Step, steps: readonly Step[], { elapsedMs }: CheckContext): number {
  const times = changesBefore(step, steps).map(({ judged }) => elapsedMs?.(judged, step.judged) ?? 0);
  return Math.min(...times);
}

/** Returns the warning for what a response shows, if the document calls it late and states no time to wait for. */
export function qualifyLate(
  step: Step,
  steps: readonly Step[],
  contract: Contract,
): Pick<StatedConclusion, 'level' | 'qualification'> {
  return lagOf(step, steps, contract) > 0 ? {} : qualify([step], contract, late);
}
