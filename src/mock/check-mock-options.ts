import { checkOptionNames } from '../errors/check-option-names.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { MockOptions } from './mock-options.ts';

interface Kind {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  /** How it is written. */
  readonly example: string;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function callback(example: string): Kind {
  return { takes: 'a function', fits: (value) => typeof value === 'function', example };
}

/** What those take whose values are looked at nowhere else before they are used. */
const kinds: Readonly<Record<keyof MockOptions, Kind | undefined>> = {
  policy: {
    takes: 'an object of answers',
    fits: isObject,
    example: '{ "duplicate-key": "conflict" }, or what readPolicyFile() reads',
  },
  tokens: {
    takes: 'a list of texts',
    fits: (value) => Array.isArray(value) && value.every((token) => typeof token === 'string'),
    example: '["secret"]',
  },
  log: callback('(entry) => console.log(entry)'),
  logBytes: undefined,
  clock: callback('() => Date.now(), and set the time with mock.clock.set()'),
  allowReferences: { takes: 'true or false', fits: (value) => typeof value === 'boolean', example: 'true' },
  cors: {
    takes: 'an object or false',
    fits: (value) => value === false || isObject(value),
    example: '{ origins: ["http://localhost:5173"] }, or leave it out for any origin',
  },
  store: {
    takes: 'a text or a Store',
    fits: (value) => typeof value === 'string' || isObject(value),
    example: '"file:orders.db"',
  },
  warn: callback('(sentence) => console.warn(sentence)'),
  faults: { takes: 'a list of rules', fits: Array.isArray, example: '[{ delay: [200, 900] }]' },
  data: undefined,
  dataCount: undefined,
  seed: { takes: 'a whole number', fits: Number.isSafeInteger, example: '7' },
  control: {
    takes: 'an object or false',
    fits: (value) => value === false || isObject(value),
    example: '{ token: "secret" }, or leave it out for programs on this machine',
  },
  inspector: callback('async () => createInspector()'),
};

function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') {
    return String(value);
  }
  return Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : `of type ${typeof value}`;
}

/**
 * Looks whether the options of a mock are those that there are, and of the kinds that they take, as who writes
 * JavaScript has no compiler that does.
 *
 * @throws ClocheError OPTION_INVALID which names the first that is not
 */
export function checkMockOptions(options: MockOptions): void {
  checkOptionNames(options, { names: Object.keys(kinds), attempt: 'use the option' });
  for (const [name, kind] of Object.entries(kinds)) {
    // `as`: Object.entries gives the names as mere texts.
    const value: unknown = options[name as keyof MockOptions];
    if (value !== undefined && kind?.fits(value) === false) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use the option',
        subject: name,
        // Not the value, which may be a secret.
        reason: `it takes ${kind.takes}, and is ${describe(value)}${Array.isArray(value) ? ' of something else' : ''}`,
        remedy: `Write ${name}: ${kind.example}`,
      });
    }
  }
  if (isObject(options.cors)) {
    checkOptionNames(options.cors, { names: ['origins', 'credentials'], attempt: 'use the option of cors' });
  }
  if (isObject(options.control)) {
    checkOptionNames(options.control, { names: ['token'], attempt: 'use the option of control' });
  }
}
