import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DocumentError } from './document-error.ts';
import { readDocument } from './read-document.ts';

const folder = fileURLToPath(new URL('../../fixtures/documents/broken', import.meta.url));

/** Each file, the code that it is refused with, and all that is said of it. */
const broken: readonly (readonly [file: string, code: string, problems: readonly string[]])[] = [
  [
    'alias-bomb.yaml',
    'DOCUMENT_SYNTAX',
    ['4:19 its aliases stand for more than 200000 values. Use $ref in place of aliases.'],
  ],
  [
    'alias-in-itself.yaml',
    'DOCUMENT_SYNTAX',
    ['6:5 the alias stands in the very value that it stands for. Use a $ref for what refers to itself.'],
  ],
  [
    'asyncapi.yaml',
    'DOCUMENT_VERSION',
    [
      '1:1 asyncapi: this is an AsyncAPI document. Name an OpenAPI document, which describes an HTTP interface.',
    ],
  ],
  [
    'bad-indentation.yaml',
    'DOCUMENT_SYNTAX',
    ['5:10 all mapping items must start at the same column. Correct the YAML.'],
  ],
  [
    'bad-status.yaml',
    'DOCUMENT_INVALID',
    [
      '7:9 paths./orders.post.responses.OK: is not a property that may stand here. Write a status code such as 200, a range such as 4XX, or default.',
    ],
  ],
  [
    'circular-reference.yaml',
    'DOCUMENT_INVALID',
    [
      '5:10 components.schemas.A.$ref: the reference "#/components/schemas/B" only leads back to itself. Let one of the references in the circle lead to an object.',
    ],
  ],
  [
    'dangling-reference.yaml',
    'DOCUMENT_INVALID',
    [
      '10:15 paths./orders.post.requestBody.content.application/json.schema.$ref: the reference "#/components/schemas/Ordr" leads to nothing. Correct it, or add what it names.',
    ],
  ],
  [
    'duplicate-key.json',
    'DOCUMENT_SYNTAX',
    ['3:48 the key "title" stands twice in one object. Remove one of them.'],
  ],
  [
    'duplicate-key.yaml',
    'DOCUMENT_SYNTAX',
    ['4:1 the key "info" stands twice in one object. Remove one of them.'],
  ],
  [
    'duplicate-operation-ids.yaml',
    'DOCUMENT_INVALID',
    [
      '11:7 paths./bills.post.operationId: "createOrder" is already the operationId of paths./orders.post. Give each operation its own.',
    ],
  ],
  [
    'dynamic-reference.yaml',
    'DOCUMENT_INVALID',
    ['5:14 components.schemas.Order.$dynamicRef: is not supported. Use $ref.'],
  ],
  [
    'empty.yaml',
    'DOCUMENT_VERSION',
    ['1:1 this is no OpenAPI document. Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4".'],
  ],
  [
    'equal-paths.yaml',
    'DOCUMENT_INVALID',
    [
      '10:3 paths./orders/{order}: equals /orders/{id} but for the names of its parameters. Make one path of the two, or tell them apart by a fixed segment.',
    ],
  ],
  ['infinite-number.yaml', 'DOCUMENT_SYNTAX', ['4:10 .inf is no number in JSON. Write a finite number.']],
  [
    'license-with-both.yaml',
    'DOCUMENT_INVALID',
    ['5:42 info.license.url: may not stand beside the other members. Remove it.'],
  ],
  [
    'misspelt-property.yaml',
    'DOCUMENT_INVALID',
    [
      '6:7 paths./orders.post.respones: is not a property that may stand here. Write "responses" if that was meant.',
    ],
  ],
  [
    'no-description.yaml',
    'DOCUMENT_INVALID',
    ['7:9 paths./orders.post.responses.200: must have "description". Add it.'],
  ],
  ['no-info.yaml', 'DOCUMENT_INVALID', ['1:1 must have "info". Add it.']],
  ['no-responses-3.0.yaml', 'DOCUMENT_INVALID', ['5:5 paths./orders.post: must have "responses". Add it.']],
  [
    'not-a-document.yaml',
    'DOCUMENT_VERSION',
    ['1:1 this is no OpenAPI document. Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4".'],
  ],
  [
    'parameter-in-body-3.0.yaml',
    'DOCUMENT_INVALID',
    [
      '7:26 paths./orders.post.parameters[0].in: must be "path", "query", "header" or "cookie", but is "body". Correct it.',
    ],
  ],
  [
    'parameter-in-body.yaml',
    'DOCUMENT_INVALID',
    [
      '7:26 paths./orders.post.parameters[0].in: must be "query", "header", "path" or "cookie", but is "body". Correct it.',
    ],
  ],
  [
    'parameter-without-schema-3.0.yaml',
    'DOCUMENT_INVALID',
    ['7:11 paths./orders.post.parameters[0]: must have "schema" or "content". Add one of them.'],
  ],
  [
    'parameter-without-schema.yaml',
    'DOCUMENT_INVALID',
    ['7:11 paths./orders.post.parameters[0]: must have "schema" or "content". Add one of them.'],
  ],
  [
    'path-parameter-optional-3.0.yaml',
    'DOCUMENT_INVALID',
    ['7:11 paths./orders/{id}.get.parameters[0]: must have "required". Add "required: true".'],
  ],
  [
    'path-parameter-optional.yaml',
    'DOCUMENT_INVALID',
    ['7:11 paths./orders/{id}.get.parameters[0]: must have "required". Add "required: true".'],
  ],
  [
    'path-without-slash.yaml',
    'DOCUMENT_INVALID',
    ['4:3 paths.orders: is not a property that may stand here. Begin it with "/".'],
  ],
  [
    'reference-out-of-folder.yaml',
    'REFERENCE_REFUSED',
    [
      '6:7 the reference "../shared/order.yaml#/Order" leads out of the folder of the document. Move what it names into the document or its folder, or allow it with --allow-references.',
    ],
  ],
  [
    'reference-over-network.yaml',
    'REFERENCE_REFUSED',
    [
      '6:7 the reference "https://example.com/order.yaml#/Order" leads over the network. Move what it names into the document or its folder, or allow it with --allow-references.',
    ],
  ],
  [
    'reference-to-no-file.yaml',
    'DOCUMENT_INVALID',
    [
      '6:7 the reference "parts/nowhere.yaml#/Order" cannot be followed: there is no such file. Correct it, or put the file where it leads.',
    ],
  ],
  [
    'reference-to-other-kind.yaml',
    'DOCUMENT_INVALID',
    [
      '7:11 paths./orders.post.parameters[0].$ref: the reference "#/components/schemas/Limit" leads to something that is no parameter. Let it lead to a parameter.',
    ],
  ],
  [
    'schema-exclusive-boolean.yaml',
    'DOCUMENT_INVALID',
    ['5:41 components.schemas.Order.exclusiveMinimum: must be a number, but is true. Correct it.'],
  ],
  [
    'schema-nested.yaml',
    'DOCUMENT_INVALID',
    [
      '12:19 paths./orders.post.requestBody.content.application/json.schema.anyOf[0].required: must be a list, but is "id". Correct it.',
    ],
  ],
  [
    'schema-pattern.yaml',
    'DOCUMENT_INVALID',
    ['5:28 components.schemas.Order.pattern: must be a regular expression. Correct it.'],
  ],
  [
    'schema-type-3.0.yaml',
    'DOCUMENT_INVALID',
    [
      '9:15 components.schemas.Order.properties.id.type: must be "array", "boolean", "integer", "number", "object" or "string", but is "strin". Write "string" if that was meant.',
    ],
  ],
  [
    'schema-type-list-3.0.yaml',
    'DOCUMENT_INVALID',
    ['6:14 components.schemas.Order.type: must be a string, but is a list. Correct it.'],
  ],
  [
    'schema-type.yaml',
    'DOCUMENT_INVALID',
    [
      '8:15 components.schemas.Order.properties.id.type: must be "array", "boolean", "integer", "null", "number", "object" or "string", but is "strin". Write "string" if that was meant.',
    ],
  ],
  [
    'security-scheme-incomplete.yaml',
    'DOCUMENT_INVALID',
    ['6:5 components.securitySchemes.key: must have "name". Add it.'],
  ],
  [
    'security-scheme-type.yaml',
    'DOCUMENT_INVALID',
    [
      '6:15 components.securitySchemes.bearer.type: must be "apiKey", "http", "oauth2" or "openIdConnect", but is "htpp". Write "http" if that was meant.',
    ],
  ],
  [
    'several-mistakes.yaml',
    'DOCUMENT_INVALID',
    [
      '7:11 paths./orders.post.parameters[0]: must have "schema" or "content". Add one of them.',
      '12:23 paths./orders.post.requestBody.content.application/json.schema.$ref: the reference "#/components/schemas/Nothing" leads to nothing. Correct it, or add what it names.',
      '13:7 paths./orders.post.respones: is not a property that may stand here. Write "responses" if that was meant.',
      '16:14 components.schemas.Order.type: must be "array", "boolean", "integer", "null", "number", "object" or "string", but is "strin". Write "string" if that was meant.',
    ],
  ],
  [
    'stray-path-parameter.yaml',
    'DOCUMENT_INVALID',
    [
      '7:11 paths./orders.get.parameters[0]: declares the path parameter "id", which /orders does not have. Put {id} into the path, or remove the parameter.',
    ],
  ],
  [
    'swagger-2.yaml',
    'DOCUMENT_VERSION',
    [
      '1:1 swagger: this is OpenAPI 2.0. Convert it to 3.0 with: npx swagger2openapi --outfile openapi.json FILE.',
    ],
  ],
  ['trailing-comma.json', 'DOCUMENT_SYNTAX', ['5:1 "}" stands where none may. Correct the JSON.']],
  ['two-documents.yaml', 'DOCUMENT_SYNTAX', ['4:1 a second document begins. Keep one of them in the file.']],
  [
    'two-syntax-errors.yaml',
    'DOCUMENT_SYNTAX',
    [
      '2:35 unexpected scalar at node end. Correct the YAML.',
      '4:1 tabs are not allowed as indentation. Correct the YAML.',
    ],
  ],
  [
    'undeclared-path-parameter.yaml',
    'DOCUMENT_INVALID',
    [
      '4:3 paths./orders/{id}: does not declare the parameter {id} of the path. Add a parameter with name: id, in: path and required: true.',
    ],
  ],
  [
    'undeclared-security-scheme.yaml',
    'DOCUMENT_INVALID',
    [
      '5:5 security[0].bearer: is a security scheme that is not declared. Declare it in components.securitySchemes, or correct the name.',
    ],
  ],
  [
    'unpaired-brace.yaml',
    'DOCUMENT_INVALID',
    [
      '4:3 paths./orders/{id: has a brace that is not one of a pair around a name. Write parameters as {name}.',
    ],
  ],
  [
    'version-3.2.yaml',
    'DOCUMENT_VERSION',
    [
      '1:1 openapi: this is OpenAPI 3.2, and Cloche reads 3.0 and 3.1. Write "openapi: 3.1.2" and take out what 3.2 added: $self, query and additionalOperations, querystring parameters, itemSchema, device authorization.',
    ],
  ],
  [
    'version-missing.yaml',
    'DOCUMENT_VERSION',
    ['1:1 there is no "openapi" field. Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4".'],
  ],
  [
    'version-number.yaml',
    'DOCUMENT_VERSION',
    ['2:1 openapi: the version 3.1 is a number. Write it as a string of three numbers: "3.1.0".'],
  ],
  [
    'version-short.yaml',
    'DOCUMENT_VERSION',
    ['1:1 openapi: the version "3.1" is none that Cloche reads. Write "3.1.0" or "3.0.4", three numbers.'],
  ],
];

