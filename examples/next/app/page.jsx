import { AddTodo } from './add-todo.jsx';
import { api } from './api.js';

// Server code: each visit reads the list from the service, or from the mock.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { items } = await (await fetch(`${api}/todos`)).json();
  return (
    <main>
      <ul>
        {items.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <AddTodo />
    </main>
  );
}
