/**
 * The keywords that the compiler's own would misread on an exact number, each with the name of ours that
 * stands for it in a prepared schema.
 */
export const exactKeywordNames = {
  const: 'exactConst',
  enum: 'exactEnum',
  exclusiveMaximum: 'exactExclusiveMaximum',
  exclusiveMinimum: 'exactExclusiveMinimum',
  maximum: 'exactMaximum',
  minimum: 'exactMinimum',
  minProperties: 'exactMinProperties',
  multipleOf: 'exactMultipleOf',
  required: 'exactRequired',
  type: 'exactType',
  uniqueItems: 'exactUniqueItems',
} as const;
