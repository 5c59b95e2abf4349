import { idText } from '../../contract/list-pages.ts';
import { decodePathText } from '../../http/query.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import { schemaAt } from '../../schema/properties.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import { qualify } from './conclusions.ts';
import type { Item } from './items.ts';
import { showsIt } from './locations.ts';
import { type Observation, ownMember, type Tracker } from './observations.ts';
import type { Step } from './trace-steps.ts';
import { isDeclaredChange, isState } from './values.ts';

/** Judges two creates with one id. Items with an equal text may be one item to the service. */
export function judgeIdentity(step: Step, { items, conclude }: Tracker): void {
  const { role, place, written, client } = step;
  const item = place?.item === undefined ? undefined : items.find(place.item);
  const { madeBy } = item ?? {};
  if (role?.kind !== 'create' || role.key.kind !== 'server' || item?.state !== 'there') return;
  if (madeBy?.role?.kind !== 'create' || madeBy.client !== client) return;
  const [one, two] = [madeBy.written?.value, written?.value];
  const names = Object.keys(two ?? {});
  const texts = names.filter((name) => typeof two?.[name] === 'string');
  if (one === undefined || two === undefined || texts.length === 0) return;
  const sharesText = texts.some((name) => {
    const before = ownMember(one, name);
    return before !== undefined && before === two[name] && !isState(item.known.get(name)?.schema, before);
  });
  if (sharesText || jsonEqual(one, two)) return;
  conclude('lost-identity', {
    of: step,
    shownBy: [...items.chainTo(item.place.collection), madeBy, step],
    clause: quoteDocument(step.operation?.pointer ?? '', 'what is created is identified by its id'),
    expected: 'an id that no other item has',
    received: 'the id of an item that exists',
    cause: 'an id twice',
  });
}

/** Words for ids that have several spellings. */
const spelled = /\bcase\b|case-?insensitive|normali[sz]|lower|upper|canonical|\btrim/iu;

/** Returns the id in the name of an item. */
const idOf = (name: string): string => decodePathText(name.slice(name.lastIndexOf('/') + 1));

/** Returns the id that an observation of an item shows; undefined if it shows none. */
function shownId({ place }: Item, { value }: Observation): JsonValue | undefined {
  const { key } = place.resource;
  return key.kind === 'none' ? undefined : ownMember(value, key.property);
}

/** Judges the id that a read shows, if the client chose it: the path is made of it (RFC 3986 §2.2). */
export function judgeShownId(item: Item, look: Observation, { items, conclude, contract }: Tracker): void {
  const { madeBy, name } = item;
  const { key } = item.place.resource;
  if (key.kind !== 'client' || madeBy === undefined || look.by.role?.kind !== 'read') return;
  const [sent, shown] = [idOf(name), shownId(item, look)];
  if (shown === undefined || shown === null || idText(shown) === sent) return;
  // Any other value may be another name of the item.
  const others = Object.entries(look.value).some(
    ([property, value]) => property !== key.property && value === sent,
  );
  if (others || loosely(idText(shown)) !== loosely(sent)) return;
  const schemas = {
    written: schemaAt(madeBy.written?.schema, [key.property]),
    shown: schemaAt(look.schema, [key.property]),
  };
  if (isDeclaredChange(sent, shown, schemas)) return;
  conclude('lost-identity', {
    of: look.by,
    ...qualify([madeBy, look.by], contract, spelled),
    shownBy: items.chainTo(item.place.collection, madeBy, look.by),
    clause: quoteRfc(
      'RFC 3986 §2.2',
      'URIs that differ in the replacement of a reserved character with its corresponding percent-encoded octet are not equivalent',
    ),
    expected: `/${key.property} as the client chose it, and as its path has it`,
    received: `${describeReceived(look.by.judged.answer)} with another spelling of it`,
    cause: 'another spelling of the id',
  });
}

/** Folds what servers confuse in ids: case, digits past a double, a plus and a space, and characters encoded again. */
function loosely(id: string): string {
  if (/^-?\d{16,}$/u.test(id)) return String(Number(id));
  return decodePathText(id.replaceAll('+', ' ')).normalize('NFKC').trim().toLowerCase();
}

/** Judges an item that a read shows although its id has another case in the path (RFC 3986 §6.2.2.1). */
export function judgeOtherCase(look: Observation, tracker: Tracker): void {
  const { items, conclude, contract } = tracker;
  const { place, client } = look.by;
  const name = place?.item;
  if (name === undefined || !/[a-z]/iu.test(idOf(name)) || items.find(name)?.madeBy !== undefined) return;
  const own = [...items.all()].find(
    (each) =>
      each.name !== name &&
      each.name.toLowerCase() === name.toLowerCase() &&
      each.madeBy?.client === client &&
      each.state === 'there' &&
      showsIt(each, look),
  );
  if (own?.madeBy === undefined || qualify([look.by, own.madeBy], contract, spelled).level !== undefined)
    return;
  // A resource may have several URIs, so it is at most bad practice.
  conclude('lost-identity', {
    of: look.by,
    level: 'warning',
    shownBy: items.chainTo(own.place.collection, own.madeBy, look.by),
    clause: quoteRfc(
      'RFC 3986 §6.2.2.1',
      'The other generic syntax components are assumed to be case-sensitive unless specifically defined otherwise by the scheme',
    ),
    expected: 'no item at an id in another case',
    received: `${describeReceived(look.by.judged.answer)}, which shows the item`,
    cause: 'an id in another case',
  });
}

/** Returns whether a client chose an id with a slash, which many servers and gateways refuse or rewrite in a path. */
export function hasOwnSlash({ name, place: { resource } }: Item): boolean {
  return resource.key.kind === 'client' && /[/\\]/u.test(idOf(name));
}
