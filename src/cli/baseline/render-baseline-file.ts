import { editYamlList } from '../../document/edit-yaml-list.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { BaselineFile } from './baseline-file.ts';
import type { UpdatedEntries } from './update-entries.ts';

const schema = './node_modules/cloche/schema/baseline.schema.json';
const emptyYaml = `# Findings that are known and may pass. "reason" says why, "expires" until when.
# yaml-language-server: $schema=${schema}
findings: []
`;

function renderJson(file: BaselineFile, { removed, added }: UpdatedEntries): string {
  // `as`: the text was read as a baseline before.
  const old =
    file.text === undefined
      ? { $schema: schema }
      : (JSON.parse(file.text) as Readonly<Record<string, unknown>>);
  const kept = file.entries.filter(({ id }) => !removed.has(id));
  return `${JSON.stringify({ ...old, findings: [...kept, ...added] }, undefined, 2)}\n`;
}

/** The text of a baseline with its entries updated; what else stands in it is kept, comments in YAML too. */
export function renderBaselineFile(file: BaselineFile, updated: UpdatedEntries): string {
  if (file.file.endsWith('.json') || /^\s*\{/u.test(file.text ?? '')) {
    return renderJson(file, updated);
  }
  return editYamlList({
    text: file.text ?? emptyYaml,
    key: 'findings',
    isRemoved: ({ id }) => typeof id === 'string' && updated.removed.has(id),
    added: updated.added.map((entry): JsonObject => ({ ...entry })),
  });
}
