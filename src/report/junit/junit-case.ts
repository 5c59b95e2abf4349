import type { XmlElement } from './render-xml.ts';

/** One test of a JUnit report. */
export interface JunitCase {
  readonly suite: string;
  readonly name: string;
  readonly timeMs: number;
  readonly outcome:
    | { readonly kind: 'passed' }
    | { readonly kind: 'skipped'; readonly message: string }
    | {
        readonly kind: 'failure' | 'error';
        readonly type: string;
        readonly message: string;
        readonly text: string;
      };
  /** What is to be told besides. */
  readonly output?: string;
}

/** Seconds, as JUnit writes them. */
export function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function outcomeToXml({ outcome }: JunitCase): readonly XmlElement[] {
  switch (outcome.kind) {
    case 'passed':
      return [];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message: outcome.message } }];
    case 'failure':
    case 'error': {
      const { kind, type, message, text } = outcome;
      return [{ name: kind, attributes: { message, type }, content: text }];
    }
  }
}

/** The element of one test. */
export function junitCaseToXml(one: JunitCase): XmlElement {
  return {
    name: 'testcase',
    attributes: { name: one.name, classname: `cloche.${one.suite}`, time: toSeconds(one.timeMs) },
    content: [
      ...outcomeToXml(one),
      ...(one.output === undefined ? [] : [{ name: 'system-out', content: one.output }]),
    ],
  };
}
