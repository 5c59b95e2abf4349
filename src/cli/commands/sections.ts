import type { Sections } from '../../config/check-configuration.ts';
import { optionsOf } from '../../config/command-options.ts';
import { bundleCommand } from './bundle.ts';
import { checkCommand } from './check.ts';
import { explainCommand } from './explain.ts';
import { learnCommand } from './learn.ts';
import { mockCommand } from './mock.ts';
import { proxyCommand } from './proxy.ts';
import { testCommand } from './test.ts';

/** Returns the options of each command that has a section in a configuration. */
export function listSections(): Sections {
  return {
    test: optionsOf(testCommand),
    mock: optionsOf(mockCommand),
    learn: optionsOf(learnCommand),
    check: optionsOf(checkCommand),
    proxy: optionsOf(proxyCommand),
    explain: optionsOf(explainCommand),
    bundle: optionsOf(bundleCommand),
  };
}
