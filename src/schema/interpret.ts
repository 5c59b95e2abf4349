import type { ErrorObject } from 'ajv';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Evaluated, Judge, Part, Place, Rule } from './judge.ts';
import { shorten } from './repeated-judgements.ts';
import { integerFormat, ruleMakers } from './rules.ts';
import { type JsonSchema, resolveLocal } from './walk.ts';

/** The result of a reference for a value. */
interface Remembered {
  readonly place: Place;
  readonly errors: readonly ErrorObject[];
  readonly evaluated: Evaluated | undefined;
}

function toPointer({ above, token }: Place): JsonPointer {
  return above === undefined ? '' : appendPointer(toPointer(above), token);
}

const makers = Object.entries(ruleMakers);

/** Represents an error without details. */
const someError: ErrorObject = { keyword: '', instancePath: '', schemaPath: '', params: {} };

/**
 * Validates values by a self-contained schema (JSON Schema 2020-12) without generating code. For a few values this
 * takes less time than compiling the schema.
 *
 * @param how - `steps`: the number of schemas to apply before values are left to the compiler, Infinity for no limit;
 * `isPlain`: see `createPlainSchemaTest`
 * @throws Error for a malformed keyword
 */
export class Interpreter {
  readonly #root: JsonSchema;
  readonly #reading: Part['reading'];
  readonly #isPlain: boolean;
  readonly #isLimited: boolean;
  readonly #targets = new Map<string, Judge>();
  readonly #remembered = new Map<string, Map<unknown, Remembered>>();
  readonly #whole: Judge;
  #left: number;
  #explains = false;

  constructor(
    root: JsonSchema,
    reading: Part['reading'],
    { steps, isPlain }: { readonly steps: number; readonly isPlain: boolean },
  ) {
    this.#root = root;
    this.#reading = reading;
    this.#isPlain = isPlain;
    this.#isLimited = steps < Infinity;
    this.#left = steps;
    this.#whole = this.#createJudge(root, '');
  }

  #createJudge(schema: JsonValue | undefined, pointer: JsonPointer): Judge {
    if (schema === false) return this.#createJudge({ not: {} }, pointer);
    if (!isJsonObject(schema)) return () => undefined;
    const cost = 1 + (Array.isArray(schema['enum']) ? schema['enum'].length >> 4 : 0);
    // A plain schema has no malformed keywords, so its rules can be created later.
    let rules = this.#isPlain ? undefined : this.#toRules({ schema, pointer });
    return (value, place, errors) => {
      this.#left -= cost;
      if (this.#left < 0) return undefined;
      rules ??= this.#toRules({ schema, pointer });
      const evaluated: Evaluated | undefined = this.#isPlain ? undefined : new Set();
      const { length } = errors;
      for (const rule of rules) {
        rule(value, { value, place, errors, evaluated });
        if (!this.#explains && errors.length > length) break;
      }
      return evaluated;
    };
  }

  #toRules({ schema, pointer }: Pick<Part, 'schema'> & { readonly pointer: JsonPointer }): readonly Rule[] {
    const part: Part = {
      schema,
      reading: this.#reading,
      follow: (reference) => this.#follow(reference),
      judge: (below, ...tokens) => this.#createJudge(below, appendPointer(pointer, ...tokens)),
      report: ({ place, errors }, keyword, params) => {
        const { name } = place;
        if (!this.#explains) {
          errors.push(someError);
          return;
        }
        const schemaPath = `#${appendPointer(pointer, keyword)}`;
        const error = { keyword, params, parentSchema: schema, instancePath: toPointer(place), schemaPath };
        errors.push(name === undefined ? error : { ...error, propertyName: name });
      },
      matches: (pattern, text) => {
        // Only the compiler handles texts that are too long for a pattern.
        if (this.#isLimited && text.length > (pattern.longest ?? Infinity)) this.#left = -1;
        return this.#left < 0 || pattern.test(text);
      },
    };
    const rules: Rule[] = [];
    for (const [keyword, make] of makers) {
      const name = keyword === integerFormat ? 'format' : keyword;
      const asked = Object.hasOwn(schema, name) ? schema[name] : undefined;
      const rule = asked === undefined ? undefined : make(asked, part, keyword);
      if (rule !== undefined) rules.push(rule);
    }
    return rules;
  }

  /** Checks a value by a definition once, because definitions may refer to each other repeatedly for the same value. */
  #follow(reference: string): Judge {
    const target = resolveLocal(this.#root, reference);
    if (target === undefined) throw new Error(`${reference} leads nowhere`);
    if (!this.#isPlain && !this.#targets.has(reference)) {
      // The rules are created immediately. The first validator handles references to itself.
      this.#targets.set(reference, () => undefined);
      this.#targets.set(reference, this.#createJudge(target, reference.slice(1)));
    }
    return (value, place, errors) => {
      const known = this.#remembered.get(reference) ?? new Map<unknown, Remembered>();
      this.#remembered.set(reference, known);
      const key = typeof value === 'object' && value !== null ? value : place;
      const earlier = known.get(key);
      if (earlier !== undefined && (!this.#explains || toPointer(earlier.place) === toPointer(place))) {
        errors.push(...earlier.errors);
        return earlier.evaluated;
      }
      const found: ErrorObject[] = [];
      // Created late, because a definition may refer to itself.
      const judge = this.#targets.get(reference) ?? this.#createJudge(target, reference.slice(1));
      this.#targets.set(reference, judge);
      const evaluated = judge(value, place, found);
      const few = shorten(found);
      known.set(key, { place, errors: few, evaluated });
      errors.push(...few);
      return evaluated;
    };
  }

  #run(value: JsonValue): readonly ErrorObject[] {
    this.#remembered.clear();
    const errors: ErrorObject[] = [];
    this.#whole(value, { token: '' }, errors);
    return errors;
  }

  /** Returns whether a value is valid; undefined after the number of steps at which compiling is faster. */
  accepts(value: JsonValue): boolean | undefined {
    this.#explains = false;
    const isValid = this.#run(value).length === 0;
    return this.#left < 0 ? undefined : isValid;
  }

  /** Returns the errors of a value in the form and the order of the compiled validator. */
  list(value: JsonValue): readonly ErrorObject[] {
    this.#explains = true;
    return this.#run(value);
  }
}
