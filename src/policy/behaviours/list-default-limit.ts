import { listItems } from '../../contract/list-pages.ts';
import { keptRole } from '../../contract/resources.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { notAsked, plainRefused, unspecified, unsettled } from '../probing.ts';
import type { ProbeSession, Behaviour, Probed } from '../behaviour.ts';

/** The behaviour `list-default-limit`: the number of items in a list if the request has no limit. */
export const listDefaultLimit: Behaviour<'list-default-limit'> = {
  id: 'list-default-limit',
  question: 'How many items does a list show when the request gives no limit?',
  isOfResources: true,
  default: 'none',
  representatives: ['none', 20],
  schema: {
    oneOf: [
      { const: 'none', description: 'All of them.' },
      { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'So many of them.' },
    ],
  },
  describe: (answer) => (answer === 'none' ? 'all of them' : `${answer} of them`),
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const isList = keptRole(operation)?.kind === 'list';
    const limit = isList ? findListMember(operation, 'limit') : undefined;
    if (limit === undefined) {
      const further = findListMember(operation, 'offset') ?? findListMember(operation, 'page');
      return isList && further !== undefined ? unspecified : notAsked('the operation shows no list in parts');
    }
    const { name, parameter, schema } = limit;
    const { pointer, required } = parameter;
    if (required) return notAsked(`its parameter "${name}" is required`);
    const usual = isJsonObject(schema) ? schema['default'] : undefined;
    return typeof usual === 'number'
      ? { kind: 'answered', pointer, says: `Its parameter "${name}" has a default`, answer: usual }
      : { kind: 'open', settledBy: `The parameter "${name}" would have to have a default` };
  },
  probe: {
    mostRequests: 260,
    needsTaken: false,
    ask: (probeSession) => probeSession.once('default limit', () => search(probeSession)),
  },
};

/** The numbers of items to try, just above those that most services show. */
const steps = [6, 11, 21, 26, 51, 101];
/** The number of steps in a run, and if no operation deletes the items. It limits how many remain. */
const fewSteps = 2;

/** Creates more and more items, until a list without a limit does not show them all. */
async function search({ operation, items, expected }: ProbeSession): Probed<'list-default-limit'> {
  const role = keptRole(operation);
  if (role?.kind !== 'list') return notAsked('it lists nothing');
  const { resource } = role;
  const collection = await items.collection(resource);
  const place = { resource, collection };
  const canDelete = items.operation(resource, 'delete') !== undefined || resource.parent !== undefined;
  const made: JsonValue[] = [];
  let most = 0;
  for (const step of canDelete && expected === undefined ? steps : steps.slice(0, fewSteps)) {
    while (made.length < step) made.push((await items.make(resource, collection)).id);
    const exchange = await items.send(operation, place);
    if (!exchange.isAccepted) return plainRefused(exchange);
    const shown = listItems(operation, exchange.received).length;
    if (shown < made.length || (most === shown && shown > 0)) return { kind: 'answer', answer: shown };
    most = shown;
  }
  if (expected !== undefined) {
    const isHigher = typeof expected === 'number' && expected > most;
    return { kind: 'answer', answer: 'none', alike: isHigher ? [expected] : [] };
  }
  return canDelete
    ? { kind: 'answer', answer: 'none' }
    : unsettled(`all of ${most} are shown, and more that could not be deleted again were not made`);
}
