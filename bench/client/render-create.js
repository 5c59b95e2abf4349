/**
 * Prepares the bytes of a create, all but its id.
 * @param {number} port
 * @returns {(id: number) => string} takes ids of 12 digits
 */
export function renderCreate(port) {
  const after = ',"name":"Monstera","tag":"house"}';
  const before =
    'POST /plants HTTP/1.1\r\n' +
    `Host: 127.0.0.1:${port}\r\n` +
    'Authorization: Bearer t\r\n' +
    'Content-Type: application/json\r\n' +
    `Content-Length: ${'{"id":'.length + 12 + after.length}\r\n` +
    '\r\n{"id":';
  return (id) => before + id + after;
}
