import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A dialog in front of the page, from when it is drawn until it is no longer; the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus();
      }
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
