import { findReadable, findResponseMedia } from '../http/codecs/registry.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/walk.ts';
import type { DeclaredResponse, MediaTypeContract, Operation } from './contract.ts';
import { splitWords } from './resource-key.ts';
import { isSuccess } from './responses.ts';

/** An operation that has no role yet. */
export type BareOperation = Omit<Operation, 'kind' | 'items' | 'bodyItems'>;

/** Where a path leads: to a collection or a singleton, to an item of a collection, or to something done with one. */
type PathKind = 'plain' | 'item' | 'below';

type PathReading = Pick<Reading, 'group' | 'path' | 'pathKind' | 'parameter' | 'parameterSchema' | 'verb'>;

/** What is read of an operation before it is known what it does. */
export interface Reading {
  readonly operation: BareOperation;
  /** The path of the collection or the singleton that it is about, names of parameters left out. */
  readonly group: string;
  /** The same as the document writes it. */
  readonly path: string;
  readonly pathKind: PathKind;
  /** Of the item. */
  readonly parameter: string | undefined;
  readonly parameterSchema: JsonSchema | undefined;
  /** Where the path ends in a verb, `/jobs/{id}:run`, `/jobs:import`. */
  readonly verb: string | undefined;
  /** The schema of the body that is sent, of JSON if there is one, else of a form. */
  readonly request: JsonValue | undefined;
  readonly response: JsonValue | undefined;
  readonly success: DeclaredResponse | undefined;
  readonly declares201: boolean;
  /** What it is called by: the verb first, in lower case. */
  readonly words: readonly string[];
  readonly override: Override;
}

/** What `x-cloche-resource` says. */
interface Override {
  readonly name?: string;
  readonly role?: string;
  readonly key?: string;
}

/** How it is written says nothing of what it is: `/tasks.json`, `/tasks/{format}`. */
const extension = /\.(?:json|xml)$|[./]\{(?:output_?)?(?:format|extension)\}$/iu;

/** Cuts a path of a document into its collection and what comes after it. */
function cutPath(template: string): Omit<PathReading, 'group' | 'parameterSchema'> {
  const bare = template.replace(/\/$/u, '').replace(extension, '');
  const item =
    /^(.*)\/\{([^{}]+)\}$/u.exec(bare) ?? /^(.*?)\(['"]?(?:\w+=)?['"]?\{([^{}]+)\}['"]?\)$/u.exec(bare);
  if (item !== null) return { path: item[1] ?? '', pathKind: 'item', parameter: item[2], verb: undefined };
  const below = /^(.*)\/\{([^{}]+)\}:(\w+)$/u.exec(bare);
  if (below !== null) return { path: below[1] ?? '', pathKind: 'below', parameter: below[2], verb: below[3] };
  return { path: bare, pathKind: 'plain', parameter: undefined, verb: /\w:(\w+)$/u.exec(bare)?.[1] };
}

/** A path of a document, names of parameters left out. */
export const withoutNames = (template: string): string => template.replaceAll(/\{[^{}]*\}/gu, '{}');

/** Reads an operation: where its path leads, what it takes and answers with, and what it is called. */
export function readOperation(root: JsonObject, operation: BareOperation): Reading {
  const cut = cutPath(operation.path.template);
  const value = resolvePointer(root, operation.pointer);
  const said = isJsonObject(value) ? value : {};
  const success = findSuccess(operation);
  const schemaOf = (media: MediaTypeContract | undefined): JsonValue | undefined =>
    media && resolvePointer(root, appendPointer(media.pointer, 'schema'));
  return {
    operation,
    ...cut,
    group: withoutNames(cut.path),
    parameterSchema: operation.parameters.find(
      ({ name, in: place }) => place === 'path' && name === cut.parameter,
    )?.schema?.schema,
    request: schemaOf(findReadable(operation.requestBody?.media)),
    response: schemaOf(findResponseMedia(success?.media)),
    success,
    declares201: operation.responses.some(({ status }) => status.kind === 'exact' && status.status === 201),
    words: wordsOf(said, operation.method.toLowerCase()),
    override: readOverride(said['x-cloche-resource']),
  };
}

/** Verbs wherever they stand in a name. */
const plainVerbs = new Set(
  'create add insert update edit modify replace upsert delete remove list get fetch'.split(' '),
);

/** The words of an operationId, `Pets_Create` and `petstore.pets.create` from their last part on, else of the summary. */
function wordsOf({ operationId, summary }: JsonObject, method: string): readonly string[] {
  const id = typeof operationId === 'string' ? operationId : undefined;
  const last = id && (/(?:\.|^[A-Z]\w*_(?=[A-Z]))(\w+)$/u.exec(id)?.[1] ?? id);
  const words = splitWords(last ?? (typeof summary === 'string' ? summary : ''));
  // `post-users`, `postApiUsers`: the method is no word about the operation.
  const own = words[0] === method && words.length > 1 && method !== 'delete' ? words.slice(1) : words;
  // `repoCreateFile`, `customersAdd`
  const index = plainVerbs.has(own[0] ?? '') ? 0 : own.findIndex((word) => plainVerbs.has(word));
  return index > 0 ? own.slice(index, index + 1).concat(own.slice(0, index), own.slice(index + 1)) : own;
}

function readOverride(said: JsonValue | undefined): Override {
  if (!isJsonObject(said)) return {};
  return Object.fromEntries(
    ['name', 'role', 'key'].flatMap((name) => (typeof said[name] === 'string' ? [[name, said[name]]] : [])),
  );
}

/**
 * The response that shows what an operation made or has: of a 201 and a 200 the one with content; `default` where no success is
 * declared and nothing says that it speaks of errors.
 */
function findSuccess({ responses }: BareOperation): DeclaredResponse | undefined {
  const preferred = [201, 200, 202, 204];
  const rank = ({ status, media }: DeclaredResponse): number => {
    const index = status.kind === 'exact' ? preferred.indexOf(status.status) : -1;
    return (index === -1 ? preferred.length : index) + (index === 0 && media.length === 0 ? 1.5 : 0);
  };
  const saysError = /\b(?:error|fail|invalid|problem|unexpected)/iu;
  return (
    responses.filter(isSuccess).toSorted((left, right) => rank(left) - rank(right))[0] ??
    responses.find(({ status, description }) => status.kind === 'default' && !saysError.test(description))
  );
}
