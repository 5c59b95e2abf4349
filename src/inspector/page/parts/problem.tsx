import type { ComponentChildren, VNode } from 'preact';

/** Says at once, also to a screen reader, that something did not work. */
export function Problem({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div class="problem" role="alert">
      {children}
    </div>
  );
}
