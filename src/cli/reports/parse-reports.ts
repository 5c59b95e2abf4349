import { resolve } from 'node:path';
import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { reportKinds, type ReportRequest } from './report-request.ts';

function invalid(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'read the option', subject, reason, remedy });
}

function parseReport(text: string): ReportRequest {
  const at = text.indexOf('=');
  const word = at === -1 ? text : text.slice(0, at);
  const kind = reportKinds.find((one) => one === word);
  if (kind === undefined) {
    const near = closestWord(word, reportKinds);
    throw invalid(
      `--report ${text}`,
      word === '' ? 'it names no kind of report' : `there is no report of the kind ${word}`,
      near === undefined ? `Choose among ${reportKinds.join(', ')}` : `Perhaps ${near} was meant`,
    );
  }
  const file = at === -1 ? '-' : text.slice(at + 1);
  if (file === '') {
    throw invalid(
      `--report ${text}`,
      'it names no file',
      `Write ${kind}=FILE, or ${kind}=- for standard output`,
    );
  }
  return { kind, file: file === '-' ? undefined : file };
}

/**
 * Reads what `--report` was given, `kind=FILE` or `kind` for standard output, as often as it was given.
 *
 * @throws ClocheError OPTION_INVALID for a kind that there is not, and where two reports would go to one place
 */
export function parseReports(texts: readonly string[]): readonly ReportRequest[] {
  const requests = texts.map(parseReport);
  const places = requests.map(({ file }) => (file === undefined ? undefined : resolve(file)));
  const again = places.findIndex((place, index) => places.indexOf(place) !== index);
  if (again !== -1) {
    const { file } = requests[again] ?? {};
    throw invalid(
      `--report ${texts[again] ?? ''}`,
      `another report goes to ${file ?? 'standard output'} already`,
      'Give each a file of its own',
    );
  }
  return requests;
}
