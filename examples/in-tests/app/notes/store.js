import { createNotes } from '../../notes.js';

export const notes = createNotes();

/** Answers with the JSON that a function returns, or with its error. */
export async function respond(status, find) {
  try {
    const content = await find();
    return status === 204 ? new Response(null, { status }) : Response.json(content, { status });
  } catch (error) {
    return Response.json({ message: error.message }, { status: error.status ?? 400 });
  }
}
