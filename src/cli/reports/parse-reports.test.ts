import { expect, test } from 'vitest';
import { parseReports } from '../reports.ts';

test('reads kinds and files, and standard output where no file is named', () => {
  expect(parseReports(['junit=a.xml', 'html=b=c.html', 'json=-'])).toEqual([
    { kind: 'junit', file: 'a.xml' },
    { kind: 'html', file: 'b=c.html' },
    { kind: 'json', file: undefined },
  ]);
  expect(parseReports(['github'])).toEqual([{ kind: 'github', file: undefined }]);
  expect(parseReports([])).toEqual([]);
});

test.each([
  [['jnit=a.xml'], '"--report jnit=a.xml": there is no report of the kind jnit. Perhaps junit was meant.'],
  [['pdf=a'], 'there is no report of the kind pdf. Choose among junit, json, html, github, har.'],
  [['=a'], 'it names no kind of report. Choose among junit'],
  [['html='], '"--report html=": it names no file. Write html=FILE, or html=- for standard output.'],
  [['json', 'github'], '"--report github": another report goes to standard output already.'],
  [['json=a', 'har=./a'], '"--report har=./a": another report goes to ./a already.'],
])('refuses %j', (texts, sentence) => {
  expect(() => parseReports(texts)).toThrow(sentence);
});
