import type { ResourceKey } from '../../contract/contract.ts';
import { describeReceived, nameOperation } from '../../check/describe.ts';
import { memberAt, holdsSame } from '../../json/pointer.ts';
import { describeProbed, probedExchange, probedIn, probedValues } from '../../check/drift/probed.ts';
import { type Finding, type ParityVerdict, quoteDocument, quoteBehaviour } from '../../check/finding.ts';
import { type ItemName, readSteps, type Step } from '../../check/stateful/trace-steps.ts';
import { pageAfter } from '../../check/stateful/pagination.ts';
import type {
  CheckContext,
  CheckedExchange,
  TraceCheck,
  TraceFinding,
} from '../../check/classify/subject.ts';
import { jsonEqual, type JsonObject } from '../../json/value.ts';
import { documentValueOf } from '../../policy/document-answers.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { Against } from '../../session/target.ts';
import { judgeParity } from './attribute.ts';

/** The traces of one case on two services, each with the items that it created. */
interface ComparedTraces {
  readonly mine: readonly CheckedExchange[];
  readonly other: readonly CheckedExchange[];
  /** The checks of the traces, and the findings of the first trace. */
  readonly checks: readonly TraceCheck[];
  readonly concluded: readonly TraceFinding[];
  readonly context: CheckContext;
  readonly otherContext: CheckContext;
  readonly names: Against['names'];
}

/**
 * Compares the traces of two services for the same case. A violation by only one of them is its fault. If the traces
 * show different values of a behaviour, or different data for the same writes, the document does not specify it. Ids
 * and other generated values are compared by their origin.
 *
 * @returns the findings of the first trace, marked, and the differences
 */
export function compareTraces(compared: ComparedTraces): readonly TraceFinding[] {
  const { mine, other, checks, concluded, otherContext, names } = compared;
  const isFault = ({ check, level }: Finding): boolean => check !== 'drift' && level !== 'note';
  const faults = checks.flatMap((check) => check(other, otherContext)).filter(isFault);
  const silences = compareAnswers(compared);
  const mark = (finding: TraceFinding): TraceFinding => {
    const isShared = faults.some((one) => isSame(one, finding));
    // A warning may be about one of two permitted values.
    if (isShared || !isFault(finding) || (finding.level === 'warning' && silences.length > 0)) return finding;
    const last = (finding.shownBy ?? mine).at(-1);
    const answer = last && other[mine.indexOf(last)];
    return withVerdict(finding, { kind: 'tested-wrong' }, { names, answer });
  };
  const marked = concluded.map(mark);
  const wrong = faults
    .filter((fault) => fault.level === 'violation' && !concluded.some((one) => isSame(one, fault)))
    .map(({ shownBy = other, ...fault }) => tellOther(fault, shownBy, compared));
  const isBroken = [...concluded, ...wrong].some(isFault);
  return [
    ...marked,
    ...wrong,
    ...silences,
    ...(isBroken || silences.length > 0 ? [] : compareSteps(compared)),
  ];
}

const isSame = (one: Finding, two: Finding): boolean =>
  one.check === two.check && one.cause === two.cause && one.operation === two.operation;

function withVerdict(
  finding: TraceFinding,
  verdict: ParityVerdict,
  { names, answer }: { readonly names: Against['names']; readonly answer: CheckedExchange | undefined },
): TraceFinding {
  const answered = answer === undefined ? 'nothing of the kind' : describeReceived(answer.answer);
  return { ...finding, parity: { ...names, answered, verdict } };
}

/** Returns the fault of the reference service, with the requests that were sent to the service under test. */
function tellOther(
  fault: Finding,
  shownBy: readonly CheckedExchange[],
  { mine, other, names }: ComparedTraces,
): TraceFinding {
  const requests = shownBy.flatMap((each) => mine[other.indexOf(each)] ?? []);
  const found: TraceFinding = {
    ...fault,
    check: 'parity',
    received: `${fault.received}, from ${names.other}`,
    cause: `${fault.check} ${fault.cause}`,
    ...(requests.length === 0 ? {} : { shownBy: requests }),
  };
  return withVerdict(found, { kind: 'other-wrong' }, { names, answer: shownBy.at(-1) });
}

