#!/usr/bin/env node
import { createCommandLine } from './command-line.ts';
import { describeThrown } from './describe-thrown.ts';

try {
  await createCommandLine(process.argv.slice(2)).parseAsync();
} catch (error) {
  const { code, text } = describeThrown(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
