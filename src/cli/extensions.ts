import { findPlace, loadModule } from '../config/load-module.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { redactText } from '../http/redact.ts';
import { type Extension, openExtensions } from '../runner/extension.ts';
import type { Suite } from '../runner/suite.ts';
import { NoItem } from '../session/items.ts';
import { EndedAtHang } from '../session/send-case.ts';
import { checkExtension } from './extension-members.ts';
import { tellWatcher } from './process.ts';

/** The extensions of a command. */
export interface OpenExtensions {
  readonly extensions: readonly Extension[];
  /** The checks of single exchanges, after those of Cloche. */
  readonly judges: ReturnType<typeof openExtensions>['judges'];
  /**
   * Does the work of the command.
   *
   * @throws ClocheError EXTENSION_FAILED for any error in an extension, even if the work ignored it
   */
  readonly during: <T>(work: () => Promise<T>, secrets?: readonly string[]) => Promise<T>;
}

/**
 * Loads the extensions of `--extension`, and registers their formats and codecs. Call it before the document is read.
 *
 * @throws ClocheError OPTION_INVALID for a file that does not load, or that exports no extension by default
 */
export async function openExtensionFiles(files: readonly string[]): Promise<OpenExtensions> {
  let failure: ClocheError | undefined;
  const extensions: Extension[] = [];
  for (const file of files) {
    const loaded = await loadModule({
      file,
      what: 'the extension',
      code: 'OPTION_INVALID',
      onRead: tellWatcher,
    });
    const extension = checkExtension(loaded, file);
    const fail = (error: unknown, part: string): unknown => {
      if (isControlFlow(error)) return error;
      failure ??= describeFailure(error, file, `Correct its ${part}`);
      return failure;
    };
    extensions.push(guardExtension(extension, fail));
  }
  const { judges } = openExtensions([], extensions);

  return {
    extensions,
    judges,
    async during(work, secrets = []) {
      try {
        const result = await work();
        if (failure === undefined) return result;
      } catch (error) {
        failure ??= attribute(error, files);
        if (failure === undefined) throw error;
      }
      // The message may contain anything that the extension was called with.
      failure = new ClocheError(failure.code, { ...failure, reason: redactText(failure.reason, secrets) });
      throw failure;
    },
  };
}

/** Returns the failure of the extension that the stack of an error names, if it names one. */
function attribute(error: unknown, files: readonly string[]): ClocheError | undefined {
  if (!(error instanceof Error) || isControlFlow(error)) return undefined;
  const file = files.find((each) => findPlace(error, each) !== undefined);
  return file === undefined ? undefined : describeFailure(error, file, 'Correct it');
}

/** Returns whether an error is one of Cloche, which passes through the functions of an extension unchanged. */
function isControlFlow(error: unknown): boolean {
  return error instanceof ClocheError || error instanceof NoItem || error instanceof EndedAtHang;
}

function describeFailure(error: unknown, file: string, remedy: string): ClocheError {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const place = error instanceof Error ? findPlace(error, file) : undefined;
  const reason = message.replace(/\.$/u, '') || 'it threw an error without a message';
  return new ClocheError('EXTENSION_FAILED', {
    attempt: 'run the extension',
    subject: file,
    reason: place === undefined ? reason : `${reason} (${place})`,
    remedy,
    cause: error,
  });
}

/** Converts an error that a part of an extension threw, to throw it instead. */
type Fail = (error: unknown, part: string) => unknown;

/** Returns an extension whose functions throw the errors that `fail` returns. */
function guardExtension(extension: Extension, fail: Fail): Extension {
  const { checks, suites, hooks, formats, codecs } = extension;
  const guard = <Whole extends object>(whole: Whole, part: string): Whole =>
    guardMembers(whole, (error) => fail(error, part));
  return {
    ...extension,
    ...(checks && { checks: checks.map((check) => guard(check, `check ${check.id}`)) }),
    ...(suites && { suites: suites.map((suite) => guardSuite(suite, guard)) }),
    ...(hooks && { hooks: guardMembers(hooks, (error, name) => fail(error, `hook ${name}`)) }),
    ...(formats && {
      formats: Object.fromEntries(
        Object.entries(formats).map(([name, format]) => [name, guard(format, `format ${name}`)]),
      ),
    }),
    ...(codecs && { codecs: codecs.map((codec) => guard(codec, 'codec')) }),
  };
}

function guardSuite(suite: Suite, guard: <Whole extends object>(whole: Whole, part: string) => Whole): Suite {
  const part = `suite ${suite.id}`;
  const plan: Suite['plan'] = (input) => {
    const planned = suite.plan(input);
    return planned.kind === 'properties'
      ? { ...planned, properties: planned.properties.map((property) => guard(property, part)) }
      : planned;
  };
  return guard({ ...suite, plan }, part);
}

type AnyFunction = (...values: readonly unknown[]) => unknown;

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

/** Returns a function that throws what `fail` returns for the error of another one, or rejects with it. */
function guardFunction(call: AnyFunction, fail: (error: unknown) => unknown): AnyFunction {
  return function guarded(this: unknown, ...values) {
    try {
      const result = Reflect.apply(call, this, values);
      return result instanceof Promise
        ? result.catch((error: unknown) => {
            throw fail(error);
          })
        : result;
    } catch (error) {
      throw fail(error);
    }
  };
}

/** Copies a plain object, and guards its functions and lists of functions. Getters stay. */
function guardMembers<Whole extends object>(
  whole: Whole,
  fail: (error: unknown, name: string) => unknown,
): Whole {
  // The methods of a class may use private fields, which a copy does not have.
  if (Object.getPrototypeOf(whole) !== Object.prototype) return whole;
  const copy = {};
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(whole))) {
    // `as`: a descriptor has a value of any type.
    let value = descriptor.value as unknown;
    if (isFunction(value)) value = guardFunction(value, (error) => fail(error, name));
    else if (Array.isArray(value) && value.every(isFunction))
      value = value.map((each) => guardFunction(each, (error) => fail(error, name)));
    Object.defineProperty(copy, name, 'value' in descriptor ? { ...descriptor, value } : descriptor);
  }
  // `as`: it has the members of the original.
  return copy as Whole;
}
