import type { JsonObject } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { createProjection } from '../bodies/create-projection.ts';
import { declaredNames } from '../bodies/declared-names.ts';
import { hideProperties } from '../bodies/hide-properties.ts';
import type { KeptBody } from './kept-body.ts';

/** Tells in a body what the document declares from what it does not. */
export type SplitBody = (body: JsonObject) => Pick<KeptBody, 'resource' | 'undeclared'>;

function hasOnly(value: JsonObject, names: ReadonlySet<string> | undefined): boolean {
  if (names !== undefined) {
    for (const name of Object.keys(value)) {
      if (!names.has(name)) {
        return false;
      }
    }
  }
  return true;
}

/**
 * Prepares the splitting of bodies. Properties that are read-only are in neither part: a client has no say
 * in them (OpenAPI 3.1 §4.8.24.3).
 *
 * @param schema - of the request
 * @param keepsUndeclared - whether what is not declared is wanted at all
 */
export function createBodySplitter(schema: JsonSchema, keepsUndeclared: boolean): SplitBody {
  const project = createProjection(schema, 'readOnly');
  const names = declaredNames(schema);
  const hidesNothing = hideProperties(schema, 'readOnly') === undefined;

  function pickUndeclared(body: JsonObject): JsonObject | undefined {
    if (names === undefined || !keepsUndeclared) {
      return undefined;
    }
    const entries = Object.entries(body).filter(([name]) => !names.has(name));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  return (body) => {
    // A body is new and nobody else's, so that it need not be copied where all of it is kept.
    if (hidesNothing && hasOnly(body, names)) {
      return { resource: body, undeclared: undefined };
    }
    return { resource: project(body), undeclared: pickUndeclared(body) };
  };
}