/** Compares the values of a behaviour that a probe found in both services, if the document does not decide it. */
function compareAnswers({ mine, other, context, names }: ComparedTraces): readonly TraceFinding[] {
  const [own, theirs] = [probedIn(mine), probedIn(other)];
  const [values, others] = [own, theirs].map((found) => (found ? probedValues(found) : []));
  const [answer] = values ?? [];
  const [reference] = others ?? [];
  if (own === undefined || theirs === undefined || answer === undefined || reference === undefined) return [];
  const { id, operation } = own;
  const isOpen = documentValueOf({ id, operation, contract: context.contract }).kind === 'open';
  const isSameValue = values?.some((one) => others?.some((two) => jsonEqual(one, two)));
  if (!isOpen || isSameValue === true) return [];
  const finding: TraceFinding = {
    check: 'parity',
    level: 'warning',
    operation: operation.id,
    clause: quoteBehaviour(id),
    expected: `${describeProbed(id, reference)}, as ${names.other} answers`,
    received: describeProbed(id, answer),
    cause: `${id}: ${JSON.stringify(answer)}`,
  };
  const verdict: ParityVerdict = { kind: 'silent', question: id, answer };
  return [withVerdict(finding, verdict, { names, answer: probedExchange(other, theirs) })];
}

/** The two steps of one request. */
interface Pair {
  readonly mine: Step;
  readonly other: Step;
}

/** Returns the first difference of two traces in the items that both created. */
function compareSteps(compared: ComparedTraces): readonly TraceFinding[] {
  const { context, otherContext, names } = compared;
  const [left, right] = [compared.mine, compared.other].map((trace) => readSteps(trace, context.contract));
  const { policy, enforced } = otherContext;
  const items = new Map<ItemName, ItemName>();
  const written = new Map<ItemName, Set<string>>();
  for (const [index, mine] of (left ?? []).entries()) {
    const other = right?.[index];
    if (other === undefined || other.operation !== mine.operation) return [];
    const pair = { mine, other };
    note(pair, { items, written });
    if (!isOfOneItem(pair, items) || [mine, other].some(({ status }) => putOff.has(status))) continue;
    const shownBy = compared.mine.slice(0, index + 1);
    const { judged, differs } = judgeParity({
      mine: mine.judged,
      other: other.judged,
      names,
      policy,
      enforced,
      rejectedStatus: undefined,
    });
    if (differs) {
      return judged.findings.flatMap((finding): TraceFinding[] => {
        const { check, parity } = finding;
        if (mine.judged.findings.includes(finding) || check !== 'parity' || parity === undefined) return [];
        const unless = questionBehind(pair);
        const { verdict } = parity;
        const isOpen = verdict.kind === 'silent' && verdict.question === undefined && unless !== undefined;
        return [
          {
            ...finding,
            shownBy,
            ...(isOpen ? { parity: { ...parity, verdict: { ...verdict, unless } } } : {}),
          },
        ];
      });
    }
    const difference = compareShown(pair, { items, written });
    if (difference === undefined) continue;
    const finding: TraceFinding = {
      check: 'parity',
      level: 'warning',
      operation: nameOperation(mine.judged),
      clause: quoteDocument(mine.operation?.pointer ?? '', 'says nothing of it'),
      expected: `what ${names.other} shows`,
      received: difference.words,
      cause: difference.words,
      shownBy,
    };
    const { unless } = difference;
    const verdict: ParityVerdict = { kind: 'silent', question: undefined, answer: undefined, unless };
    return [withVerdict(finding, verdict, { names, answer: other.judged })];
  }
  return [];
}

/** Returns the behaviour that may explain two different statuses. Its dedicated test is more reliable. */
function questionBehind({ mine, other }: Pair): BehaviourId | undefined {
  const isFound = [mine, other].every(({ status }) => status !== 404 && status !== 410);
  switch (mine.role?.kind) {
    case 'list':
    case 'create':
      return isFound ? undefined : 'missing-parent';
    case 'read':
      return isFound ? undefined : 'deleted-parent';
    case 'replace':
      return isFound ? undefined : 'unknown-key-replaced';
    case 'delete':
      return isFound ? 'deleted-parent' : 'deleted-again';
    default:
      return undefined;
  }
}

/** A difference of two responses, and the behaviour that may explain it. */
interface ShownDifference {
  readonly words: string;
  readonly unless: BehaviourId;
}

