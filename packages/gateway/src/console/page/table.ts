import { html, type Html } from "./html.ts";

export interface Row {
  /** Unique on the page: by it a row is known again when the page is renewed. */
  readonly key: string;
  readonly cells: readonly Html[];
}

/**
 * A table; the first cell of a row is its head. On narrow screens each row is shown as a card, where cells have their
 * column's name before them. What a style sheet shows as blocks is no table for screen readers unless roles say so.
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
