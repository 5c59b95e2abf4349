const encoder = new TextEncoder();

/** Whether a text is a secret, in a time that tells nothing of how much of it is right. */
export function equalSecrets(text: string, secret: string): boolean {
  const sent = encoder.encode(text);
  const wanted = encoder.encode(secret);
  let difference = sent.length ^ wanted.length;
  for (const [index, byte] of wanted.entries()) {
    difference |= byte ^ (sent[index] ?? 0);
  }
  return difference === 0;
}
