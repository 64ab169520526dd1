import { html, type Html } from "./html.ts";

/** What the colours and marks of a drawing mean: the class of each, and its words. */
export function legend(keys: readonly (readonly [kind: string, words: string])[], note: string): Html {
  return html`<p class="legend">
    ${keys.map(([kind, words]) => html`<span class="key ${kind}">${words}</span> `)}<span class="quiet">${note}</span>
  </p>`;
}
