import { spawn } from 'node:child_process';
import { ClocheError } from '../errors/cloche-error.ts';
import { isSecretName, redacted, redactText } from '../http/redact.ts';
import { findCredentialFault } from './settings.ts';

/** The maximum time of a command, and the maximum size of its output. */
const longestMs = 60_000;
const mostBytes = 1024 * 1024;

interface Ended {
  readonly output: string;
  readonly complaint: string;
  /** Undefined if the command ended by itself with exit code 0. */
  readonly failure: string | undefined;
}

function run(command: string, folder: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: folder, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    let failure: string | undefined;
    const stop = (why: string): void => {
      failure ??= why;
      child.kill('SIGKILL');
      // A grandchild may keep the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => stop(`the command did not end in ${longestMs / 1_000} s`), longestMs);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8');
      child[name].on('data', (piece: string) => {
        if (texts[name].length < mostBytes) texts[name] += piece;
        else if (name === 'stdout') stop('the command prints more than 1 MiB');
      });
    }
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve({ output: texts.stdout.trim(), complaint: texts.stderr.trim(), failure: failure ?? why });
    };
    child.on('error', (error) => end(`the shell cannot be started: ${error.message}`));
    child.on('close', (code, signal) => {
      if (code === 0) end(undefined);
      else
        end(
          code === null ? `the command was ended by ${signal}` : `the command ended with exit code ${code}`,
        );
    });
  });
}

/** A name, and the value that a line gives it: `Authorization: Bearer …`, `"password":"…"`. */
const namedValues = /([\w-]+)(["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?)([^\s"',;&]+)/giu;

/** The length from which a word of the output of a failed command may be a credential. */
const shortestWord = 6;

/** Hides the output of a command in a line, the secrets of the environment, and values with the name of a secret. */
function hideSecrets(line: string, output: string): string {
  const inherited = Object.entries(process.env).flatMap(([name, value = '']) =>
    isSecretName(name) && value !== '' ? [value] : [],
  );
  return redactText(line, [
    ...inherited,
    ...output.split(/\s+/u).filter(({ length }) => length >= shortestWord),
  ])
    .replaceAll(/\/\/[^/@\s]+@/gu, `//${redacted}@`)
    .replaceAll(namedValues, (whole, name: string, between: string) =>
      isSecretName(name) ? `${name}${between}${redacted}` : whole,
    );
}

/**
 * Runs a command with the shell, and returns its standard output without white space around it: a credential.
 *
 * @param subject - what the command is for, in error messages: the name of a scheme, or `--token-command`
 * @param folder - the working directory
 * @throws ClocheError OPTION_INVALID if the command fails or its output is no credential. Its message has the exit code
 * and the last line of standard error without secrets, and neither the command nor its output
 */
export async function runCredentialCommand(
  command: string,
  { subject, folder }: { readonly subject: string; readonly folder: string },
): Promise<string> {
  const { output, complaint, failure } = await run(command, folder);
  const fault = failure ?? findCredentialFault(output)?.replace(/^it/u, 'the output of the command');
  if (fault === undefined) return output;
  const line = hideSecrets(complaint.split('\n').at(-1) ?? '', output);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'get the credential of',
    subject,
    reason: failure === undefined || line === '' ? fault : `${fault}: ${line.trim().replace(/\.$/u, '')}`,
    remedy: 'Correct the command; it must print the credential and nothing else',
  });
}