async function refusal(file: string): Promise<unknown> {
  return readDocument(file).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('each broken document is in the table', () => {
  expect(broken.map(([file]) => file).toSorted()).toEqual(readdirSync(folder).toSorted());
});

test.each(broken)('refuses %s and says where and what to do', async (file, code, problems) => {
  const error = await refusal(`${folder}/${file}`);
  if (!(error instanceof DocumentError)) {
    throw new Error(`${file} was not refused`, { cause: error });
  }
  expect(error.code).toBe(code);
  expect(
    error.problems.map(({ line, column, reason, remedy }) => `${line}:${column} ${reason}. ${remedy}.`),
  ).toEqual(problems);
});

test('says one problem in one sentence, and lists several', async () => {
  const one = await refusal(`${folder}/no-info.yaml`);
  const several = await refusal(`${folder}/two-syntax-errors.yaml`);
  expect(String(one)).toBe(
    `ClocheError: Failed to read "${folder}/no-info.yaml": ${folder}/no-info.yaml:1:1: must have "info". Add it.`,
  );
  expect(String(several)).toBe(
    [
      `ClocheError: Failed to read "${folder}/two-syntax-errors.yaml": it has 2 problems. Mend each of them.`,
      `  ${folder}/two-syntax-errors.yaml:2:35: unexpected scalar at node end. Correct the YAML.`,
      `  ${folder}/two-syntax-errors.yaml:4:1: tabs are not allowed as indentation. Correct the YAML.`,
    ].join('\n'),
  );
});
