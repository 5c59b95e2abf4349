import { markup, type Markup } from './markup.ts';

/** A command that a reader copies, whole. The button is there only where the script runs. */
export function renderCommand(label: string, command: string): Markup {
  return markup`<div class="command">
    <p class="label">${label}</p>
    <pre tabindex="0" role="group" aria-label="${label}"><code>${command}</code></pre>
    <button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button>
  </div>`;
}
