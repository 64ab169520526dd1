import { html, type Html } from "./html.ts";

/** The legend of a drawing: the class of each colour or mark, and its meaning. */
export function legend(keys: readonly (readonly [kind: string, words: string])[], note: string): Html {
  return html`<p class="legend">
    ${keys.map(([kind, words]) => html`<span class="key ${kind}">${words}</span> `)}<span class="quiet">${note}</span>
  </p>`;
}
