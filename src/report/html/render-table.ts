import { markup, type Markup } from './markup.ts';

/** A table of a page. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly { readonly title: string; readonly isNumber?: boolean }[];
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly Markup[])[];
}

/**
 * Renders a table, a column with nothing in it left out; a narrow screen scrolls it alone, by keyboard too.
 */
export function renderTable({ caption, ...table }: Table): Markup {
  const isEmpty = table.columns.map((_, index) => table.rows.every((cells) => cells[index]?.html === ''));
  const columns = table.columns.filter((_, index) => isEmpty[index] === false);
  const rows = table.rows.map((cells) => cells.filter((_, index) => isEmpty[index] === false));
  const head = columns.map(
    ({ title, isNumber }) =>
      markup`<th scope="col" ${isNumber === true ? markup` class="number"` : undefined}>${title}</th>`,
  );
  const body = rows.map((cells) => {
    const rendered = cells.map((cell, index) => {
      const kind = columns[index]?.isNumber === true ? markup` class="number"` : undefined;
      return index === 0 ? markup`<th scope="row">${cell}</th>` : markup`<td${kind}>${cell}</td>`;
    });
    return markup`<tr>
      ${rendered}
    </tr> `;
  });
  return markup`<div class="scroll" role="group" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}
