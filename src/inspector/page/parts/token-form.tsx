import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { keepControlToken } from '../control/control-token.ts';

/** Asks for the token that a mock wants which other machines reach. */
export function TokenForm({ onKeep }: { readonly onKeep: () => void }): VNode {
  const [token, setToken] = useState('');
  return (
    <form
      class="tools"
      onSubmit={(event) => {
        event.preventDefault();
        keepControlToken(token);
        onKeep();
      }}
    >
      <label class="grow">
        Control token
        <input
          type="password"
          required
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  );
}
