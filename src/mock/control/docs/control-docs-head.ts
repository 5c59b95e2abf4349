/** What the page on the control interface says before it comes to the operations: who may use it, what it answers. */
export const controlDocsHead = `# The control interface

What a running mock remembers, how it answers, what it was asked, what goes wrong and what time it is there: all of it can
be looked into and changed while it runs, under \`/__cloche/\`. The inspector, \`/__cloche/\` itself in a browser, shows the
same. [An OpenAPI document](../spec/control.openapi.json) describes it (\`cloche/spec/control.openapi.json\`, and of a
running mock \`/__cloche/openapi.json\`). What holds of an operation is there in full; here is what there is, with an example
of each.

From a shell, \`cloche state\`, \`snapshot\`, \`requests\`, \`faults\`, \`policy\`, \`clock\` and \`reset\` do the same at the mock
that \`--mock URL\` names, \`$CLOCHE_MOCK\`, or \`http://127.0.0.1:4010\`; with \`--json\` they print what it answers. Anything
that speaks HTTP will do as well:

\`\`\`sh
MOCK=http://127.0.0.1:4010/__cloche # as in all examples below
curl "$MOCK/state"
curl -X POST "$MOCK/reset"
\`\`\`

A test that has the mock in its own process needs none of this: [\`mock.state\`, \`mock.requests\`](in-tests.md) and the rest
are there.

## Who may use it

Programs on this machine, without more ado, as long as the mock listens for no others: the request must name
\`localhost\` or a loopback address as its \`Host\`. A page may only where it is the mock's own, the inspector: whatever comes
from another origin is refused by its \`Origin\` and \`Sec-Fetch-Site\`, there is no CORS here, and a name that was made to
lead to this machine (DNS rebinding) is no loopback \`Host\`.

Where the mock listens for other machines (\`--host 0.0.0.0\`), or a proxy says that it hands a request on from one
(\`X-Forwarded-For\`, \`Forwarded\`), it answers whoever sends its control token, and nobody else:

\`\`\`sh
cloche mock --host 0.0.0.0 --control-token "$CLOCHE_CONTROL_TOKEN"
curl -H "Authorization: Bearer $CLOCHE_CONTROL_TOKEN" http://mock.example:4010/__cloche/state
curl -H "Cloche-Control-Token: $CLOCHE_CONTROL_TOKEN" http://mock.example:4010/__cloche/state
\`\`\`

The second field is for clients whose \`Authorization\` is taken. The shell's commands send \`--control-token\`, or
\`$CLOCHE_CONTROL_TOKEN\`. \`--no-control\` switches the interface off; its paths are then unknown ones of the contract.

## What it answers

JSON, with every digit of a number that was sent; a body of a request is JSON too (\`Content-Type: application/json\`). What
changes something answers with what is now, or 204. What is refused has changed nothing, and says why:
\`{ "code": 422, "message": "Failed to …" }\`, with \`rows\` where rows of data cannot be taken.

| status | |
| --- | --- |
| 400 | the request is not as the document says, or has a query parameter twice, or one that there is none of |
| 401, 403 | it may not be asked from there, or by whom: see above |
| 404 | there is no such resource, snapshot, rule or request |
| 413, 415 | the body is too large (64 MiB), or no JSON |
| 422 | what is asked for cannot be: a row that the contract does not take, a rule that says nothing |
| 503 | the store does not answer |
`;
