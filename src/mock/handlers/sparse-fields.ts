import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { memberAt, nestMember } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { namedProperties, schemaProperties } from '../../schema/properties.ts';
import { chooseSentMedia, memberSchema } from '../answer/representation.ts';
import { elementSchema } from '../answer/shown-item.ts';
import { whenThere } from '../message.ts';
import type { HandlerStep } from './handler-step.ts';
import { sourceOf } from './stored-form.ts';

/** Returns the names that a `fields` parameter lists, as an array or separated by commas: `id,owner.name` has `owner`. */
function listNames(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((text) => {
      const [name = ''] = text.trim().split(/[./(]/u);
      return name;
    });
}

/**
 * Makes a read or a list that declares a query parameter `fields` return only the properties that it names, the id, and
 * the properties that the response requires. A response stays whole if no name is declared, or if its schema rejects
 * the selection. Returns undefined for any other operation.
 */
export function selectFields(operation: Operation, reading: ValidationMode): HandlerStep | undefined {
  const { kind } = operation;
  const parameter = operation.parameters.find(
    ({ in: place, name }) => place === 'query' && name.toLowerCase() === 'fields',
  );
  if (parameter === undefined || (kind.kind !== 'read' && kind.kind !== 'list')) return undefined;
  const compiled = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
  const path = kind.kind === 'list' ? kind.list.path : kind.response;
  // Maps, and elements that only contain the resource, stay whole.
  if (
    compiled === undefined ||
    path === undefined ||
    (kind.kind === 'list' && (kind.list.kind !== 'array' || kind.list.element.length > 0))
  )
    return undefined;
  const shown = memberSchema(compiled.schema, path);
  const item = kind.kind === 'list' ? elementSchema(shown, kind.list.kind) : shown;
  const declared = namedProperties(item);
  const { key } = kind.resource;
  const kept = [...schemaProperties(item)].flatMap(([name, { required }]) => (required ? [name] : []));
  const always = key.kind === 'none' ? kept : [...kept, key.property];

  return (request, next) =>
    whenThere(next(request), (answer) => {
      if (answer.status !== 200 || typeof answer.body !== 'string') return answer;
      const names = listNames(parameter.read(sourceOf(request))[0]);
      if (!names.some((name) => declared.has(name))) return answer;
      const selected = new Set([...always, ...names]);
      const select = (value: JsonValue): JsonValue =>
        isJsonObject(value)
          ? Object.fromEntries(Object.entries(value).filter(([name]) => selected.has(name)))
          : value;
      const whole = parseJsonValue(answer.body);
      const value = memberAt(whole, path);
      if (whole === undefined || value === undefined) return answer;
      const part = Array.isArray(value) ? value.map(select) : select(value);
      const body = nestMember(whole, path, part);
      return compiled.validator(reading).accepts(body, holdsExactNumber(body))
        ? { ...answer, body: stringifyJson(body) }
        : answer;
    });
}
