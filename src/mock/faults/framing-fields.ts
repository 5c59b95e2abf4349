/** Fields that say how a message is framed, in lower case: the transport alone can say that (RFC 9110 §6.6.2, RFC 9112 §6). */
export const framingFields: readonly string[] = [
  'content-length',
  'transfer-encoding',
  'connection',
  'trailer',
  'upgrade',
  'keep-alive',
];
