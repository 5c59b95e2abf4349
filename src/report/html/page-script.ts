/** Copies a command where its button is pressed; without it the page has no buttons, and is whole. */
export const pageScript: string = `
const said = document.getElementById('status');
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    said.textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2000);
  });
}
for (const details of document.querySelectorAll('details')) {
  addEventListener('beforeprint', () => { details.open = true; });
}
`;

/** What the policy of the page lets through: this script and no other (CSP Level 3 §2.3.1). */
export const pageScriptHash = 'sha256-TkyWyEnePDzZ4208QSn5tXjREi1T+5CNYwiJCsgGfeY=';
