#!/usr/bin/env node
import { createCommandLine } from './command-line.ts';
import { describeThrown } from './describe-thrown.ts';
import { printText } from './terminal.ts';

try {
  await createCommandLine(process.argv.slice(2)).parseAsync();
} catch (error) {
  const { code, text } = describeThrown(error);
  printText(process.stderr, text);
  process.exitCode = code;
}
