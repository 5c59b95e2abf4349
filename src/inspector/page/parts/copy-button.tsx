import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    const timer = setTimeout(() => setOutcome(undefined), 3_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // Browsers keep the clipboard from pages that came over plain HTTP from another machine.
      setOutcome('refused');
    }
  }
  return (
    <span class="copy">
      <button type="button" class="small" onClick={copy}>
        Copy {what}
      </button>
      <span role="status" class="soft">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && 'The browser does not allow it: select the text and copy it'}
      </span>
    </span>
  );
}
