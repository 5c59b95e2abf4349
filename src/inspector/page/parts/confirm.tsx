import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Asked } from '../control/asked.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Asks before something is done that cannot be undone, and does it. */
export function Confirm({
  title,
  verb,
  run,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** On the button that does it. */
  readonly verb: string;
  readonly run: () => Promise<Asked<unknown>>;
  /** After it was done, and where somebody thought better of it. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}): VNode {
  const [problem, setProblem] = useState<string>();
  const cancel = useRef<HTMLButtonElement>(null);
  // A second press of Enter is to harm nothing (WAI-ARIA APG, alert dialogs).
  useEffect(() => cancel.current?.focus(), []);
  async function confirm(): Promise<void> {
    const asked = await run();
    if (asked.ok) {
      onClose();
    } else {
      setProblem(asked.message);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div class="actions">
        <button type="button" class="danger" onClick={confirm}>
          {verb}
        </button>
        <button type="button" ref={cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
