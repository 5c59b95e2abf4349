import type { Operation } from '../contract/contract.ts';
import { jsonSchemaOf } from '../contract/request-facts.ts';
import { findDeclaredResponse, listErrorResponses } from '../contract/responses.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemaTypes } from '../schema/walk.ts';

/** Names of properties that contain the number of an error. */
export const codeName: RegExp = /^(?:error|error_?code|code|number|errno|error_?number)$/iu;

/** Names of properties that repeat the HTTP status. */
export const statusName: RegExp = /^(?:http_?)?status(?:_?code)?$/iu;

/**
 * Finds the number by which an error body names its error: that of a property with a matching name, else the only
 * integer apart from a repeated HTTP status. If the error schema of the document names properties, it must declare the
 * number.
 *
 * @param operation - the operation that answered; undefined if none did, or to use only the body
 * @returns undefined if the body contains no number, or several that match
 */
export function findErrorCode(
  body: JsonValue | undefined,
  status: number,
  operation?: Operation,
): number | undefined {
  const integers = integersOf(body, status, operation);
  const [only, second] = integers;
  const named = integers.find(({ name }) => codeName.test(name));
  return (named ?? (second === undefined ? only : undefined))?.value;
}

/** Returns the error number in a property with a matching name. A number with another name may mean something else. */
export function findNamedCode(
  body: JsonValue | undefined,
  status: number,
  operation?: Operation,
): { readonly name: string; readonly value: number } | undefined {
  return integersOf(body, status, operation).find(({ name }) => codeName.test(name));
}

function integersOf(
  body: JsonValue | undefined,
  status: number,
  operation: Operation | undefined,
): readonly NonNullable<ReturnType<typeof findNamedCode>>[] {
  if (!isJsonObject(body)) return [];
  const mayHoldNumber = numbersOf(errorSchema(status, operation));
  return Object.entries(body).flatMap(([name, member]) => {
    const value = member instanceof ExactNumber ? Number(member.text) : member;
    const isInteger = typeof value === 'number' && Number.isSafeInteger(value);
    return isInteger && !statusName.test(name) && mayHoldNumber(name) ? [{ name, value }] : [];
  });
}

/** Returns whether an error body repeats its HTTP status in a property with a matching name. That is no error code. */
export function repeatsStatus(body: JsonValue | undefined, status: number): boolean {
  return (
    isJsonObject(body) &&
    Object.entries(body).some(([name, value]) => statusName.test(name) && value === status)
  );
}

/** Returns the schema of an error with this status. If none is declared, returns that of the operation's main error. */
function errorSchema(status: number, operation: Operation | undefined): JsonSchema | undefined {
  if (operation === undefined) return undefined;
  const response = findDeclaredResponse(operation.responses, status) ?? listErrorResponses(operation)[0];
  return jsonSchemaOf(response?.media);
}

/** Returns a predicate for the properties that may be numbers by the schema: all, if it names no properties. */
function numbersOf(schema: JsonSchema | undefined): (name: string) => boolean {
  const declared = schemaProperties(schema);
  return (name) => {
    const property = declared.get(name);
    if (schema === undefined || property === undefined) return declared.size === 0;
    const types = schemaTypes(property.schema, schema);
    return types.size === 0 || types.has('integer') || types.has('number');
  };
}
