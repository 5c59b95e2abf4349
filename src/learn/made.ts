import { readJson } from '../check/probe-exchange.ts';
import type { Contract } from '../contract/contract.ts';
import { readCreatedId } from '../contract/created-key.ts';
import { idText } from '../contract/list-pages.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import { keptRole } from '../contract/resources.ts';
import { createRouter } from '../contract/router.ts';
import type { Exchange } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isSuccessStatus } from '../http/status.ts';
import type { ProbeItem } from '../policy/behaviour.ts';

/** Creates a record of items that were created and not deleted since, for any purpose. */
export function createMadeItems(contract: Contract): {
  readonly read: (exchange: Exchange) => void;
  /** Returns them in the order of their creation. */
  readonly list: () => readonly ProbeItem[];
} {
  const route = createRouter(contract);
  const made = new Map<string, ProbeItem>();
  return {
    list: () => [...made.values()],
    read({ request, answer }) {
      if (answer.kind !== 'response') return;
      const { status, headers, body } = answer.response;
      if (!isSuccessStatus(status)) return;
      const path = pathOf(request.target);
      if (request.method === 'DELETE') made.delete(path);
      const operation = route(path)?.operations.get(request.method);
      const role = operation && keptRole(operation);
      if (operation === undefined || role?.kind !== 'create') return;
      const { resource } = role;
      if (withoutNames(operation.path.template) !== withoutNames(resource.collection)) return;
      const id = readCreatedId(role, {
        sent: readJson(request.body),
        received: readJson(body),
        headers,
      });
      if (id === undefined) return;
      const name = `${path}/${encodeURIComponent(idText(id))}`;
      made.set(name, { resource, collection: path, id, body: {} });
    },
  };
}
