/** An error with the status of its response. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Creates a store of notes, which the apps of this folder serve. */
export function createNotes() {
  const notes = new Map();

  function find(id) {
    if (!/^[1-9]\d*$/.test(id)) throw new Refusal(400, 'The id must be a whole number from 1 on.');
    const note = notes.get(Number(id));
    if (note === undefined) throw new Refusal(404, `There is no note ${id}.`);
    return note;
  }

  return {
    add(body) {
      const text = body?.text;
      const length = typeof text === 'string' ? [...text].length : 0;
      if (length < 1 || length > 200) throw new Refusal(400, 'The text must have 1 to 200 characters.');
      const note = { id: notes.size + 1, text };
      notes.set(note.id, note);
      return note;
    },
    find,
    remove: (id) => notes.set(find(id).id, undefined),
  };
}
