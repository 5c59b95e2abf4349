import { firstCase } from '../arbitrary/request-case.ts';
import { type CheckId, findingId, type Level } from '../check/finding.ts';
import type { PropertyResult, Verdict } from '../events/events.ts';
import { CreatesSpent, NoItem } from '../session/items.ts';
import { isSameCause } from '../session/send-case.ts';
import { confirmFinding, mayComeOfState, mustComeBack } from './confirm.ts';
import { countCases, countMadeCases, type PlannedProperty } from './plan.ts';
import type { OpenRun } from './run-context.ts';
import { type CauseFound, costlyChecks, type PropertyRun, searchCause } from './search.ts';
import { comparisonOf } from './suite.ts';

/** The maximum number of causes that one property may report. */
const mostCauses = 12;
/** The maximum number of cases whose causes turn out to be known. */
const mostExplained = 24;

/** A planned property in progress. The examples of all properties can be tried before the random cases of any. */
export class OpenProperty {
  readonly planned: PlannedProperty;
  readonly #run: OpenRun;
  readonly #search: PropertySearch;
  /** The maximum number of cases. */
  readonly #most: number;
  readonly #levels = new Set<Level>();
  #cases = 0;
  #requests = 0;
  #hangs = false;
  /** The number of unchecked cases, and the reason for the first of them. */
  #unchecked = 0;
  #whyUnchecked: string | undefined;
  #mayConclude = true;