const putOff: ReadonlySet<number> = new Set([0, 429, 503]);

interface KnownItems {
  /** The names of items at the reference service, by their names at the service under test. */
  readonly items: Map<ItemName, ItemName>;
  /** The properties for which a client last sent the same value to both. */
  readonly written: Map<ItemName, Set<string>>;
}

function note({ mine, other }: Pair, { items, written }: KnownItems): void {
  const [own, theirs] = [mine.place?.item, other.place?.item];
  if (own === undefined || theirs === undefined) return;
  const isDone = mine.outcome === 'done' && other.outcome === 'done';
  if (mine.role?.kind === 'create' && isDone) items.set(own, theirs);
  if (!isDone) return;
  const names = written.get(own) ?? new Set();
  for (const [name, value] of Object.entries(mine.written?.value ?? {})) {
    // Ids of other items differ, because each service created them.
    if (holdsSame({ [name]: value }, other.written?.value, name)) names.add(name);
    else names.delete(name);
  }
  written.set(own, names);
}

/** Returns whether a request is for the item that both services created for it. */
function isOfOneItem({ mine, other }: Pair, items: ReadonlyMap<ItemName, ItemName>): boolean {
  const [own, theirs] = [mine.place, other.place];
  if (own === undefined || theirs === undefined) return false;
  const isNamed = mine.role?.kind !== 'create' && own.item !== undefined;
  if (isNamed) return theirs.item !== undefined && items.get(own.item ?? '') === theirs.item;
  if (own.collection === theirs.collection && own.resource.parent === undefined) return true;
  const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  return items.get(above(own.collection)) === above(theirs.collection);
}

/** Returns the difference of two responses in the written data. */
function compareShown({ mine, other }: Pair, known: KnownItems): ShownDifference | undefined {
  if (mine.listed !== undefined && other.listed !== undefined) return compareLists({ mine, other }, known);
  const item = mine.place?.item;
  if (item === undefined || mine.shown === undefined || other.shown === undefined) return undefined;
  return compareItems(item, [mine.shown, other.shown], { ...known, key: mine.place?.resource.key });
}

function compareItems(
  item: ItemName,
  [own, theirs]: readonly [NonNullable<Step['shown']>, { readonly value: JsonObject }],
  { written, key }: Pick<KnownItems, 'written'> & { readonly key: ResourceKey | undefined },
): ShownDifference | undefined {
  for (const [name, { readOnly, writeOnly }] of schemaProperties(own.schema)) {
    const isKey = key !== undefined && key.kind !== 'none' && key.property === name;
    if (readOnly || writeOnly || isKey || written.get(item)?.has(name) !== true) continue;
    const [one, two] = [own.value, theirs.value].map((value) => memberAt(value, [name]));
    if (!jsonEqual(one ?? null, two ?? null)) return { words: `another /${name}`, unless: 'patch-notation' };
  }
  return undefined;
}

function compareLists({ mine, other }: Pair, known: KnownItems): ShownDifference | undefined {
  const { items } = known;
  const own = mine.listed ?? [];
  const theirs = new Map((other.listed ?? []).map((each) => [each.item, each]));
  const common = own.filter(({ item }) => theirs.has(items.get(item) ?? ''));
  const places = common.map(({ item }) => [...theirs.keys()].indexOf(items.get(item) ?? ''));
  if (places.some((place, index) => place < (places[index - 1] ?? 0)))
    return { words: 'the items in another order', unless: 'list-order' };
  const isWhole = [mine, other].every(
    ({ operation, judged }) => operation !== undefined && pageAfter(operation, [judged]).kind === 'end',
  );
  if (isWhole) {
    const shown = new Set(own.map(({ item }) => item));
    const isLeftOut = [...items].some(([item, name]) => shown.has(item) !== theirs.has(name));
    if (isLeftOut) return { words: 'other items of those that were created', unless: 'list-default-limit' };
  }
  for (const each of common) {
    const match = theirs.get(items.get(each.item) ?? '');
    const difference =
      match && compareItems(each.item, [each, match], { ...known, key: mine.place?.resource.key });
    if (difference !== undefined) return { ...difference, words: `${difference.words} of an item` };
  }
  return undefined;
}
