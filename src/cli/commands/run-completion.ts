import yargs from 'yargs';
import { readArguments } from '../arguments.ts';
import type { completionCommand } from './completion.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { printText } from '../terminal.ts';

/**
 * Completes by the same request as the scripts of yargs, which has none for PowerShell. With SHELL set to zsh, yargs adds
 * the description to each word. PowerShell cannot pass an empty argument to a program before 7.3, so that a new word is a blank.
 */
const powershellScript = String.raw`Register-ArgumentCompleter -Native -CommandName cloche -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += ' ' }
  $shell = $env:SHELL
  $env:SHELL = 'zsh'
  try {
    cloche --get-yargs-completions @words | ForEach-Object {
      $word, $description = $_ -split '(?<!\\):', 2
      $word = $word -replace '\\:', ':'
      if (-not $description) { $description = $word }
      if ($word -like "$wordToComplete*") {
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
      }
    }
  } finally {
    $env:SHELL = $shell
  }
}
`;

/** Prints the completion script of a shell: of the given one, or of $SHELL. */
export async function runCompletion(given: Given<ArgumentsOf<typeof completionCommand>>): Promise<void> {
  const { shell } = readArguments(given);
  const isWindowsShell = process.platform === 'win32' && process.env['SHELL'] === undefined;
  if (shell === 'powershell' || (shell === undefined && isWindowsShell)) {
    printText(process.stdout, powershellScript);
    return;
  }
  if (shell !== undefined) {
    // yargs chooses its script by these variables.
    process.env['SHELL'] = shell;
    delete process.env['ZSH_NAME'];
  }
  yargs([]).scriptName('cloche').showCompletionScript();
}
