import { jsonEqual } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { quoteDocument } from '../finding.ts';
import type { Item } from './items.ts';
import { type Tracker, ownMember } from './observations.ts';
import type { Representation, Step } from './trace-steps.ts';
import { isState } from './values.ts';

/**
 * Judges a copy of an item in a list: another id, and the same values. Only a list below an item of this trace counts, as
 * others may have sent the same values.
 */
export function judgeCopies(step: Step, { items, conclude, steps }: Tracker): void {
  const { listed = [], operation, place } = step;
  const strangers = listed.filter(({ item }) => items.find(item) === undefined);
  const chain = place === undefined ? [] : items.chainTo(place.collection);
  if (place === undefined || operation === undefined || chain.length === 0 || strangers.length === 0) return;
  if (!steps.slice(chain[0]?.index, step.index).every(isCertain)) return;
  const own = [...items.all()].filter(
    (item) =>
      item.state === 'there' && item.madeBy !== undefined && item.place.collection === place.collection,
  );
  const original = own.find((item) => strangers.some((stranger) => isCopy(stranger, item)));
  if (original?.madeBy === undefined) return;
  conclude('list-repeats', {
    of: step,
    shownBy: [...chain, original.madeBy, step],
    clause: quoteDocument(operation.pointer, 'the list shows the items of the collection'),
    expected: 'each item once',
    received: 'an item that no request created, with the values of another one',
    cause: 'a copy of an item',
  });
}

/** Returns whether it is certain which items a request created. */
function isCertain({ isSafe, outcome, role, place }: Step): boolean {
  if (isSafe || outcome === 'refused') return true;
  const isKnown = role !== undefined && role.kind !== 'action' && place?.item !== undefined;
  return outcome === 'done' && isKnown;
}

/** Returns whether an item shows all that clients gave another one, and at least one text of it. */
function isCopy({ value, schema }: Representation, { known, place: { resource } }: Item): boolean {
  const declared = schemaProperties(schema);
  const compared = [...known].filter(([name, { value: sent }]) => {
    const isKey = resource.key.kind !== 'none' && resource.key.property === name;
    const property = declared.get(name);
    return (
      sent !== undefined && sent !== null && property?.readOnly === false && !property.writeOnly && !isKey
    );
  });
  const hasText = compared.some(
    ([, { value: sent, schema: written }]) =>
      typeof sent === 'string' && sent.length > 3 && !isState(written, sent),
  );
  return (
    hasText &&
    compared.every(([name, { value: sent }]) => {
      const shown = ownMember(value, name);
      return sent !== undefined && shown !== undefined && jsonEqual(shown, sent);
    })
  );
}
