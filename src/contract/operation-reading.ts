import { findReadable, findResponseMedia } from '../http/codecs/registry.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/walk.ts';
import type { DeclaredResponse, MediaTypeContract, Operation } from './contract.ts';
import { splitWords } from './resource-key.ts';
import { isSuccess } from './responses.ts';

/** An operation without a role. */
export type BareOperation = Omit<Operation, 'kind' | 'items' | 'bodyItems'>;

/** The target of a path: a collection or a singleton, an item of a collection, or an action on an item. */
type PathKind = 'plain' | 'item' | 'below';

type PathReading = Pick<Reading, 'group' | 'path' | 'pathKind' | 'parameter' | 'parameterSchema' | 'verb'>;

/** Facts about an operation from which its role is inferred. */
export interface Reading {
  readonly operation: BareOperation;
  /** The path of its collection or singleton, without parameter names. */
  readonly group: string;
  /** The same path as written in the document. */
  readonly path: string;
  readonly pathKind: PathKind;
  /** The path parameter of the item. */
  readonly parameter: string | undefined;
  readonly parameterSchema: JsonSchema | undefined;
  /** The verb at the end of the path: `/jobs/{id}:run`, `/jobs:import`. */
  readonly verb: string | undefined;
  /** The schema of the request body: JSON if declared, or else a form. */
  readonly request: JsonValue | undefined;
  readonly response: JsonValue | undefined;
  readonly success: DeclaredResponse | undefined;
  readonly declares201: boolean;
  /** The words of its name: the verb first, in lower case. */
  readonly words: readonly string[];
  readonly override: Override;
}

/** The content of `x-cloche-resource`. */
interface Override {
  readonly name?: string;
  readonly role?: string;
  readonly key?: string;
}

/** Endings that select the format, not the resource: `/tasks.json`, `/tasks/{format}`. */
const extension = /\.(?:json|xml)$|[./]\{(?:output_?)?(?:format|extension)\}$/iu;

/** Splits a path of a document into its collection and the rest. */
function cutPath(template: string): Omit<PathReading, 'group' | 'parameterSchema'> {
  const bare = template.replace(/\/$/u, '').replace(extension, '');
  const item =
    /^(.*)\/\{([^{}]+)\}$/u.exec(bare) ?? /^(.*?)\(['"]?(?:\w+=)?['"]?\{([^{}]+)\}['"]?\)$/u.exec(bare);
  if (item !== null) return { path: item[1] ?? '', pathKind: 'item', parameter: item[2], verb: undefined };
  const below = /^(.*)\/\{([^{}]+)\}:(\w+)$/u.exec(bare);
  if (below !== null) return { path: below[1] ?? '', pathKind: 'below', parameter: below[2], verb: below[3] };
  return { path: bare, pathKind: 'plain', parameter: undefined, verb: /\w:(\w+)$/u.exec(bare)?.[1] };
}

/** Returns a path of a document without parameter names. */
export const withoutNames = (template: string): string => template.replaceAll(/\{[^{}]*\}/gu, '{}');

/** Reads the facts about an operation: its path, its request and response, and its name. */
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

/** Verbs at any position in a name. */
const plainVerbs = new Set(
  'create add insert update edit modify replace upsert delete remove list get fetch'.split(' '),
);

/** Returns the words of the last part of an operationId (`Pets_Create`, `petstore.pets.create`), or of the summary. */
function wordsOf({ operationId, summary }: JsonObject, method: string): readonly string[] {
  const id = typeof operationId === 'string' ? operationId : undefined;
  const last = id && (/(?:\.|^[A-Z]\w*_(?=[A-Z]))(\w+)$/u.exec(id)?.[1] ?? id);
  const words = splitWords(last ?? (typeof summary === 'string' ? summary : ''));
  // `post-users`, `postApiUsers`: the method does not describe the operation.
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
 * Finds the success response that shows the resource. If 201 and 200 are declared, it is the one with content.
 * `default` counts if no success is declared and its description does not mention errors.
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
