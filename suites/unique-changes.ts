import { noteProbed, checkProbed } from '../src/check/drift/probed.ts';
import type { Operation } from '../src/contract/contract.ts';
import { keptRole } from '../src/contract/resources.ts';
import type { JsonObject, JsonValue } from '../src/json/value.ts';
import { type ProbeItem, type ProbeItems, type ProbeResult, Unanswered } from '../src/policy/behaviour.ts';
import { isRefused, notAsked, plainRefused, unexpectedAnswer, unsettled } from '../src/policy/probing.ts';
import type { Property } from '../src/runner/suite.ts';

const id = 'unique-properties';

/**
 * Plans changes to the value of another item, which a unique property does not allow, and a create with the value of a
 * deleted item, which it allows.
 *
 * @param operation - the create
 * @param unique - the unique properties of the policy
 */
export function uniqueChanges(operation: Operation, unique: string[]): readonly Property<string>[] {
  if (keptRole(operation)?.resource.kind !== 'collection') return [];
  return unique.map((name, index) => ({
    id: `${operation.id}.unique-changes-${index + 1}`,
    title: `No change gives an item the /${name} of another one, and a delete frees it`,
    examples: [name],
    arbitrary: undefined,
    mostRequests: 12,
    readsAnswers: true,
    async run(_case, session) {
      const items = session.openProbeItems();
      const result = await probe({ items, operation, unique, name }).catch((error: unknown) => {
        if (error instanceof Unanswered) return unsettled(error.message);
        throw error;
      });
      noteProbed(items.trace, { id, operation, result });
      return items.trace;
    },
    traceChecks: [checkProbed],
  }));
}

async function probe({
  items,
  operation,
  unique,
  name,
}: {
  readonly items: ProbeItems;
  readonly operation: Operation;
  readonly unique: string[];
  readonly name: string;
}): Promise<ProbeResult<JsonValue>> {
  const role = keptRole(operation);
  if (role === undefined) return notAsked('it creates no item');
  const { resource } = role;
  const first = await items.make(resource);
  const second = await items.make(resource, first.collection);
  const value = first.body[name];
  if (value === undefined || value === second.body[name])
    return unsettled(`no new value of /${name} is sent`);
  const broken = (seen: string): ProbeResult<JsonValue> => ({
    kind: 'answer',
    answer: unique.filter((each) => each !== name),
    seen,
  });
  for (const change of ['update', 'replace'] as const) {
    const to = items.operation(resource, change);
    const body = changeOf(second, change, { [name]: value });
    const exchange = to && (await items.send(to, second, { body }));
    if (exchange === undefined) continue;
    if (exchange.isAccepted) return broken(`the ${change} of another item to the same /${name} was accepted`);
    if (!isRefused(exchange)) return unexpectedAnswer(`an ${change}`, exchange);
  }
  const remove = items.operation(resource, 'delete');
  const removed = remove && (await items.send(remove, first));
  if (removed === undefined) return { kind: 'answer', answer: unique };
  if (!removed.isAccepted) return plainRefused(removed);
  const { exchange } = await items.tryMake(resource, {
    below: first.collection,
    change: (body) => ({ ...body, [name]: value }),
  });
  return isRefused(exchange)
    ? broken(`/${name} of a deleted item was rejected with ${exchange.status} in a new one`)
    : { kind: 'answer', answer: unique };
}

const changeOf = ({ body }: ProbeItem, change: 'update' | 'replace', to: JsonObject): JsonObject =>
  change === 'update' ? to : { ...body, ...to };
