import type { Operation } from '../contract/contract.ts';
import { jsonSchemaOf } from '../contract/request-facts.ts';
import { findDeclaredResponse, listErrorResponses } from '../contract/responses.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemaTypes } from '../schema/walk.ts';

/** How the property is called that holds the number of an error. */
export const codeName: RegExp = /^(?:error|error_?code|code|number|errno|error_?number)$/iu;

/** How the property is called that repeats the HTTP status. */
export const statusName: RegExp = /^(?:http_?)?status(?:_?code)?$/iu;

/**
 * Finds the number by which an error body names its error: that of the property that is called so, else the only
 * integer there is, a repeated HTTP status aside. What the error schema of the document does not declare as a number is
 * none, wherever that schema names properties.
 *
 * @param operation - the one that answered; undefined where none did, or where only the body is to be looked at
 * @returns undefined where the body holds no such number, or several that might be it
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

/** The number of an error that is called so: another one, though it be the only one, may mean something else. */
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

/** Whether an error body repeats its HTTP status, in a property that is called so: that is no code of its own. */
export function repeatsStatus(body: JsonValue | undefined, status: number): boolean {
  return (
    isJsonObject(body) &&
    Object.entries(body).some(([name, value]) => statusName.test(name) && value === status)
  );
}

/** The schema of an error of that status; where the document declares none, that of the error that speaks for others. */
function errorSchema(status: number, operation: Operation | undefined): JsonSchema | undefined {
  if (operation === undefined) return undefined;
  const response = findDeclaredResponse(operation.responses, status) ?? listErrorResponses(operation)[0];
  return jsonSchemaOf(response?.media);
}

/** Which properties of an object may be numbers by its schema: any, where that names none. */
function numbersOf(schema: JsonSchema | undefined): (name: string) => boolean {
  const declared = schemaProperties(schema);
  return (name) => {
    const property = declared.get(name);
    if (schema === undefined || property === undefined) return declared.size === 0;
    const types = schemaTypes(property.schema, schema);
    return types.size === 0 || types.has('integer') || types.has('number');
  };
}
