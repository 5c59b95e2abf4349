import { foreignTexts } from '../check/cross-talk.ts';
import { describeReceived } from '../check/describe-subject.ts';
import type { Judged } from '../check/judged.ts';
import type { SessionRecord } from './create-session.ts';
import type { SentTexts } from './create-sent-texts.ts';
import { isSameCause } from './is-same-cause.ts';
import type { PropertyFinding } from './run-property.ts';

/** What shows a finding, and how it is to be sent. */
export interface NeededRequests {
  /** In order; the last one shows it. */
  readonly records: readonly Pick<SessionRecord, 'request' | 'keys'>[];
  /** The last of them, as it was answered. */
  readonly shown: SessionRecord;
  /** Whether they were all under way together. */
  readonly sideBySide: boolean;
  /** What each of several was answered, in words; missing where one of them was answered long ago. */
  readonly outcomes?: readonly string[];
}

function outcomeOf({ answer }: Judged): string {
  return answer.kind === 'none' ? describeReceived(answer) : String(answer.response.status);
}

function withOutcomes(records: readonly SessionRecord[], shown: SessionRecord): NeededRequests {
  return {
    records,
    shown,
    sideBySide: overlap(records),
    ...(records.length > 1 ? { outcomes: records.map(({ judged }) => outcomeOf(judged)) } : {}),
  };
}

function overlap(records: readonly Pick<SessionRecord, 'from' | 'to'>[]): boolean {
  const from = Math.max(...records.map((record) => record.from));
  return records.length > 1 && from < Math.min(...records.map((record) => record.to));
}

/** The request that sent what turned up in another's answer, before that one. */
function withSource(shown: SessionRecord, texts: SentTexts): NeededRequests {
  const { judged } = shown;
  const sources = foreignTexts(judged).flatMap(
    ([, text]) => texts.find(judged.operation?.id ?? '', text) ?? [],
  );
  const [source] = sources;
  if (source === undefined) {
    return { records: [shown], shown, sideBySide: false };
  }
  return { records: [source, shown], shown, sideBySide: overlap([source, shown]) };
}

/**
 * The requests that it takes to show a finding, the one that shows it last: all that the check rests on where it
 * judged a sequence as a whole, else those up to the one exchange, and that one alone where no request before it
 * matters.
 *
 * @returns undefined where nothing was recorded
 */
export function neededRequests(
  { finding, records }: PropertyFinding,
  texts: SentTexts,
): NeededRequests | undefined {
  const at = records.findIndex(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
  const shown = records[at] ?? records.at(-1);
  if (shown === undefined) {
    return undefined;
  }
  if (finding.check === 'cross-talk') {
    return withSource(shown, texts);
  }
  if (at === -1) {
    return withOutcomes(records, shown);
  }
  const { key } = shown.judged.request;
  // A hang is not made smaller, so that the requests before it may have nothing to do with it.
  const isAlone = finding.check === 'timed-out' && key !== 'sent' && key !== 'twin';
  return withOutcomes(isAlone ? [shown] : records.slice(0, at + 1), shown);
}
