/** A kind of characters that services treat alike. */
export type CharacterClass =
  | 'nul'
  | 'controls'
  | 'space'
  | 'digits'
  | 'capitals'
  | 'punctuation'
  | 'c1-controls'
  | 'latin-1'
  | 'combining'
  | 'invisible'
  | 'basic-plane'
  | 'astral';

/** What belongs to a class, and characters of it that speak for the others. */
export interface CharacterClassMembers {
  readonly form: RegExp;
  /** In the order of their code points. */
  readonly samples: readonly string[];
}

/** The classes, those first that stand first in Unicode. Small letters are in none: they are always tried. */
export const characterClasses: Readonly<Record<CharacterClass, CharacterClassMembers>> = {
  nul: { form: /\0/u, samples: ['\0'] },
  controls: {
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    form: /[\u0001-\u001f\u007f]/u,
    samples: ['\u0001', '\b', '\t', '\n', '\r', '\u001b', '\u001f', '\u007f'],
  },
  space: { form: / /u, samples: [' '] },
  digits: { form: /[0-9]/u, samples: ['0', '7'] },
  capitals: { form: /[A-Z]/u, samples: ['A', 'Z'] },
  punctuation: { form: /[!-/:-@[-`{-~]/u, samples: [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'] },
  'c1-controls': { form: /[\u0080-\u009f]/u, samples: ['\u0085'] },
  'latin-1': { form: /[\u00a0-\u00ff]/u, samples: ['é', 'ÿ'] },
  combining: { form: /\p{M}/u, samples: ['\u0301'] },
  invisible: { form: /\p{Cf}/u, samples: ['\u200b', '\u202e'] },
  'basic-plane': { form: /(?![\p{M}\p{Cf}])[\u0100-\uffff]/u, samples: ['ш', 'ש', '日'] },
  astral: { form: /[\u{10000}-\u{10ffff}]/u, samples: ['𐍈', '😀'] },
};
