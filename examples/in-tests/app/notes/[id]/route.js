import { notes, respond } from '../store.js';

export async function GET(_request, { params }) {
  const { id } = await params;
  return respond(200, () => notes.find(id));
}

export async function DELETE(_request, { params }) {
  const { id } = await params;
  return respond(204, () => notes.remove(id));
}
