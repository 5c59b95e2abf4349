import { fingerprint } from '../json/fingerprint.ts';
import type { JsonValue } from '../json/value.ts';
import { groupBy } from '../report/collect.ts';
import { type Look, plural, wrapText } from '../report/format.ts';
import { toSarifLocation, toSarifLog, toSarifText } from '../report/sarif.ts';
import type { Change, Contracts, Party } from './change.ts';

/** The changes between two documents, and the rule by which they pass or fail. */
export interface Diff {
  readonly contracts: Contracts;
  readonly changes: readonly Change[];
  /** Whose breaks fail. */
  readonly fails: Party | 'any';
  /** Returns the name of a file for people. */
  readonly showFile: (file: string) => string;
}

/** Returns whether a change fails the comparison. */
export function isFailure({ breaks }: Change, fails: Diff['fails']): boolean {
  return fails === 'any' ? breaks.length > 0 : breaks.includes(fails);
}

const labelWidth = 17;
/** The number of operations in a heading. */
const mostNamed = 3;

/** Renders changes for people: by operation, breaks first, and the verdict in the last line. */
export function renderDiff(diff: Diff, look: Look): readonly string[] {
  const { changes, contracts, showFile } = diff;
  const { paint } = look;
  const [old, now] = [contracts.old, contracts.new];
  const versions = old.version === now.version ? now.version : `${old.version} → ${now.version}`;
  const files = paint('faint', `(${showFile(old.source)} → ${showFile(now.source)})`);
  const groups = groupBy(changes, ({ operations }) => operations.join('\0'));
  return [
    ...wrapText(`${paint('strong', now.title)} ${versions} ${files}`, { ...look, indent: 2 }),
    '',
    ...[...groups.values()].flatMap((all) => [
      paint('strong', nameOperations(all[0]?.operations ?? [])),
      ...all.flatMap((change) => renderChange(change, diff, look)),
      '',
    ]),
    renderVerdict(diff, look),
  ];
}

function nameOperations(operations: readonly string[]): string {
  if (operations.length === 0) return 'The whole document';
  const more = operations.length - mostNamed;
  const named = operations.slice(0, more === 1 ? undefined : mostNamed).join(', ');
  return more > 1 ? `${named} and ${more} more operations` : named;
}

function renderChange(change: Change, { showFile }: Diff, look: Look): readonly string[] {
  const { level, breaks, message, location } = change;
  const tone = ({ break: 'violation', warning: 'warning', note: 'faint' } as const)[level];
  const label = level === 'break' ? `breaks ${breaks.length > 1 ? 'both' : breaks.join('')}` : level;
  const place = look.paint('faint', `(${showFile(location.file)}:${location.line})`);
  const line = `  ${look.paint(tone, label)}${' '.repeat(labelWidth - label.length)}${message} ${place}`;
  return wrapText(line, { ...look, indent: labelWidth + 2 });
}

function countBreaks(changes: readonly Change[], party: Party): number {
  return changes.filter(({ breaks }) => breaks.includes(party)).length;
}

function describeVerdict({ changes, fails }: Diff): string {
  const [clients, services] = [countBreaks(changes, 'clients'), countBreaks(changes, 'services')];
  if (changes.length === 0) return 'no changes';
  if (clients + services === 0) return `${plural(changes.length, 'change')}, none breaks clients or services`;
  const counts = [
    { count: clients, party: 'clients' },
    { count: services, party: 'services' },
  ].filter(({ count }) => count > 0);
  const words = counts.map(({ count, party }, index) => {
    const noun = index === 0 ? ` ${count === 1 ? 'change' : 'changes'}` : '';
    return `${count}${noun} ${count === 1 ? 'breaks' : 'break'} ${party}`;
  });
  const isAllowed = !changes.some((change) => isFailure(change, fails));
  return `${words.join(', ')}${isAllowed ? `, which --breaks ${fails} allows` : ''}`;
}

function renderVerdict(diff: Diff, { paint }: Look): string {
  const passes = !diff.changes.some((change) => isFailure(change, diff.fails));
  return `${passes ? paint('good', 'PASS') : paint('violation', 'FAIL')}  ${describeVerdict(diff)}`;
}

/** Returns the changes for programs. */
export function toDiffJson(diff: Diff): JsonValue {
  const { contracts, changes, fails, showFile } = diff;
  const [old, now] = [contracts.old, contracts.new].map(({ title, version, source }) => ({
    title,
    version,
    source: showFile(source),
  }));
  return {
    $schema: 'urn:cloche:diff:1',
    version: 1,
    old: old ?? null,
    new: now ?? null,
    passes: !changes.some((change) => isFailure(change, fails)),
    breaks: { clients: countBreaks(changes, 'clients'), services: countBreaks(changes, 'services') },
    changes: changes.map(({ location: { file, line, column }, breaks, operations, ...change }) => ({
      ...change,
      breaks: [...breaks],
      operations: [...operations],
      file: showFile(file),
      line,
      column,
    })),
  };
}

/** Returns the changes as SARIF 2.1.0: the kind of a change is a rule, a change a result at its line. */
export function toDiffSarif(
  diff: Diff,
  options: { readonly toolVersion: string; readonly nameInRepository: (file: string) => string | undefined },
): string {
  const { changes, fails, contracts, showFile } = diff;
  const results = changes.map((change) => {
    const { kind, level, operations, message, location } = change;
    const calm = level === 'note' ? 'note' : 'warning';
    const path = options.nameInRepository(location.file);
    return {
      ruleId: kind,
      level: isFailure(change, fails) ? 'error' : calm,
      message: {
        text: toSarifText([operations.join(', '), message].filter((each) => each !== '').join(': ')),
      },
      locations: [
        {
          ...toSarifLocation({ ...location, file: showFile(location.file), path }),
          logicalLocations: operations.map((name) => ({ name, kind: 'operation' })),
        },
      ],
      partialFingerprints: { 'clocheChange/v1': fingerprint([kind, message, ...operations].join('\0')) },
      properties: { breaks: change.breaks },
    };
  });
  const rules = [...new Set(changes.map(({ kind }) => kind))].map((id) => ({ id }));
  return toSarifLog(
    { results, rules, toolVersion: options.toolVersion },
    {
      automationDetails: { id: `cloche-diff/${contracts.new.title.replaceAll('/', '-')}/` },
      invocations: [{ executionSuccessful: true, exitCodeDescription: describeVerdict(diff) }],
    },
  );
}
