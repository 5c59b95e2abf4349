import type { ErrorObject } from 'ajv';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Evaluated, Judge, Part, Place, Rule } from './judge.ts';
import { shorten } from './repeated-judgements.ts';
import { integerFormat, ruleMakers } from './rules.ts';
import { type JsonSchema, resolveLocal } from './walk.ts';

/** Validates values by a schema without generating code. */
export interface Interpreter {
  /** Whether a value is valid; undefined after so many steps that compiling is worth its time. */
  readonly accepts: (value: JsonValue) => boolean | undefined;
  /** Returns the errors of a value in the form and the order of the compiled validator. */
  readonly list: (value: JsonValue) => readonly ErrorObject[];
}

/** What a reference came to for a value. */
interface Remembered {
  readonly place: Place;
  readonly errors: readonly ErrorObject[];
  readonly evaluated: Evaluated | undefined;
}

function toPointer({ above, token }: Place): JsonPointer {
  return above === undefined ? '' : appendPointer(toPointer(above), token);
}

/** Stands for an error that nobody reads. */
const someError: ErrorObject = { keyword: '', instancePath: '', schemaPath: '', params: {} };

/**
 * Creates an interpreter of a schema that stands alone (JSON Schema 2020-12). For a few values it takes less time than
 * compiling the schema.
 *
 * @param how - `steps`: how many schemas it applies before it leaves values to the compiler, Infinity for never; `isPlain`:
 * see `createPlainSchemaTest`
 * @throws Error for a malformed keyword
 */
export function createInterpreter(
  root: JsonSchema,
  reading: Part['reading'],
  { steps, isPlain }: { readonly steps: number; readonly isPlain: boolean },
): Interpreter {
  let left = steps;
  let explains = false;
  const targets = new Map<string, Judge>();
  const remembered = new Map<string, Map<unknown, Remembered>>();

  function createJudge(schema: JsonValue | undefined, pointer: JsonPointer): Judge {
    if (schema === false) return createJudge({ not: {} }, pointer);
    if (!isJsonObject(schema)) return () => undefined;
    const cost = 1 + (Array.isArray(schema['enum']) ? schema['enum'].length >> 4 : 0);
    // What is plain has no malformed keyword that a value would have to wait for.
    let rules = isPlain ? undefined : toRules({ schema, pointer });
    return (value, place, errors) => {
      left -= cost;
      if (left < 0) return undefined;
      rules ??= toRules({ schema, pointer });
      const evaluated: Evaluated | undefined = isPlain ? undefined : new Set();
      const { length } = errors;
      for (const rule of rules) {
        rule(value, { place, errors, evaluated });
        if (!explains && errors.length > length) break;
      }
      return evaluated;
    };
  }

  function toRules({
    schema,
    pointer,
  }: Pick<Part, 'schema'> & { readonly pointer: JsonPointer }): readonly Rule[] {
    const part: Part = {
      schema,
      reading,
      follow,
      judge: (below, ...tokens) => createJudge(below, appendPointer(pointer, ...tokens)),
      report({ place, errors }, keyword, params) {
        const { name } = place;
        if (!explains) {
          errors.push(someError);
          return;
        }
        const schemaPath = `#${appendPointer(pointer, keyword)}`;
        const error = { keyword, params, parentSchema: schema, instancePath: toPointer(place), schemaPath };
        errors.push(name === undefined ? error : { ...error, propertyName: name });
      },
      matches({ test, longest = Infinity }, text) {
        // The compiler tells what is known from what is not.
        if (text.length > longest && steps < Infinity) left = -1;
        return left < 0 || test(text);
      },
    };
    return Object.entries(ruleMakers).flatMap(([keyword, make]) => {
      const name = keyword === integerFormat ? 'format' : keyword;
      const asked = Object.hasOwn(schema, name) ? schema[name] : undefined;
      return asked === undefined ? [] : (make(asked, part, keyword) ?? []);
    });
  }

  /** Judges a value by a definition once: definitions may refer to each other again and again for the same value. */
  function follow(reference: string): Judge {
    const target = resolveLocal(root, reference);
    if (target === undefined) throw new Error(`${reference} leads nowhere`);
    if (!isPlain && !targets.has(reference)) {
      // Read whole at once, too; the first judge stands in for references to itself.
      targets.set(reference, () => undefined);
      targets.set(reference, createJudge(target, reference.slice(1)));
    }
    return (value, place, errors) => {
      const known = remembered.get(reference) ?? new Map<unknown, Remembered>();
      remembered.set(reference, known);
      const key = typeof value === 'object' && value !== null ? value : place;
      const earlier = known.get(key);
      if (earlier !== undefined && (!explains || toPointer(earlier.place) === toPointer(place))) {
        errors.push(...earlier.errors);
        return earlier.evaluated;
      }
      const found: ErrorObject[] = [];
      // Only now, as a definition may refer to itself.
      const judge = targets.get(reference) ?? createJudge(target, reference.slice(1));
      targets.set(reference, judge);
      const evaluated = judge(value, place, found);
      const few = shorten(found);
      known.set(key, { place, errors: few, evaluated });
      errors.push(...few);
      return evaluated;
    };
  }

  const whole = createJudge(root, '');
  function run(value: JsonValue): readonly ErrorObject[] {
    remembered.clear();
    const errors: ErrorObject[] = [];
    whole(value, { token: '' }, errors);
    return errors;
  }

  return {
    accepts(value) {
      explains = false;
      const isValid = run(value).length === 0;
      return left < 0 ? undefined : isValid;
    },
    list(value) {
      explains = true;
      return run(value);
    },
  };
}
