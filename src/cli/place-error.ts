import type { Given } from '../config/command-options.ts';
import { configurationKey, type OptionsByName } from '../config/keys.ts';
import { ClocheError } from '../errors/cloche-error.ts';

/** A value of an option that is not from the command line. */
interface PlacedValue {
  readonly option: string;
  /** One value, if the option is repeatable and its values have places. */
  readonly part: string | undefined;
  /** `cloche.yaml:3:7`, `$CLOCHE_PORT` */
  readonly place: string;
}

/** Removes the user and the password of a URL, as errors do. */
const withoutUserinfo = (text: string): string => text.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/iu, '$1***@');

const nameOfPair = (text: string): string | undefined => text.split(/[:=]/u, 1)[0];

/** Finds the value that the subject of an error names: an option with or without its value, or a value alone. */
function findNamed(
  subject: string,
  { values, origins = new Map() }: Given<unknown>,
): (PlacedValue & { readonly flag: string; readonly shown: string }) | undefined {
  const [flag = '', flagged] = /^--(?:no-)?([\w-]+)/u.exec(subject) ?? [];
  const shown = subject.slice(flag.length).trim();
  function isNamed({ option, part }: PlacedValue): boolean {
    const value = part ?? String(values[option]);
    if (flagged === undefined) {
      // An error about the file of a report names the file alone.
      return value === shown || withoutUserinfo(value) === shown || value.endsWith(`=${shown}`);
    }
    // The value of a header field is hidden.
    return option === flagged && (part === undefined || nameOfPair(part) === nameOfPair(shown));
  }
  const placed = [...origins].map(([key, place]): PlacedValue => {
    const [option = key, ...part] = key.split(' ');
    return { option, part: part.length === 0 ? undefined : part.join(' '), place };
  });
  // The values of a repeatable option follow the option.
  const found = shown === '' && flag === '' ? undefined : placed.findLast(isNamed);
  return found && { ...found, flag, shown };
}

/**
 * Names the options of an error where their values were written, if that is not the command line: by the key of a
 * configuration with its place, or by the variable.
 *
 * @returns a new error, or the same one if it concerns none of them
 */
export function placeError(error: unknown, given: Given<unknown>): unknown {
  const { options, origins } = given;
  if (!(error instanceof ClocheError) || origins === undefined) return error;
  const table: OptionsByName = options;
  const named = findNamed(error.subject, given);

  function nameOf(option: string): string {
    const place = origins?.get(option) ?? '';
    const declared = table[option];
    const key = declared && configurationKey(option, declared);
    return place.startsWith('$') ? place.slice(1) : (key ?? option);
  }
  function rename(text: string): string {
    return text.replaceAll(
      /--(?:no-)?([a-z][\w-]*)( \d+)?/gu,
      (written, option: string, number: string = '') => {
        const place = origins?.get(option);
        if (place === undefined) return written;
        const isVariable = place.startsWith('$');
        const setting = number === '' ? '' : `${isVariable ? '=' : ': '}${number.trim()}`;
        const name = `${nameOf(option)}${setting}`;
        return option === named?.option || isVariable ? name : `${name} in ${place}`;
      },
    );
  }
  function placeSubject({ option, place, flag, shown }: NonNullable<typeof named>): string {
    const name = nameOf(option);
    const isVariable = place.startsWith('$');
    if (flag === '') return `${shown} (${isVariable ? name : `${name} in ${place}`})`;
    if (isVariable) return shown === '' ? name : `${name}=${shown}`;
    return [name, ...(shown === '' ? [] : [shown]), `in ${place}`].join(' ');
  }

  const { code, attempt } = error;
  const subject = named === undefined ? error.subject : placeSubject(named);
  const [reason, remedy] = [rename(error.reason), rename(error.remedy)];
  if (subject === error.subject && reason === error.reason && remedy === error.remedy) return error;
  return new ClocheError(code, { attempt, subject, reason, remedy, cause: error });
}
