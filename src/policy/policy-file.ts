import type { Contract, Operation } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Policy } from './policy.ts';
import type { BehaviourValues } from './behaviour.ts';
import { behaviours } from './behaviours/index.ts';
import { checkAnswers, meantOr, placeBelow } from './validate.ts';

/** The content of a policy file, as `spec/policy.schema.json` describes it. */
export interface PolicyFile {
  readonly $schema?: string;
  /** The document of the policy: a path relative to the file, or a URL. */
  readonly contract?: string;
  /** An omitted behaviour is not enforced. */
  readonly answers: Partial<BehaviourValues>;
  /** By the ids of operations. */
  readonly operations?: Readonly<Record<string, Partial<BehaviourValues>>>;
  /** The origin of the values, for readers of the file. */
  readonly evidence?: JsonObject;
}

/** Reads a policy file with exact numbers, and returns its problems. A file with a problem must not be used. */
export function parsePolicy(value: JsonValue): {
  readonly file: PolicyFile;
  readonly problems: readonly DocumentProblem[];
} {
  if (!isJsonObject(value)) {
    const remedy = 'Begin with {"answers": {}}, or have it written by cloche learn';
    return { file: { answers: {} }, problems: [{ pointer: '', reason: 'must be an object', remedy }] };
  }
  const { $schema, contract, answers, operations, evidence } = value;
  const texts = Object.entries({ $schema, contract })
    .filter(([, text]) => text !== undefined && (typeof text !== 'string' || text === ''))
    .map(([key]) => ({
      pointer: appendPointer('', key),
      reason: 'must be a text',
      remedy: `Name a file or a URL, or leave "${key}" out`,
    }));
  const missing = {
    pointer: '',
    reason: 'must have "answers"',
    remedy: 'Write questions with their answers, as in {"answers": {"duplicate-key": "conflict"}}',
  };
  const isEvidence = evidence === undefined || isJsonObject(evidence);
  const problems = [
    ...checkKeys(value),
    ...texts,
    ...(answers === undefined ? [missing] : placeBelow('/answers', checkAnswers(answers, 'service'))),
    ...checkOperations(operations),
    ...(isEvidence
      ? []
      : [
          { pointer: '/evidence', reason: 'must be an object', remedy: 'Leave it out, or as learn wrote it' },
        ]),
  ];
  // `as`: without a problem it has exactly this shape, and with one it is not used.
  return { file: (problems.length === 0 ? value : { answers: {} }) as unknown as PolicyFile, problems };
}

const keysOfFile = ['$schema', 'contract', 'answers', 'operations', 'evidence'];

function checkKeys(value: JsonObject): readonly DocumentProblem[] {
  return Object.keys(value)
    .filter((key) => !keysOfFile.includes(key))
    .map((key) => {
      const isQuestion = Object.hasOwn(behaviours, key);
      return {
        pointer: appendPointer('', key),
        reason: isQuestion ? `"${key}" stands outside "answers"` : `there is no "${key}"`,
        remedy: isQuestion
          ? 'Move it into "answers"'
          : meantOr(key, keysOfFile, `It takes ${keysOfFile.join(', ')}`),
      };
    });
}

function checkOperations(operations: JsonValue | undefined): readonly DocumentProblem[] {
  if (operations === undefined) return [];
  if (!isJsonObject(operations)) {
    const remedy =
      'Write operations with their answers, as in {"createOrder": {"duplicate-key": "conflict"}}';
    return [{ pointer: '/operations', reason: 'must be an object', remedy }];
  }
  return Object.entries(operations).flatMap(([id, answers]) =>
    placeBelow(appendPointer('/operations', id), checkAnswers(answers, 'operation')),
  );
}

/**
 * Checks values that come from a program instead of a file, and omits undefined ones.
 *
 * @throws ClocheError POLICY_INVALID for an unknown behaviour, operation or property, or an impossible value
 */
export function checkPolicy(policy: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { operations = {}, ...answers } = policy;
  const given = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined));
  // `as`: values are JSON, only read-only.
  const [problem] = parsePolicy({ answers: given, operations } as unknown as JsonValue).problems;
  const [stray] = problem === undefined ? checkAgainstContract(policy, contract) : [];
  const found = problem ?? stray;
  if (found !== undefined) {
    throw new ClocheError('POLICY_INVALID', {
      attempt: 'read the policy at',
      subject: pointerTokens(found.pointer)
        .join('.')
        .replace(/^answers\./u, ''),
      reason: found.reason,
      remedy: found.remedy,
    });
  }
  return { ...given, ...(Object.keys(operations).length === 0 ? {} : { operations }) };
}

/** Finds names in a policy that a contract does not have, with pointers as in a policy file: `/operations/order`. */
export function checkAgainstContract(
  policy: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const ids = contract.operations.map(({ id }) => id);
  const unknown = Object.keys(policy.operations ?? {}).filter((id) => !ids.includes(id));
  const listed = ids.slice(0, mostListed).join(', ');
  const more = ids.length > mostListed ? `, and ${ids.length - mostListed} more` : '';
  return [
    ...unknown.map((id) => ({
      pointer: appendPointer('/operations', id),
      reason: `the document has no operation "${id}"`,
      remedy: meantOr(id, ids, `It has ${listed}${more}`),
    })),
    ...checkPropertyNames(policy, contract),
  ];
}

/** The maximum number of operations in a message. */
const mostListed = 10;

/** A constraint on a property that no body of its operations contains would have no effect. */
function checkPropertyNames(
  { constraints, operations = {} }: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const places = [
    { place: '/answers', bounds: constraints, of: contract.operations },
    ...Object.entries(operations).map(([id, answers]) => ({
      place: appendPointer('/operations', id),
      bounds: answers.constraints,
      of: contract.operations.filter((operation) => operation.id === id),
    })),
  ];
  return places.flatMap(({ place, bounds = {}, of }) => {
    const names = Object.keys(bounds).length === 0 ? [] : listNames(of);
    const strays = names.length === 0 ? [] : Object.keys(bounds).filter((name) => !names.includes(name));
    return strays.map((name) => ({
      pointer: appendPointer(place, 'constraints', name),
      reason: `no body has a property "${name}"`,
      remedy: meantOr(name, names, `There is ${names.join(', ')}`),
    }));
  });
}

/** Returns the properties of the bodies of operations; none if a body may contain properties that its schema omits. */
function listNames(operations: readonly Operation[]): readonly string[] {
  const names = new Set<string>();
  const schemas = operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map(({ schema }) => schema?.schema),
  );
  for (const schema of schemas) {
    const own: Named = { names: new Set(), hasPatterns: false };
    collectNames(schema ?? true, own);
    if (own.names.size === 0 || own.hasPatterns) return [];
    own.names.forEach((name) => names.add(name));
  }
  return [...names];
}

/** The names of properties in a schema. */
interface Named {
  readonly names: Set<string>;
  /** Whether some are named only by a pattern. */
  hasPatterns: boolean;
}

/** Collects the names of properties anywhere in a schema, in all its branches. */
function collectNames(value: JsonValue, found: Named): void {
  if (Array.isArray(value)) {
    value.forEach((item) => collectNames(item, found));
  } else if (isJsonObject(value)) {
    const { properties, required, patternProperties } = value;
    Object.keys(isJsonObject(properties) ? properties : {}).forEach((name) => found.names.add(name));
    (Array.isArray(required) ? required : [])
      .filter((name) => typeof name === 'string')
      .forEach((name) => found.names.add(name));
    found.hasPatterns ||= patternProperties !== undefined;
    Object.values(value).forEach((item) => collectNames(item, found));
  }
}
