import type { VNode } from 'preact';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { StateResource } from '../../../mock/state/mock-state.ts';
import { Shown } from '../parts/shown.tsx';
import { cellText } from './cell-text.ts';
import { listColumns } from './list-columns.ts';

/** Whether the key of a resource is what this property holds. */
function isKey({ key, value }: StateResource, name: string): boolean {
  const held = Object.hasOwn(value, name) ? value[name] : undefined;
  return held !== undefined && stringifyJson(held) === key;
}

/** Resources of one collection, a column for each of their properties. */
export function ResourceTable({
  collection,
  resources,
  onOpen,
  onDelete,
}: {
  readonly collection: string;
  readonly resources: readonly StateResource[];
  readonly onOpen: (resource: StateResource) => void;
  readonly onDelete: (resource: StateResource) => void;
}): VNode {
  const names = listColumns(resources);
  const ofKey = names.find((name) => resources.every((each) => isKey(each, name)));
  const columns = names.filter((name) => name !== ofKey);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Table of ${collection}`}>
      <table class="resources">
        <caption class="unseen">
          Resources of <Shown text={collection} />
        </caption>
        <thead>
          <tr>
            <th scope="col">{ofKey === undefined ? 'Key' : <Shown text={ofKey} most={40} />}</th>
            {columns.map((name) => (
              <th scope="col">
                <Shown text={name} most={40} />
              </th>
            ))}
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr key={resource.key}>
              <th scope="row" class="mono">
                <button type="button" class="plain" onClick={() => onOpen(resource)}>
                  <span class="unseen">Edit </span>
                  <Shown text={resource.key} most={32} />
                </button>
              </th>
              {columns.map((name) => (
                <td>
                  <Shown
                    text={cellText(Object.hasOwn(resource.value, name) ? resource.value[name] : undefined)}
                    most={60}
                  />
                </td>
              ))}
              <td class="end">
                <button type="button" class="small quiet" onClick={() => onDelete(resource)}>
                  Delete
                  <span class="unseen">
                    {' '}
                    <Shown text={resource.key} most={60} />
                  </span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
