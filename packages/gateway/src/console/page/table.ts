import { html, type Html } from "./html.ts";

export interface Row {
  /** Unique on the page: it identifies the row when the page is refreshed. */
  readonly key: string;
  readonly cells: readonly Html[];
}

/**
 * A table; the first cell of a row is its header. On narrow screens each row is shown as a card, with the column's name
 * before each cell. The roles are needed because screen readers do not see a table where the style sheet shows blocks.
 */
export function table(caption: string, columns: readonly string[], rows: readonly Row[]): Html {
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ({ key, cells }) =>
          html`<tr role="row" id="${key}">
            ${cells.map((cell, index) =>
              index === 0
                ? html`<th role="rowheader" scope="row">${cell}</th>`
                : html`<td role="cell" data-column="${columns[index]}">${cell}</td>`,
            )}
          </tr> `,
      )}
    </tbody>
  </table>`;
}