  constructor(planned: PlannedProperty, run: OpenRun) {
    const { property, suite, runs, path } = planned;
    const { id, via = 'client', waits = true } = property;
    const { ledger, memory, context, settings } = run;
    this.planned = planned;
    this.#run = run;
    this.#most = countCases(property, runs);
    const comparison = comparisonOf(property);
    const isCompared = comparison === 'exchanges';
    const sender = run.openSender({ suite, property: id, via, waits, isCompared }, ({ findings }) => {
      this.#requests += 1;
      findings.forEach(({ level }) => this.#levels.add(level));
    });
    this.#search = new PropertySearch({
      property,
      sender,
      context,
      seed: settings.seed,
      runs,
      path,
      ledger,
      memory,
      isStopped: () => this.#hangs || run.isStopped(),
      compare: comparison === 'cases' ? run.referenceService?.compareCase(property) : undefined,
      takeAway: property.takesAway === true ? (records) => run.takeAway(records, sender) : undefined,
      onCase: (trace) => {
        this.#cases += 1;
        this.#noteUnchecked(run.isStopped() ? undefined : property.whyUnchecked?.(trace));
      },
      onNoItem: (why) => {
        run.tally.unmade += why instanceof CreatesSpent ? 1 : 0;
        this.#noteUnchecked(why.message);
      },
      onFailedCase: async (finding) => {
        settings.emit({ kind: 'case-failed', suite, property: id, finding });
        return (await settings.together?.isFirstTo(findingId(finding))) ?? true;
      },
      onGivenUp: (check) => this.#stopAt(check),
      onFinding: (found) => {
        this.#levels.add(found.finding.level);
        run.take(planned, found);
      },
    });
  }

  /** Returns the number of planned cases that do not exist, known once cases were created and counted. */
  countUnmade(): number {
    return this.#most - (this.#search.made() ?? this.#most);
  }

  /** Returns whether any of its cases was tried. */
  hasTried(): boolean {
    return this.#cases > 0;
  }

  /** Returns whether it turned out to have no cases. */
  isEmpty(): boolean {
    return this.#search.made() === 0;
  }

  /** Returns whether its first case has a finding that was not retried yet. */
  hasUnconfirmed(): boolean {
    return this.#search.hasUnconfirmed();
  }

  /** Runs its first case, the plainest. @throws as {@link PropertySearch} */
  async runFirst(): Promise<void> {
    await this.#goOn(() => this.#search.look());
  }

  /**
   * Runs the fixed cases up to a number of them; they find the most with the fewest requests.
   * @throws as {@link PropertySearch}
   */
  async runExamples(most: number): Promise<void> {
    await this.#goOn(() => this.#search.goOnTo(most));
  }

  /** Returns whether fixed cases are left. */
  hasMoreExamples(): boolean {
    return this.#mayConclude && this.#search.hasMoreExamples();
  }

  /** Runs the random cases after them. @throws as {@link PropertySearch} */
  async runRest(): Promise<void> {
    await this.#goOn(() => this.#search.goOnTo('all'));
  }

  /** Skips the property, because the service hangs on some requests. */
  giveUp(): void {
    this.#hangs = true;
    this.#notChecked(
      'not tried, as the service hangs on some requests, and it sends many; fix the hang first',
    );
  }

  /** Returns its result; undefined if no case ran, if a case threw an error, or if it was returned before. */
  conclude(): PropertyResult | undefined {
    this.#search.close();
    if (!this.#mayConclude || (this.#cases === 0 && !this.#hangs)) return undefined;
    this.#mayConclude = false;
    const { suite, property } = this.planned;
    if (this.#whyUnchecked !== undefined && this.#unchecked === this.#cases)
      this.#notChecked(this.#whyUnchecked);
    const counts = { cases: this.#cases, requests: this.#requests };
    return { suite, property: property.id, title: property.title, ...counts, verdict: this.#verdict() };
  }

  async #goOn(part: () => Promise<void>): Promise<void> {
    try {
      await (this.#search.isEmpty() ? undefined : part());
    } catch (error) {
      this.#mayConclude = false;
      throw error;
    }
  }

  #noteUnchecked(reason: string | undefined): void {
    this.#unchecked += reason === undefined ? 0 : 1;
    this.#whyUnchecked ??= reason;
  }

  #stopAt(check: CheckId): void {
    this.#hangs = true;
    const why =
      check === 'timed-out'
        ? 'the service hangs on requests like them; fix the hang first'
        : 'its answers to requests like them are longer than is read; fix that first, or raise --response-limit';
    this.#notChecked(`given up after ${this.#cases} ${this.#cases === 1 ? 'case' : 'cases'}, as ${why}`);
  }

  #notChecked(reason: string): void {
    const { suite, property } = this.planned;
    this.#run.ledger.notChecked.push({ what: `${suite}/${property.id}`, reason });
  }

  #verdict(): Verdict {
    if (this.#levels.has('violation')) return 'broken';
    if (this.#hangs) return 'given-up';
    if (this.#cases > 0 && this.#unchecked === this.#cases) return 'unjudged';
    if (this.#levels.has('warning')) return 'warned';
    // The run may have ended before all cases ran.
    const isCutOff = this.planned.path === undefined && this.#cases < (this.#search.made() ?? this.#most);
    return isCutOff ? 'cut-off' : 'held';
  }
}

/**
 * Searches in parts for the causes of a property's failures, from its first case or at the case of its path.
 *
 * Its methods throw CANNOT_JUDGE if the service is unreachable, and any error of the property.
 */
export class PropertySearch {
  readonly #run: PropertyRun;
  #total: number | undefined;
  #hasFirst: boolean | undefined;
  #start: string | undefined;
  #next = 0;
  #causes = 0;
  #explained = 0;
  #isOver = false;
  /** The finding of the first case, until the search returns to it. */
  #first: CauseFound | undefined;

  constructor(run: PropertyRun) {
    this.#run = run;
    this.#start = run.path;
  }

  /** Returns whether there are no cases. It creates the first one. */
  isEmpty(): boolean {
    if (this.#run.isStopped() && this.#hasFirst === undefined) return false;
    this.#hasFirst ??= firstCase(this.#run.property) !== undefined;
    if (!this.#hasFirst) this.#total = 0;
    return !this.#hasFirst;
  }

  /** Returns the number of cases; undefined until they are created. */
  made(): number | undefined {
    return this.#total;
  }

  /** Returns whether the first case has a finding that the search did not return to yet. */
  hasUnconfirmed(): boolean {
    return this.#first !== undefined;
  }

  /** Runs the first case. Its finding is shrunk when the search continues. */
  async look(): Promise<void> {
    if (this.#run.path !== undefined || this.#run.isStopped()) return;
    const found = await searchCause(this.#run, { start: '0', runs: 1, onlyLooks: true });
    if (found === undefined) this.#goTo(1);
    else if (costlyChecks.has(found.finding.check)) await this.#takeAndGoOn(found);
    else this.#first = found;
  }

  /**
   * Continues to an example, given by its number from 1, or to the last case. Every new cause is shrunk, confirmed with
   * fresh ids, and reported. Then the search continues after the case that first showed it.
   */
  async goOnTo(end: number | 'all'): Promise<void> {
    const run = this.#run;
    if (run.path !== undefined) {
      this.#isOver ||= run.isStopped();
      await (this.#isOver ? undefined : this.#step(1));
      this.#isOver = true;
      return;
    }
    if (run.isStopped()) return;
    const all = this.#countAll();
    const last = end === 'all' ? all : Math.min(run.property.examples.length, all, end);
    const isDone = (): boolean => this.#isOver || this.#next >= last || run.isStopped();
    while (!isDone()) {
      await this.#step(last - this.#next);
    }
  }

  /** Returns whether examples are left. */
  hasMoreExamples(): boolean {
    const { path, property, isStopped } = this.#run;
    if (path !== undefined || this.#isOver || this.#total === 0 || isStopped()) return false;
    return this.#next < Math.min(property.examples.length, this.#countAll());
  }

  /** Reports the finding of the first case if the search never returned to it. */
  close(): void {
    if (this.#first === undefined) return;
    const { finding, records, path } = this.#first;
    this.#first = undefined;
    if (mustComeBack(finding, records) || this.#run.ledger.isKnown(finding)) return;
    this.#run.onFinding({ finding, records, path, confirmed: { seen: 0, tried: 0 } });
  }

  #countAll(): number {
    return (this.#total ??= countMadeCases(this.#run.property, this.#run.runs));
  }

  #goTo(next: number): void {
    this.#next = next;
    this.#start = String(next);
  }

  async #take(found: CauseFound): Promise<void> {
    if (found.isExplained) {
      this.#explained += 1;
      return;
    }
    this.#causes += 1;
    await confirmAndTell(this.#run, found);
  }

  async #takeAndGoOn(found: CauseFound): Promise<void> {
    const run = this.#run;
    await this.#take(found);
    const { check } = found.finding;
    const isCostly = costlyChecks.has(check);
    if (run.path !== undefined) {
      // The finding that was asked for may be another one of the case.
      const isOver = isCostly || this.#causes >= mostCauses || this.#explained >= mostExplained;
      if (!isOver && found.besides.length > 0) await this.#step(1);
      return;
    }
    // Other findings of the case are searched now, because no later case would show them.
    for (const { finding, path } of isCostly ? [] : found.besides) {
      if (this.#causes >= mostCauses || run.isStopped() || run.ledger.isKnown(finding)) continue;
      const beside = await searchCause(run, { start: path, runs: 1, goesOn: true });
      await (beside === undefined ? undefined : this.#take(beside));
    }
    this.#goTo(Number(found.path.split(':', 1)[0]) + 1);
    this.#isOver = this.#causes >= mostCauses || this.#explained >= mostExplained;
    if (isCostly && this.#next < this.#countAll()) {
      run.onGivenUp(check);
      this.#isOver = true;
    }
  }

  /** Runs the next `cases` cases, up to the first with a finding. */
  async #step(cases: number): Promise<void> {
    const run = this.#run;
    const found = await searchCause(run, { start: this.#start, runs: cases });
    const looked = this.#first;
    // The shrunk case may have another trigger, or none.
    const isBack =
      found !== undefined &&
      looked !== undefined &&
      isSameCause({ ...found.finding, trigger: '' }, { ...looked.finding, trigger: '' });
    if (isBack || !run.isStopped()) this.#first = undefined;
    // The first case may fail only once, because its item then exists. It is still a finding.
    if (looked !== undefined && !isBack && !run.isStopped()) await this.#take(looked);
    if (found === undefined) this.#goTo(this.#next + cases);
    else await this.#takeAndGoOn(found);
  }
}

async function confirmAndTell(run: PropertyRun, found: CauseFound): Promise<void> {
  const { finding, path } = found;
  try {
    const { seen, tried, records } = await confirmFinding(run, found);
    if (tried === 0 && mustComeBack(finding, found.records)) return;
    // The end of the run may abort the confirmation. Findings that a store may cause need one.
    const mayBeChance = finding.check === 'too-slow' || mayComeOfState(finding, found.records);
    const isCut = seen === 0 && run.isStopped() && !mayBeChance;
    run.onFinding({
      finding,
      records: records.length > 0 ? records : found.records,
      path,
      confirmed: isCut ? { seen: 0, tried: 0 } : { seen, tried },
    });
  } catch (error) {
    if (error instanceof NoItem) {
      if (mustComeBack(finding, found.records)) return;
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
      return;
    }
    // The service became unreachable before another try. The finding stays, except an aborted connection, which another
    // request may have caused.
    if (finding.check !== 'connection-dropped') {
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
    }
    throw error;
  }
}
