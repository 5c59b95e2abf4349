/** `cloche completion`: prints the script that completes commands and options in a shell. */
export const completionCommand = {
  usage: 'completion [shell]',
  describe: 'Print a script that completes these commands in a shell',
  about: ['Prints a script that completes commands and options in a shell.'],
  own: {
    shell: {
      kind: 'argument',
      choices: ['bash', 'zsh', 'fish', 'powershell'],
      describe: 'bash, zsh, fish or powershell',
      defaultDescription: 'that of $SHELL',
    },
  },
  examples: [
    ['completion bash >> ~/.bashrc', 'or zsh >> ~/.zshrc'],
    ['completion fish > ~/.config/fish/completions/cloche.fish', 'for fish'],
    ['completion powershell >> $PROFILE', 'for PowerShell'],
  ],
} as const;
