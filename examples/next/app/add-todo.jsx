'use client';

import { useRouter } from 'next/navigation';
import { api } from './api.js';

// Browser code: it calls the same service, which therefore needs CORS. The mock has it.
export function AddTodo() {
  const router = useRouter();
  async function add(event) {
    event.preventDefault();
    const { title } = Object.fromEntries(new FormData(event.target));
    await fetch(`${api}/todos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    router.refresh();
  }
  return (
    <form onSubmit={add}>
      <label>
        Title <input name="title" required />
      </label>
      <button>Add</button>
    </form>
  );
}
